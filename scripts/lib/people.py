# SPDX-License-Identifier: GPL-3.0-or-later
"""People's games, and networks that know people's moves."""
import lzma
import subprocess
import sys
from typing import NamedTuple


class Game(NamedTuple):
    ratings: tuple  # White's, Black's
    moves: list     # in UCI
    clocks: list    # seconds left after each move, as text; None: not known


def read_games(paths):
    """A line of a file (plain or .xz), tab-separated: White's rating, Black's, time control, result, moves in UCI,
    and perhaps the seconds left after each move."""
    for path in paths:
        with (lzma.open(path, "rt") if path.endswith(".xz") else open(path, encoding="ascii")) as lines:
            for line in lines:
                white, black, _, _, moves, *clocks = line.rstrip("\n").split("\t")
                yield Game((int(white), int(black)), moves.split(), clocks[0].split() if clocks else None)


class Policy:
    """Asks a policy network by castled-uci."""

    def __init__(self, program, *net):
        self._process = subprocess.Popen([program, "policy", *net], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def likely(self, moves):
        """The probability of each legal move after these, the likeliest first."""
        self._process.stdin.write(f"startpos{' moves ' if moves else ''}{' '.join(moves)}\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line or line.startswith("error"):
            sys.exit(f"the network was refused, or a game is none: {line.strip()}")
        return {move: float(share) for move, share in (word.split(":") for word in line.split("\t")[1].split())}

    def close(self):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
