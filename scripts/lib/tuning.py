# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play by `duel` with other parameters of the search on each side, turn by turn: what `tune` and `ablate`
share. A build with -DCASTLED_TUNE=ON reads the parameters; games have a fixed number of nodes a move, so that a
busy machine plays the same ones."""
import json
import math
import os
import random
import re
import subprocess
import sys
import threading

from .place import TOP, UNBALANCED


class DuelFailed(Exception):
    """The program said so, or printed no result."""


def add_options(parser, nodes=40000):
    """Those that a run of turns has."""
    parser.add_argument("--duel", help="the program, instead of building it")
    parser.add_argument("--nodes", type=int, default=nodes, help="for each move; with --clock, for each millisecond")
    parser.add_argument("--clock", metavar="MS+MS", help="play by clocks that run by nodes")
    parser.add_argument("--openings", default=UNBALANCED, metavar="EPD", help="of chess; a variant's are random moves")
    parser.add_argument("--variant", default="chess", help="as UCI_Variant names it")
    parser.add_argument("--jobs", type=int, default=1, help="turns at once")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this many")
    parser.add_argument("--show", action="store_true", help="print the state and stop")


def build(*programs):
    """The folder of a build for tuning that has these programs."""
    folder = str(TOP / "build-tune")
    for command in (["cmake", "-S", str(TOP), "-B", folder, "-DCASTLED_TUNE=ON"],
                    ["cmake", "--build", folder, "--target", *programs]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{sys.argv[0]}: the build failed:\n{done.stdout}{done.stderr}")
    return folder


def elo(lead):
    """Of a mean lead in points a game, -1 to 1."""
    score = min(max((1 + lead) / 2, 1e-3), 1 - 1e-3)
    return 400 * math.log10(score / (1 - score))


def play(program, args, pairs, first, second):
    """Plays pairs of games, NAME=VALUE words for each side; the first side's lead in points a game, and the games."""
    begin = ["--openings", args.openings] if args.variant == "chess" else ["--variant", args.variant]
    if args.clock:
        begin += ["--clock", args.clock]
    done = subprocess.run(
        [program, "--nodes", str(args.nodes), "--pairs", str(pairs), "--seed", str(random.randrange(1 << 30)),
         *begin, *first, "--", *second], capture_output=True, text=True, check=False)
    score = re.match(r"\+(\d+) =(\d+) -(\d+)", done.stdout)
    if not score:
        raise DuelFailed(done.stderr.strip() or "no result from duel")
    wins, draws, losses = map(int, score.groups())
    return (wins - losses) / (wins + draws + losses), wins + draws + losses


def read_state(path):
    """None: there is none yet."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_state(path, state):
    """Whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file)
    os.replace(path + ".new", path)


class Turns:
    """Turns that threads play until there is none left, one fails, or the time is over. A subclass has take(), the
    next turn or None, play(turn), its result, and learn(turn, result); the first and the last under the lock."""

    def __init__(self, jobs):
        self.failed = ""
        self._jobs = jobs
        self._lock = threading.Lock()

    def _work(self):
        while True:
            with self._lock:
                turn = None if self.failed else self.take()
            if turn is None:
                return
            try:
                result = self.play(turn)
            except DuelFailed as failed:
                self.failed = str(failed)
                return
            with self._lock:
                self.learn(turn, result)

    def run(self):
        threads = [threading.Thread(target=self._work) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self.failed:
            sys.exit(f"{sys.argv[0]}: {self.failed}")
