#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The Debian package from installation to purge, in a clean root with a systemd; scripts/package-test calls it.

Its services run by their units as installed, sandbox and credential included, and play on the simulated
Lichess. Each step is printed with its seconds; the first one that fails ends the test with exit status 1.
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import pathlib
import re
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from package.bot import Bot, Waiting  # noqa: E402
from package.machine import Machine, version_of  # noqa: E402
from package.steps import Failure, check, step  # noqa: E402
from sim.opponent import Random  # noqa: E402
from sim.server import Simulator  # noqa: E402

# Else apt keeps libraries that came with castled, as newer systemds recommend or suggest them.
NEEDED_ONLY = [f"--option=APT::AutoRemove::{kind}Important=false" for kind in ("Recommends", "Suggests")]
STOP_S = 2.0      # what a SIGTERM may take
DYNAMIC_USERS = range(61184, 65520)  # systemd.exec(5)
# What of the sandbox the kernel tells of a process: the directive, and how it shows in its /proc/PID/.
SEEN_IN_STATUS = {"NoNewPrivileges": r"NoNewPrivs:\s+1", "SystemCallFilter": r"Seccomp:\s+2",
                  "CapabilityBoundingSet": r"CapBnd:\s+0+\n"}
SEEN_IN_MOUNTS = {"ProtectSystem": r" /\S* / ro,", "ProtectHome": r" /home ro,", "PrivateTmp": r" /tmp rw,",
                  "PrivateDevices": r" /dev ro,", "ProcSubset": r" /proc .*subset=pid",
                  "ProtectProc": r" /proc .*hidepid=(invisible|2)",
                  "ProtectControlGroups": r" /sys/fs/cgroup ro,",
                  "StateDirectory": r" /var/lib/private/castled rw,",
                  "LoadCredential": r" /run/credentials/castled.service ro,.* - (ramfs|tmpfs) "}
LIMITS = {"memory": "MemoryMax", "pids": "TasksMax"}  # the cgroup controller, and what it enforces
# The certificate of the simulated Lichess, and a book.
LAID_BESIDE = {"etc/castled", "etc/castled/ca.pem", "var/lib/castled-books", "var/lib/castled-books/book.bin"}
OWN_NAMESPACES = {"PrivateUsers": "user", "PrivateIPC": "ipc", "ProtectHostname": "uts"}


class Service(Bot):
    """A bot that a unit runs."""

    def __init__(self, sim: Simulator, machine: Machine, name: str, unit: str):
        super().__init__(sim, machine, name)
        self.unit = unit

    async def pid(self) -> int:
        """Of the process, as the host counts."""
        inside = (await self.machine.shown(self.unit, "MainPID"))["MainPID"]
        for path in pathlib.Path("/proc").glob("[0-9]*/status"):
            with contextlib.suppress(OSError):
                if re.search(rf"(?m)^NSpid:\s+(\d+\s+)+{inside}$", path.read_text()) and \
                        (path.parent / "comm").read_text() == "castled\n" and \
                        self.unit in (path.parent / "cgroup").read_text():
                    return int(path.parent.name)
        raise Failure(f"{self.unit} has no process {inside}")

    async def is_active(self) -> bool:
        return await self.machine.status("systemctl", "is-active", "--quiet", self.unit) == 0

    async def starts(self) -> int:
        """How often the service has started, as its log tells."""
        return (await self.machine.run("journalctl", "--unit", self.unit)).count(" info daemon start ")


