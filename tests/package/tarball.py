#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The tarball in roots that know nothing of castled; scripts/tarball-test calls it.

An empty root has /proc, /dev and one file of certificates. In each root a user without rights unpacks or installs
castled and plays two games over TLS to mate on the simulated Lichess: one by its own engine, one by an external one.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import pathlib
import shutil
import sys
import tarfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from package.bot import Bot  # noqa: E402
from package.machine import Root  # noqa: E402
from package.steps import check, main_of, step  # noqa: E402
from sim.server import Simulator  # noqa: E402

USER = 10001
HOME = "/home/player"
VARIABLES = [f"HOME={HOME}"]
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
EX_CONFIG = 78


class UserRoot(Root):
    """A root in which castled is a user's own."""

    def __init__(self, root: str, sim: Simulator):
        super().__init__(root, user=USER)
        self.home = self.root / HOME[1:]
        self.sim = sim
        self.programs = ""

    def lay_certificates(self) -> None:
        """The system's only ones, so that no ca_file is needed."""
        place = self.root / CERTIFICATES
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        shutil.copy(self.sim.ca_file, place)
        place.chmod(0o644)

    async def unpack(self, tarball: str) -> None:
        """By install.sh where there is a shell; else it runs from where it lies."""
        self.home.mkdir(parents=True)
        with tarfile.open(tarball) as archive:
            name = archive.getnames()[0]
            archive.extractall(self.home)
        self.own()
        self.programs = f"{HOME}/{name}/bin"
        if (self.root / "bin/sh").exists():
            await self.run(f"{HOME}/{name}/install.sh", variables=VARIABLES)
            self.programs = f"{HOME}/.local/bin"
            check((self.home / ".local/share/man/man1/castled.1").exists(), "no manual page is installed")
            unit = self.home / ".config/systemd/user/castled.service"
            check(f"ExecStart={self.programs}/castled run" in unit.read_text(), "the unit does not name the program")

    def own(self) -> None:
        """What lies in the home folder is the user's."""
        for folder, _, names in os.walk(self.home):
            for path in (folder, *(os.path.join(folder, name) for name in names)):
                os.chown(path, USER, USER)

    async def remove(self, tarball: str) -> None:
        """What install.sh --remove leaves of .local is the archive."""
        if (self.root / "bin/sh").exists():
            with tarfile.open(tarball) as archive:
                name = archive.getnames()[0]
            await self.run(f"{HOME}/{name}/install.sh", "--remove", variables=VARIABLES)
            left = [path for path in (self.home / ".local").rglob("*") if path.is_file() and "state" not in path.parts]
            check(left == [], f"left behind: {left}")


async def says_what_it_lacks(root: UserRoot) -> None:
    """Certificates that nobody has, and what the tarball leaves out."""
    castled, token = f"{root.programs}/castled", [*VARIABLES, "CASTLED_TOKEN=lip_none"]
    said = await root.run(castled, "--version", variables=VARIABLES)
    check("static=ON" in said and "without  PostgreSQL" in said, said)
    if not (root.root / CERTIFICATES).exists():
        _, said = await root.tried(castled, "check", variables=token)
        check("certificates   found nowhere" in said and f"/{CERTIFICATES}" in said, said)
    status, said = await root.tried(castled, "check", "--show", variables=[
        *token, "CASTLED_ARCHIVE_DATABASE=postgresql://a/b"])
    check(status == EX_CONFIG and "built without PostgreSQL" in said, f"{status}: {said}")


async def play_in(root: UserRoot, what: str, wanted: argparse.Namespace, log: pathlib.Path) -> None:
    with step(f"{what}: a user without rights has castled, which says what it lacks"):
        await root.unpack(wanted.tarball)
        await says_what_it_lacks(root)
        root.lay_certificates()
    bot = Bot(root.sim, root, f"bot_{what}")
    castled, variables = f"{root.programs}/castled", [*VARIABLES, f"CASTLED_TOKEN={bot.token}"]
    external = {"engine.external uci": {"command": f"{root.programs}/castled-uci", "nodes": 2000}}
    players = [("its own engine", {})]
    if not wanted.own_engine_only:
        players.append(("an external engine", external))
    for who, sections in players:
        with step(f"{what}: {who} plays to mate"):
            bot.configure_for(HOME, sections)
            root.own()
            await root.run(castled, "check", variables=variables)
            await bot.plays(castled, "run", opponent=f"Op{len(sections)}-{what}", log=log, variables=variables,
                            timeout_s=600)
            check(f" source={'uci' if sections else 'engine'}" in log.read_text(), "another engine played")
    await root.remove(wanted.tarball)


async def run(wanted: argparse.Namespace, directory: str, sim: Simulator, log: pathlib.Path) -> None:
    await sim.start()
    empty = os.path.join(directory, "empty")
    for place in (empty, *wanted.root):
        os.makedirs(place, exist_ok=True)
        await play_in(UserRoot(place, sim), os.path.basename(place), wanted, log)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays with the tarball's castled.")
    parser.add_argument("--tarball", required=True, help="the file; the kernel must run its programs")
    parser.add_argument("--own-engine-only", action="store_true", help="where no external one can be watched")
    parser.add_argument("root", nargs="*", help="more roots to play in; each is changed")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main_of("tests/package/tarball.py", lambda *given: run(arguments(), *given)))
