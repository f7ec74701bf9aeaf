# SPDX-License-Identifier: GPL-3.0-or-later
"""Public engines of different make, each through twenty games, replacements, transcripts and replay.

    scripts/engines-test [--games 20] [--at-once 3] [--replacements 2] [--times 2] [--keep FOLDER]
                         [ENGINE…]

An engine's program is replaced while its games run, each time by the same program with other bytes at
its end: a version of its own by its hash. No game may be lost to a fault; one that is lost on the board
is no fault. Then each game's transcript must be whole, and `castled replay` must get through it. In half
of the games the engine searches to a depth (Ethereal, Toga and GNU Chess take no number of nodes beside a
clock): there an engine that answers alike each time must find each move again, in each replay. By the
clock a busy machine has it find others, which are counted. So are moves that castled's own engine found
because this one was late, or had not come up yet: a busy machine's as well.
"""
from __future__ import annotations

import argparse
import asyncio
import collections
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from typing import Optional

from sim.board import other
from sim.game import Game
from sim.judge import engine_path
from sim.opponent import Engine, Random

from .harness import EX_OK, SLOWNESS, Stage

# Debian's packages of the same names, and what makes each speak UCI.
ENGINES = {"stockfish": "", "fairy-stockfish": "", "ethereal-chess": "", "toga2": "", "gnuchess": "--uci"}
CLOCK_S = 30               # the fastest that Lichess lets bots play
DEPTH, DEPTH_CLOCK_S = 7, 900  # of a search, with a clock so long that it plays no part
OPPONENT_NODES = 3000      # of Stockfish: the games are long, and cost little
OPENING_PLIES = 6          # in which the opponent makes any move, so that no two games are the same
# The others' moves depend on more than what they are told: Ethereal's hash counts searches beyond
# "ucinewgame", Toga's moves on where its memory lies (none differs under setarch -R).
ALIKE = ("stockfish", "fairy-stockfish")
# GNU Chess aborts whoever talks to it: what it writes at once is at times more than its buffer holds
# (engine.cc: nread < BUF_SIZE-1).
OWN_FAULTS = {"gnuchess": "killed by SIGABRT"}
FAULTS = ("aborted", "noStart", "outoftime", "timeout", "cheat")


@dataclass
class Tally:
    results: collections.Counter = field(default_factory=collections.Counter)
    moves: int = 0             # that the engine found
    replaced: int = 0
    replayed: collections.Counter = field(default_factory=collections.Counter)  # searches, by kind of game,
    others: collections.Counter = field(default_factory=collections.Counter)    # and with another move then
    logs: int = 0              # whole transcripts
    log_bytes: int = 0
    versions: int = 0          # in `castled stats --by engine`
    taken_over: int = 0        # moves by castled's own engine, where this one was late for the clock
    own_faults: int = 0        # of the engine, that are known
    faults: list[str] = field(default_factory=list)


HEAD = ("engine", "won-drawn-lost", "moves", "taken over", "replaced", "faults", "its own", "transcripts", "versions",
        "found again, by depth", "by clock")


class Opponent(Random):
    """Stockfish, after some moves of any kind."""

    def __init__(self, seed: int):
        super().__init__(seed)
        self._engine = Engine(nodes=OPPONENT_NODES)

    async def choose(self, game: Game) -> Optional[str]:
        return await (super() if len(game.moves) < OPENING_PLIES else self._engine).choose(game)

    async def close(self) -> None:
        await self._engine.close()


