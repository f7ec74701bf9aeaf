#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A UCI engine that takes the time of castled's own for a move, and next to no processor time.

    paced.py ENGINE [NODES]

ENGINE finds the moves, with so few nodes; of its best ones that which is nearest to half a pawn
ahead is played, so that games last. The answer is held back for as long as the time manager
(engine/search/timeman.c) plans for the clock that is told, sometimes less and sometimes more, as it
is in a search. So many games at once can be played on a small machine with clocks as on a large one.
"""
import random
import re
import subprocess
import sys
import time

HORIZON, HARD_OF_SOFT, HARD_SHARE = 22, 5, 0.7
LEAST_SCALE, MOST_SCALE = 0.3, 1.7  # of the soft limit: obvious moves and hard ones
AHEAD_CP = 50


def planned_s(words, colour, chance):
    told = dict(zip(words[1::2], words[2::2]))
    clock = int(told.get(f"{colour}time", 0))
    pool = clock + int(told.get(f"{colour}inc", 0)) * (HORIZON - 1)
    hard = min(pool / HORIZON * HARD_OF_SOFT, clock * HARD_SHARE)
    return min(pool / HORIZON * chance.uniform(LEAST_SCALE, MOST_SCALE), hard) / 1000


def level_move(lines):
    """What to answer, when the engine's answer has come."""
    found = {}  # by its rank: how far from level, and the move
    for line in lines:
        if line.startswith("bestmove"):
            break
        match = re.search(r" multipv (\d+) score (cp|mate) (-?\d+).* pv (\S+)", line)
        if match:
            far = 100000 if match[2] == "mate" else 0
            found[match[1]] = abs(int(match[3]) - AHEAD_CP) + far, match[4]
    return f"bestmove {min(found.values())[1]}" if found else line.rstrip()


def main():
    engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, bufsize=1)
    engine.stdin.write("setoption name MultiPV value 4\n")
    nodes = sys.argv[2] if len(sys.argv) > 2 else "1000"
    chance, colour = random.Random(), "w"

    def until(first):
        while True:
            line = engine.stdout.readline()
            if not line:
                sys.exit(1)
            print(line, end="", flush=True)
            if line.startswith(first):
                return

    for line in sys.stdin:
        words = line.split()
        if words and words[0] == "position":
            moves = words[words.index("moves") + 1:] if "moves" in words else []
            starts = words[3] if words[1] == "fen" else "w"
            colour = "wb"[(starts == "b") ^ len(moves) % 2]
        if words and words[0] == "go":
            due = time.monotonic() + planned_s(words, colour, chance)
            line = f"go nodes {nodes}\n"
        engine.stdin.write(line)
        if words and words[0] == "go":
            best = level_move(engine.stdout)
            time.sleep(max(0.0, due - time.monotonic()))
            print(best, flush=True)
        elif words and words[0] in ("uci", "isready"):
            until("uciok" if words[0] == "uci" else "readyok")
        elif words and words[0] == "quit":
            return


if __name__ == "__main__":
    main()
