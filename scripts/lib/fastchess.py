# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches between two UCI engines, played by fastchess."""
import os
import re
import shutil
import subprocess
from typing import NamedTuple

from .place import OPENINGS

WAIT_MS = 300000  # a busy machine may let an engine wait
# For players who are not held by the clock.
UNTIMED = ["-each", "tc=600+5", "-maxmoves", "250",
           *(word for kind in ("startup", "ucinewgame", "ping") for word in (f"-{kind}-ms", str(WAIT_MS)))]


class CannotPlay(Exception):
    """Something that the match needs is missing, or it failed."""


class Result(NamedTuple):
    """Of the first engine."""
    elo: float
    error: float  # for 95 %
    wins: int
    draws: int
    losses: int

    @property
    def games(self):
        return self.wins + self.draws + self.losses


def add_options(parser, games):
    """Those that every match has."""
    parser.add_argument("--games", type=int, default=games, help="two for each opening, colours swapped")
    parser.add_argument("--openings", default=OPENINGS, metavar="FILE", help="EPD or PGN")
    parser.add_argument("--threads", type=int, default=1, help="of each side")
    parser.add_argument("--hash", type=int, default=16, metavar="MIB", help="of each side")
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", metavar="FILE", help="where the games are kept")


def program(name):
    """The path of an installed engine; Debian installs games where root's PATH does not look."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    if not found:
        raise CannotPlay(f"no program {name}")
    return os.path.abspath(found)


def command(args, first, second, *more):
    """fastchess's words: `first` and `second` are lists like ["cmd=PATH", "name=NAME", "tc=1+0.01"]."""
    if not shutil.which("fastchess"):
        raise CannotPlay("fastchess is not on the PATH: github.com/Disservin/fastchess")
    if not os.path.isfile(args.openings):
        raise CannotPlay(f"no openings in {args.openings}")
    kind = os.path.splitext(args.openings)[1][1:]
    saved = ["-pgnout", f"file={args.pgn}"] if args.pgn else []
    return ["fastchess", "-config", "outname=/dev/null", "-engine", *first, "-engine", *second,
            "-each", f"option.Hash={args.hash}", f"option.Threads={args.threads}",
            "-openings", f"file={args.openings}", f"format={kind}", "order=random", "-srand", str(args.seed),
            "-rounds", str((args.games + 1) // 2), "-games", "2", "-repeat", "-recover",
            "-concurrency", str(args.concurrency), *saved, *more]


def run(words):
    """Plays, and lets its output through."""
    if subprocess.run(words, stdin=subprocess.DEVNULL, check=False).returncode:
        raise CannotPlay("fastchess failed")


def result(words):
    """Plays in silence."""
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    elo = re.findall(r"^Elo: (\S+) \+/- ([^,]+),", done.stdout, re.M)
    games = re.findall(r"^Games: \d+, Wins: (\d+), Losses: (\d+), Draws: (\d+)", done.stdout, re.M)
    if done.returncode or not elo or not games:
        raise CannotPlay(f"fastchess failed:\n{done.stdout}{done.stderr}")
    wins, losses, draws = map(int, games[-1])
    return Result(float(elo[-1][0]), float(elo[-1][1]), wins, draws, losses)
