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
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from package.bot import Bot  # noqa: E402
from package.machine import Root, version_of  # noqa: E402
from package.steps import check, main_of, step  # noqa: E402
from sim.server import Simulator  # noqa: E402

PLACES = {"STATE_DIRECTORY": "/var/lib/castled", "RUNTIME_DIRECTORY": "/run/castled"}


async def host(*words: str) -> str:
    """Runs a command outside the root; what it wrote."""
    process = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    check(process.returncode == 0, f"{' '.join(words)} failed")
    return output.decode()


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
        for place in PLACES.values():
            (root.root / place[1:]).mkdir(parents=True)
        await bot.plays("castled", "run", "--config", "/etc/castled/castled.conf", opponent="Alfons", log=log,
                        variables=[f"{name}={place}" for name, place in PLACES.items()], timeout_s=600)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Unpacks the package and plays with it.")
    parser.add_argument("--package", required=True, help="the package; the kernel must run its programs")
    parser.add_argument("--root", required=True, help="a folder for the root; it must not exist")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main_of("tests/package/emulated.py", lambda _, *given: run(arguments(), *given)))