class Lifecycle:
    def __init__(self, wanted: argparse.Namespace, directory: str):
        self.wanted = wanted
        self.sim = Simulator(directory)
        self.machine = Machine(wanted.root)
        self.version = {path: version_of(path) for path in (wanted.before, wanted.package)}

    async def run(self) -> None:
        with step("a Debian root is made"):
            # Certificates as well, as apt's autoremove would leave those behind.
            script = pathlib.Path(__file__).parents[2] / "scripts/debian-root"
            process = await asyncio.create_subprocess_exec(
                str(script), "--on", self.wanted.on, self.wanted.root, "--include=systemd,systemd-sysv,dbus,ca-certificates",
                "--skip=cleanup/apt/lists")
            check(await process.wait() == 0, "scripts/debian-root failed")
        with step("its systemd boots"):
            await self.machine.start()
            await self.sim.start()
            self.bot = Service(self.sim, self.machine, "castled", "castled.service")
            self.other = Service(self.sim, self.machine, "alba", "castled@alba.service")
            clean = self.machine.files()
        with step(f"castled {self.version[self.wanted.before]} is installed, and left off"):
            await self.machine.install(self.wanted.before)
            for unit in ("castled.service", "castled@alba.service"):
                state = await self.machine.shown(unit, "UnitFileState", "ActiveState")
                check(state == {"UnitFileState": "disabled", "ActiveState": "inactive"}, f"{unit}: {state}")
        with step("without a token it ends with castled's own words, and is not tried again"):
            await self.fail_without_a_token()
        with step("configured, checked, enabled and started; ready once it is online"):
            self.bot.configure()
            await self.machine.run("castled", "check")
            await self.enable(self.bot)
        with step("a second bot has files of its own by init and login, and the first one's are as they were"):
            folder = self.machine.root / "etc/castled"
            before = {path: path.read_bytes() for path in folder.iterdir()}
            await self.other.set_up()
            check(before.items() <= {path: path.read_bytes() for path in folder.iterdir()}.items(),
                  "the first bot's files changed")
            await self.enable(self.other)
        with step("it runs as the unit says"):
            await self.look_at_the_process()
        missing = [limit for controller, limit in LIMITS.items() if controller not in self.machine.controllers()]
        if missing:
            print(f"  (not in force, as this machine has no such controller: {', '.join(missing)})")
        with step("it plays a game to mate, which is in the archive"):
            await self.bot.wins(await self.bot.game("Alfons", Random()))
            await self.bot.has_archived("Alfons")
        with step("systemctl reload takes a right configuration and refuses a wrong one"):
            await self.reload()
        with step("SIGTERM ends it, with status 0"):
            await self.stop()
        await self.upgrade()
        with step("it starts while the server is away, and is online once that is back"):
            await self.start_without_the_server()
        await self.remove(clean)

    async def enable(self, bot: Service) -> None:
        await self.machine.run("systemctl", "enable", "--now", bot.unit)
        check(bot.account.is_online, f"{bot.unit} is active and not online")

    async def fail_without_a_token(self) -> None:
        """With a configuration, as init writes it."""
        await self.machine.run("castled", "init")
        check(await self.machine.status("systemctl", "start", "castled") != 0, "it starts without a token")
        for _ in range(2):
            end = await self.machine.shown("castled.service", "ActiveState", "SubState", "ExecMainStatus", "NRestarts")
            check(end == {"ActiveState": "failed", "SubState": "failed", "ExecMainStatus": "77", "NRestarts": "0"},
                  f"without a token it is {end}")
            await asyncio.sleep(3)  # RestartSec is 5
        log = await self.machine.run("journalctl", "--unit", "castled.service")
        check("/etc/castled/token" in log and "castled login" in log, f"its journal is\n{log}")
        await self.machine.run("systemctl", "reset-failed", "castled.service")

    async def look_at_the_process(self) -> None:
        process = pathlib.Path("/proc", str(await self.bot.pid()))
        status = (process / "status").read_text()
        user = int(re.search(r"(?m)^Uid:\s+(\d+)", status)[1])
        check(user in DYNAMIC_USERS, f"it runs as user {user}, which is not dynamic")
        mounts = (process / "mountinfo").read_text()
        for found, text in ((SEEN_IN_STATUS, status), (SEEN_IN_MOUNTS, mounts)):
            for directive, pattern in found.items():
                check(re.search(pattern, text) is not None, f"{directive} does not hold: no /{pattern}/ in\n{text}")
        for directive, name in OWN_NAMESPACES.items():
            ours = os.readlink(f"/proc/{self.machine.pid}/ns/{name}")
            check(os.readlink(process / "ns" / name) != ours, f"{directive} does not hold: {ours}")
        nice = (process / "stat").read_text().rpartition(")")[2].split()[16]
        check(nice == "-10", f"Nice does not hold: it is {nice}")
        limits = (process / "limits").read_text()
        check(re.search(r"Max core file size +0 +0 ", limits) is not None, f"LimitCORE does not hold\n{limits}")
        environment = (process / "environ").read_bytes().decode().split("\0")
        wanted = {"STATE_DIRECTORY=/var/lib/castled", "RUNTIME_DIRECTORY=/run/castled",
                  "CREDENTIALS_DIRECTORY=/run/credentials/castled.service"}
        check(wanted <= set(environment), f"its environment is {environment}")
        check(self.bot.token not in " ".join(environment), "the token is in its environment")
        check("online" in await self.machine.run("castled", "status"), "castled status does not say online")
        log = await self.machine.run("journalctl", "--unit", self.bot.unit)
        check("stream open" in log and self.bot.token not in log, f"its journal is\n{log}")
        check("not support" not in log and "gnoring" not in log, f"systemd misses something for it\n{log}")

    async def reload(self) -> None:
        for bot in (self.bot, self.other):
            file = self.machine.root / f"etc/castled/{bot.name}.conf"
            right = file.read_text()
            file.write_text(right.replace("nodes = 2000", "nodes = 2001"))
            await self.machine.run("systemctl", "reload", bot.unit)
            log = await self.machine.run("journalctl", "--unit", bot.unit)
            check(" reloaded file=" in log, f"{bot.unit} has reloaded nothing:\n{log}")
            file.write_text(right.replace("nodes = 2000", "nods = 2000"))
            check(await self.machine.status("systemctl", "reload", bot.unit) != 0, "a wrong configuration was taken")
            file.write_text(right)
            await self.machine.run("systemctl", "reload", bot.unit)
            check(await bot.is_active(), f"{bot.unit} has ended")

    async def stop(self) -> None:
        began = time.monotonic()
        await self.machine.run("systemctl", "stop", self.bot.unit)
        took = time.monotonic() - began
        end = await self.machine.shown(self.bot.unit, "Result", "ExecMainCode", "ExecMainStatus", "ActiveState")
        check(end == {"Result": "success", "ExecMainCode": "1", "ExecMainStatus": "0", "ActiveState": "inactive"},
              f"it ended with {end}")
        check(took < STOP_S, f"it took {took:.1f} s to stop")
        await self.sim.until(lambda: not self.bot.account.is_online, 5, "it is offline")
        await self.machine.run("systemctl", "start", self.bot.unit)

    async def start_without_the_server(self) -> None:
        await self.machine.run("systemctl", "stop", self.bot.unit)
        await self.sim.down()
        await asyncio.wait_for(self.machine.run("systemctl", "start", self.bot.unit), 60)
        check(await self.bot.is_active() and not self.bot.account.is_online, "it is not active, or online")
        await self.sim.start()
        await self.sim.until(lambda: self.bot.account.is_online, 60, "it is online")

    async def upgrade(self) -> None:
        version = self.version[self.wanted.package]
        with step(f"castled {version} replaces it in mid-game: both services restart, the games go on"):
            folder = self.machine.root / "etc/castled"
            kept = {path: path.read_bytes() for path in folder.iterdir()}
            player = Waiting()
            bots = {self.bot: "Berta", self.other: "Cilli"}
            games = [await bot.game(name, player) for bot, name in bots.items()]
            for game in games:
                await game.plies(2 * Waiting.MOVES, 30)
            starts = [await bot.starts() for bot in bots]
            await self.machine.install(self.wanted.package)
            self.machine.check_content()
            check({path: path.read_bytes() for path in folder.iterdir()} == kept, "the operator's files changed")
            player.may_go_on.set()
            for bot, count, game in zip(bots, starts, games):
                await bot.wins(game)
                check(await bot.starts() == count + 1, f"{bot.unit} started {await bot.starts() - count} times")
            for opponent in ("Alfons", "Berta"):
                await self.bot.has_archived(opponent)
            check(self.sim.failures == [], "; ".join(self.sim.failures))

    async def remove(self, clean: set[str]) -> None:
        root = self.machine.root
        with step("removed: both services end, configuration and archives stay"):
            await self.machine.run("apt-get", "remove", "--yes", "castled")
            for bot in (self.bot, self.other):
                check(not await bot.is_active(), f"{bot.unit} still runs")
                await self.sim.until(lambda: not bot.account.is_online, 5, f"{bot.name} is offline")
            for path in ("etc/castled/castled.conf", "etc/castled/token", "etc/castled/alba.conf",
                         "var/lib/private/castled/games.sqlite", "var/lib/private/castled-alba/games.sqlite"):
                check((root / path).exists(), f"/{path} is gone")
            check(not (root / "usr/bin/castled").exists(), "/usr/bin/castled is still there")
        with step("purged: nothing is left but what the operator laid beside it"):
            (root / "var/lib/castled-books").mkdir()
            (root / "var/lib/castled-books/book.bin").touch()
            await self.machine.run("apt-get", "purge", "--yes", "castled")
            await self.machine.run("apt-get", "autoremove", "--purge", "--yes", *NEEDED_ONLY)
            left = self.machine.files() - clean
            for place in ("/etc", "/usr", "/var", "/run"):
                left |= set((await self.machine.run("find", place, "-name", "*castled*")).split())
            check({path.lstrip("/") for path in left} == LAID_BESIDE,
                  "left behind: " + " ".join(sorted(left)[:20]))
            for bot in (self.bot, self.other):
                check(await self.machine.status("systemctl", "cat", bot.unit) != 0, f"{bot.unit} is still known")

    async def close(self) -> None:
        await self.machine.stop()
        await self.sim.stop()


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Installs, runs, upgrades and purges the package.")
    parser.add_argument("--before", required=True, help="the package of the version before")
    parser.add_argument("--package", required=True, help="the package")
    parser.add_argument("--on", required=True, help="the release of Debian, by its code name")
    parser.add_argument("--root", required=True, help="a folder for the root; it must not exist")
    return parser.parse_args()


async def main() -> int:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="castled-package-") as directory:
        lifecycle = Lifecycle(arguments(), directory)
        try:
            await lifecycle.run()
        except (Failure, AssertionError, asyncio.TimeoutError) as failure:
            print(f"\nscripts/package-test: {failure or 'timed out'}", file=sys.stderr)
            if lifecycle.machine.pid:
                print((await lifecycle.machine.run("journalctl", "--lines=40", "--unit=castled*")), file=sys.stderr)
            return 1
        finally:
            await lifecycle.close()
    print(f"all in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
