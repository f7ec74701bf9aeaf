#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian package of another processor, whose programs qemu runs; scripts/arm64 calls it.

It lies in a root of that kind beside what it depends on, all of it unpacked: dpkg and its scripts would take long in
qemu, no systemd runs there, and lifecycle.py tests both. castled runs with the unit's environment, without its sandbox,
and plays on the simulated Lichess.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from package.bot import Bot  # noqa: E402
from package.machine import Root, version_of  # noqa: E402
from package.steps import Failure, check, step  # noqa: E402
from sim.opponent import Random  # noqa: E402
from sim.server import Simulator  # noqa: E402

PLACES = {"STATE_DIRECTORY": "/var/lib/castled", "RUNTIME_DIRECTORY": "/run/castled"}


async def host(*words: str) -> str:
    """Runs a command outside the root; what it wrote."""
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    check(process.returncode == 0, f"{' '.join(words)} failed")
    return output.decode()


async def play(bot: Bot, root: Root, log: pathlib.Path) -> None:
    for place in PLACES.values():
        (root.root / place[1:]).mkdir(parents=True)
    with log.open("wb") as output:
        process = await root.begin("castled", "run", "--config", "/etc/castled/castled.conf", stdout=output,
                                   stderr=output, variables=[f"{name}={place}" for name, place in PLACES.items()])
    try:
        await bot.wins(await bot.game("Alfons", Random()), 600)
        check("online" in await root.run("castled", "status"), "castled status does not say online")
        process.send_signal(signal.SIGTERM)
        status = await asyncio.wait_for(process.wait(), 20)
        check(status == 0, f"it ended with {status}")
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    await bot.has_archived("Alfons")


async def run(wanted: argparse.Namespace, sim: Simulator, log: pathlib.Path) -> None:
    root = Root(wanted.root)
    architecture = (await host("dpkg-deb", "--field", wanted.package, "Architecture")).strip()
    with step(f"castled {version_of(wanted.package)} is unpacked for {architecture}, and what it depends on"):
        depends = await host("dpkg-deb", "--field", wanted.package, "Depends")
        names = ",".join(re.sub(r" \(.*\)", "", one) for one in depends.strip().split(", "))
        script = pathlib.Path(__file__).parents[2] / "scripts/debian-root"
        await host(str(script), wanted.root, f"--architectures={architecture}", f"--include={names}",
                   "--variant=extract", "--skip=check/qemu")
        await host("dpkg-deb", "--extract", wanted.package, wanted.root)
        root.check_content()
        check((await root.run("castled", "--version")).startswith("castled "), "castled --version fails")
        check("Nodes searched: 197281" in await root.run("castled-uci", "perft", "4"), "castled-uci perft 4 is wrong")
    await sim.start()
    bot = Bot(sim, root, "castled")
    with step("configured and checked"):
        bot.configure()
        await root.run("castled", "check")
    with step("it plays a game to mate, which is in the archive; SIGTERM ends it with status 0"):
        await play(bot, root, log)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Unpacks the package and plays with it.")
    parser.add_argument("--package", required=True, help="the package; the kernel must run its programs")
    parser.add_argument("--root", required=True, help="a folder for the root; it must not exist")
    return parser.parse_args()


async def main() -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="castled-package-") as directory:
        sim, log = Simulator(directory), pathlib.Path(directory, "log")
        try:
            await run(arguments(), sim, log)
        except (Failure, AssertionError, asyncio.TimeoutError) as failure:
            print(f"\ntests/package/emulated.py: {failure or 'timed out'}", file=sys.stderr)
            print(log.read_text(errors="replace") if log.exists() else "", file=sys.stderr)
            return 1
        finally:
            await sim.stop()
    print(f"all in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