def kind_of(number: int) -> str:
    """Of the game; in each kind we have both colours."""
    return ("depth", "clock")[number // 2 % 2]


def name_of(number: int) -> str:
    """The opponent's."""
    return kind_of(number) + str(number)


class Trial(Stage):
    """One engine's."""

    def prepare(self, engine: str, wanted: argparse.Namespace) -> None:
        self.engine, self.wanted, self.tally = engine, wanted, Tally()
        self.began, self.games = 0, {}  # and of which kind they are
        self.slots = asyncio.Semaphore(wanted.at_once)
        os.chmod(self.directory, 0o755)  # root's replay runs the engine as nobody
        self.program = os.path.join(self.directory, "engines", engine)
        os.mkdir(os.path.dirname(self.program))
        self.put_version(0)
        self.sections = {
            "games": {"concurrency": wanted.at_once}, "engine": {"nodes": 0},
            "rule depth": {"when.opponent": ", ".join(name_of(number) for number in range(wanted.games)
                                                      if kind_of(number) == "depth"), "engine.depth": DEPTH},
            f"engine.external {engine}": {"command": f"{self.program} {ENGINES.get(engine, '')}".strip()}}

    def put_version(self, number: int) -> None:
        """Whole, or not at all."""
        shutil.copy(engine_path(self.engine), self.program + ".tmp")
        with open(self.program + ".tmp", "ab") as file:
            file.write(f"version {number}".encode())
        os.rename(self.program + ".tmp", self.program)

    async def play(self) -> None:
        await self.start(**self.sections)
        await self.log_says(f"ready engine={self.engine} ", 30)
        await asyncio.gather(self._replace(), *map(self._play_one, range(self.wanted.games)))
        await self.stop_daemon()

    async def _replace(self) -> None:
        """Each time while games run, and with games to come."""
        for number in range(1, self.wanted.replacements + 1):
            due = (self.wanted.games - self.wanted.at_once) * number // (self.wanted.replacements + 1)
            await self.sim.until(lambda: self.began > due, 7200, "the next replacement")
            self.put_version(number)
            await self.sim.until(lambda: self._count(" new-version ") == number, 60 * SLOWNESS,
                                 "the new version")
        self.tally.replaced = self._count(" new-version ")

    def _count(self, event: str) -> int:
        return len(re.findall(rf"{event}.*engine={self.engine} ", self.daemon.log()))

    async def _play_one(self, number: int) -> None:
        async with self.slots:
            game = await self.game(Opponent(number), name=name_of(number),
                                   limit=DEPTH_CLOCK_S if kind_of(number) == "depth" else CLOCK_S,
                                   colour=("white", "black")[number % 2])
            self.began += 1
            self.games[game] = kind_of(number)
            await self.over(game, 600)

    def blame(self, words: str) -> None:
        if OWN_FAULTS.get(self.engine, "\0") in words:
            self.tally.own_faults += 1
        else:
            self.tally.faults.append(words)

    def judge(self, game: Game) -> None:
        ours = game.colour_of(self.bot)
        self.tally.results["drawn" if game.winner is None else "won" if game.winner == ours else "lost"] += 1
        if game.status in FAULTS and game.winner != ours or \
                game.status == "resign" and game.winner == other(ours):
            self.tally.faults.append(f"{game.id}: {game.status} after {len(game.moves)} plies")
        sources = re.findall(rf" move id={game.id} .*source=(\S+)", self.daemon.log())
        self.tally.moves += sources.count(self.engine)
        self.tally.taken_over += len(sources) - sources.count(self.engine)

    async def look_back(self) -> None:
        """At all that is kept, without a daemon."""
        for words in re.findall(r".* (?:strike|given-up|refused|fallback|lost-on-time) .*", self.daemon.log()):
            self.blame(words)
        self.config = self.write_config(**self.sections)
        for game in self.games:
            self.judge(game)
            await self._read_transcript(game)
        await asyncio.gather(*map(self._replay, self.games))
        _, output = await self.command("stats", "--config", self.config, "--by", "engine")
        self.tally.versions = len(set(re.findall(rf"{self.engine}: .*\(([0-9a-f]+)\)", output)))
        if self.tally.versions != self.wanted.replacements + 1:
            self.tally.faults.append(f"stats --by engine has {self.tally.versions} versions:\n{output}")

    async def _read_transcript(self, game: Game) -> None:
        """Whole: from its head to its end, with each of the engine's moves."""
        status, output = await self.command("engine-log", "--config", self.config, game.id)
        found = re.findall(rf" move id={game.id} .*source={self.engine}\b", self.daemon.log())
        said = re.findall(r"(?m)^ *[0-9.]+ < bestmove (\S+)", output)
        is_whole = status == EX_OK and re.match(rf" *[0-9.]+ # game {game.id}\n", output) is not None \
            and output.endswith("# end\n") and "# fault" not in output and len(said) >= len(found)
        self.tally.logs += is_whole
        self.tally.log_bytes += len(output)
        if not is_whole:
            self.tally.faults.append(f"{game.id}: its transcript is not whole\n{output[:300]}…{output[-300:]}")

    async def _replay(self, game: Game) -> None:
        async with self.slots:
            status, output = await self.command("replay", "--config", self.config, game.id, "--times",
                                                str(self.wanted.times),
                                                timeout=300 * self.wanted.times)
        runs = re.findall(r"(?m)^\d+: no fault: (\d+) searches answered(?:; (\d+) of)?", output)
        self.tally.replayed[self.games[game]] += sum(int(searches) for searches, _ in runs)
        self.tally.others[self.games[game]] += sum(int(others or 0) for _, others in runs)
        if status != EX_OK or len(runs) != self.wanted.times:
            self.blame(f"{game.id}: replay exits {status}\n{output}")
        if self.engine in ALIKE and self.games[game] == "depth" and any(others for _, others in runs):
            self.tally.faults.append(f"{game.id}: moves by depth were not found again\n{output}")
        if self.wanted.verbose:
            print(f"{self.engine} {game.id} by {self.games[game]}:\n{output}", flush=True)

    def row(self) -> tuple[str, ...]:
        t = self.tally
        return (self.engine, f"{t.results['won']}-{t.results['drawn']}-{t.results['lost']}", str(t.moves),
                str(t.taken_over), str(t.replaced), str(len(t.faults)),
                str(t.own_faults),
                f"{t.logs} of {len(self.games)}, {t.log_bytes // max(1, 1024 * len(self.games))} KB",
                str(t.versions),
                *(f"{t.replayed[kind] - t.others[kind]} of {t.replayed[kind]}" for kind in ("depth", "clock")))


async def try_engine(engine: str, wanted: argparse.Namespace) -> Trial:
    stage = Trial()
    with tempfile.TemporaryDirectory(prefix="castled-engines-") as stage.directory:
        await stage.open()
        try:
            stage.prepare(engine, wanted)
            await stage.play()
            await stage.look_back()
        except Exception as error:  # told with all else that went wrong
            stage.tally.faults.append(repr(error))
            print(stage.what_happened())
        finally:
            await stage.close()
            if wanted.keep:
                shutil.copytree(stage.directory, os.path.join(wanted.keep, engine), dirs_exist_ok=True,
                                ignore=shutil.ignore_patterns("engines", "*.sock"))
    return stage


async def run(wanted: argparse.Namespace) -> bool:
    print("| " + " | ".join(HEAD) + " |\n" + "|---" * len(HEAD) + "|", flush=True)
    is_fine = True
    for engine in wanted.engines:
        stage = await try_engine(engine, wanted)
        print("\n".join(["| " + " | ".join(stage.row()) + " |", *stage.tally.faults]), flush=True)
        is_fine = is_fine and not stage.tally.faults
    print("no fault" if is_fine else "FAILED")
    return is_fine


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/engines-test")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("--replacements", type=int, default=2)
    parser.add_argument("--times", type=int, default=2, help="that each game is replayed")
    parser.add_argument("--verbose", action="store_true", help="print what each replay says")
    parser.add_argument("--keep", metavar="FOLDER", help="keep logs, archive and transcripts there")
    parser.add_argument("engines", nargs="*", metavar="ENGINE", default=list(ENGINES))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(run(arguments())) else 1)
