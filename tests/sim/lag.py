#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Does castled lose games of 1+0 on time over a slow line, and does it use its clock there?

Each game has a line of its own: a round trip of 20 to 800 ms, steady, or with every message late by
another time, or with one message that takes 2 s more. The opponent, Stockfish told to keep the game
in balance, answers at once and resigns when less than 3 % of castled's clock is left. So a game runs
down, or ends before that on the board, or by castled's flag; games are played until so many have
run down. What castled keeps back for lag is read in its log and compared with the lag that the
moves had. A game during which the simulator itself got no time for a quarter of a second does not
count, however it ended: all takes a fraction of one core, but at the right time. Exits 1 after a
flag. scripts/lag-proof calls this.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from typing import Optional

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, TESTS)

from sim import board  # noqa: E402
from sim.accounts import Account  # noqa: E402
from sim.daemon import Daemon, write_config  # noqa: E402
from sim.game import Game  # noqa: E402
from sim.judge import Uci  # noqa: E402
from sim.opponent import Idle  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_lag"
PACED = os.path.join(TESTS, "engines", "paced.py")
CLOCK_S = 60
RUN_DOWN_S = 0.03 * CLOCK_S
TRIPS_MS = (20, 50, 100, 200, 400, 800)
SPIKE_S = 2.0
SPIKE_PLIES = (10, 50)  # when it may come
LEVEL_NODES = 1000
LEVEL_CP = 50           # behind: then nobody repeats positions
LEVEL_WITHIN_CP = 20
REFEREES = 2            # processes that choose the opponents' moves
STALL_S, TICK_S = 0.25, 0.05
# As bot/game/gameclock.h says: how long a game is taken to last.
GAME_MOVES, MOVES_LEFT = 70, 40


class Line:
    """A game's way there and back. `kind`: steady, jitter (half to one and a half of it), spike, or
    any (each message by itself anything from the first to the last of TRIPS_MS)."""

    def __init__(self, kind: str, trip_ms: int, chance: random.Random):
        self.kind, self.trip_ms = kind, trip_ms
        self.game: Optional[Game] = None
        self._chance = chance
        self._spike_ply = chance.randint(*SPIKE_PLIES) if kind == "spike" else None

    def delay_s(self) -> float:
        one_way = self.trip_ms / 2000
        if self.kind == "jitter":
            return one_way * self._chance.uniform(0.5, 1.5)
        if self.kind == "any":
            return self._chance.uniform(TRIPS_MS[0], TRIPS_MS[-1]) / 2000
        if self._spike_ply is not None and self.game and len(self.game.moves) >= self._spike_ply:
            self._spike_ply = None
            return one_way + SPIKE_S
        return one_way


LINES = [(kind, trip) for trip in TRIPS_MS for kind in ("steady", "jitter", "spike")] + [
    ("any", (TRIPS_MS[0] + TRIPS_MS[-1]) // 2)]


class Level(Idle):
    """Keeps the game level, by those of Stockfish's best moves that do, and ends it in time."""

    def __init__(self, engine: Uci, chance: random.Random):
        self._engine, self._chance = engine, chance

    async def choose(self, game: Game) -> Optional[str]:
        if game.clock_runs and game.left_s(board.other(game.turn)) < RUN_DOWN_S:
            game.resign(game.turn)
            return None
        lines = await self._engine.ask(f"position fen {game.position.fen}\ngo nodes {LEVEL_NODES}",
                                       "bestmove")
        found: dict[str, tuple[int, str]] = {}  # by its rank: how far from level, and the move
        for line in lines:
            match = re.search(r" multipv (\d+) score (cp|mate) (-?\d+).* pv (\S+)", line)
            if match:
                distance = abs(int(match[3]) + LEVEL_CP) + (100000 if match[2] == "mate" else 0)
                found[match[1]] = distance, match[4]
        nearest = min(found.values(), default=(0, lines[-1].split()[1]))
        return self._chance.choice([move for distance, move in found.values() or [nearest]
                                    if distance <= nearest[0] + LEVEL_WITHIN_CP])


@dataclass
class Tally:
    """Of all games over one kind of line. Shares are of the clock."""
    ends: dict[str, int] = field(default_factory=lambda: {"run down": 0, "board": 0, "flag": 0})
    moves: list[int] = field(default_factory=list)      # of castled; this and the next: run down
    lag: list[float] = field(default_factory=list)      # share that the moves' ways took
    left: list[float] = field(default_factory=list)     # share at the end
    needless: list[float] = field(default_factory=list)  # share kept back beyond the true lag


class Log:
    """What castled says of its clock, by game: its plans, and the lag that its moves had."""

    def __init__(self, text: str):
        self.plans: dict[str, list[tuple[int, ...]]] = {}
        self.lags: dict[str, list[int]] = {}
        for match in re.finditer(r"search id=(\w+) ply=(\d+) clock_ms=(\d+) budget_ms=(\d+)",
                                 text):
            self.plans.setdefault(match[1], []).append(tuple(map(int, match.groups()[1:])))
        for match in re.finditer(r"confirmed id=(\w+) .*lag_ms=(\d+)", text):
            self.lags.setdefault(match[1], []).append(int(match[2]))

    def lag_share(self, game_id: str) -> float:
        return sum(self.lags.get(game_id, [])) / (CLOCK_S * 1000)

    def needless_share(self, game_id: str) -> float:
        """What was kept back beyond the mean lag of the game's moves, for as many moves as castled
        keeps it back for; in the mean over its plans."""
        lag_ms = statistics.mean(self.lags[game_id])
        needless = [max(0.0, clock - thinking - lag_ms * max(MOVES_LEFT, GAME_MOVES - ply // 2))
                    for ply, clock, thinking in self.plans[game_id]]
        return statistics.mean(needless) / (CLOCK_S * 1000)


class Proof:
    def __init__(self, sim: Simulator, bot: Account, wanted: argparse.Namespace):
        self._sim, self._bot, self._wanted = sim, bot, wanted
        self._referees = [Uci({"UCI_Chess960": "true", "Hash": 1, "Threads": 1, "MultiPV": 4})
                          for _ in range(REFEREES)]
        self._begun = 0
        self.run_down = self.disturbed = 0
        self.stalled_at = 0.0  # monotonic, when we last got no time
        self.played: list[tuple[Line, Game]] = []

    def end(self, game: Game) -> str:
        if game.status == "outoftime" and game.winner != game.colour_of(self._bot):
            return "flag"
        return "run down" if game.status == "resign" else "board"

    async def _play(self, number: int) -> None:
        chance = random.Random(f"{self._wanted.seed} {number}")
        line = Line(*LINES[number % len(LINES)], chance)
        challenge = await self._sim.challenge(
            self._bot, f"player{number}", limit=CLOCK_S, colour=("white", "black")[number // 2 % 2],
            player=Level(self._referees[number % REFEREES], chance))
        announce = challenge.accept()
        line.game = game = challenge.game
        game.lag = line.delay_s
        announce()
        began = time.monotonic()
        await game.until(lambda g: not g.is_running, 600)
        await asyncio.sleep(2 * TICK_S)  # a stall is seen when it is over
        if self.stalled_at > began:
            self.disturbed += 1
            return
        self.played.append((line, game))
        self.run_down += self.end(game) == "run down"
        self._tell(line, game)

    def _tell(self, line: Line, game: Game) -> None:
        us = game.colour_of(self._bot)
        print(f"{time.strftime('%H:%M:%S')} {self.run_down}/{self._wanted.games} {game.id} "
              f"{line.kind} {line.trip_ms} ms: {self.end(game)} ({game.status}) after "
              f"{len(game.moves) // 2} moves, {max(0.0, game.seats[us].left_s):.2f} s left",
              flush=True)

    async def watch(self) -> None:
        """Notes when we get no time."""
        while True:
            due = time.monotonic() + TICK_S
            await asyncio.sleep(TICK_S)
            if time.monotonic() > due + STALL_S:
                self.stalled_at = time.monotonic()

    async def seat(self) -> None:
        """One game after the other, until enough have run down."""
        while self.run_down < self._wanted.games:
            number, self._begun = self._begun, self._begun + 1
            await self._play(number)

    async def close(self) -> None:
        for referee in self._referees:
            await referee.close()

    def tallies(self, log: Log) -> dict[tuple[str, int], Tally]:
        tallies = {line: Tally() for line in LINES}
        for line, game in self.played:
            tally, end = tallies[line.kind, line.trip_ms], self.end(game)
            tally.ends[end] += 1
            if game.id in log.lags:
                tally.needless.append(log.needless_share(game.id))
            if end == "run down":
                us = game.colour_of(self._bot)
                tally.moves.append(len(game.moves) // 2)
                tally.left.append(game.seats[us].left_s / CLOCK_S)
                tally.lag.append(log.lag_share(game.id))
        return tallies


def percent(shares: list[float], pick=statistics.mean) -> str:
    return f"{100 * pick(shares):.1f} %" if shares else "–"


def table(tallies: dict[tuple[str, int], Tally]) -> str:
    rows = ["| line | round trip | run down | ended on the board | flags | moves of those run down: "
            "median (least to most) | clock lost to lag | left at the end: mean, most "
            "| kept back needlessly: mean, most |", "|" + "---|" * 9]
    for (kind, trip), tally in tallies.items():
        span = "–"
        if tally.moves:
            span = (f"{statistics.median(tally.moves):.0f} "
                    f"({min(tally.moves)} to {max(tally.moves)})")
        rows.append("| " + " | ".join([
            kind, f"{trip} ms" if kind != "any" else f"{TRIPS_MS[0]}…{TRIPS_MS[-1]} ms",
            *(str(tally.ends[end]) for end in ("run down", "board", "flag")), span,
            percent(tally.lag), f"{percent(tally.left)}, {percent(tally.left, max)}",
            f"{percent(tally.needless)}, {percent(tally.needless, max)}"]) + " |")
    return "\n".join(rows)


def summary(tallies: dict[tuple[str, int], Tally]) -> str:
    def total(end: str) -> int:
        return sum(tally.ends[end] for tally in tallies.values())
    needless = [share for tally in tallies.values() for share in tally.needless]
    left = [share for tally in tallies.values() for share in tally.left]
    return (f"{total('run down')} games run down, {total('board')} ended on the board, "
            f"{total('flag')} flags; left at the end {percent(left)} (mean), "
            f"kept back needlessly {percent(needless)} (mean), {percent(needless, max)} (most)")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays 1+0 over slow lines until it runs down.")
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--engine", required=True, help="castled-uci")
    parser.add_argument("--games", type=int, default=500, help="that are to run down")
    parser.add_argument("--at-once", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


async def main() -> int:
    wanted = arguments()
    with tempfile.TemporaryDirectory(prefix="castled-lag-") as directory:
        sim = Simulator(directory)
        bot = sim.add_account("Castled-Bot", title="BOT", rating=2000)
        sim.add_token(TOKEN, bot)
        await sim.start()
        path, log_path = os.path.join(directory, "castled.conf"), os.path.join(directory, "log")
        write_config(path, {
            "account": {"url": sim.url, "ca_file": sim.ca_file},
            "engine": {"threads": 1, "hash": 1, "ponder": "no"}, "games": {"concurrency": 64},
            "engine.external paced": {"command": f"{sys.executable} {PACED} {wanted.engine}"},
            "draw": {"offer": "no", "accept": "no"}, "resign": {"enabled": "no"},
            "log": {"level": "debug"}})
        daemon = await Daemon.start(wanted.castled, path, log_path, {
            "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory, "XDG_CONFIG_HOME": directory,
            "PATH": os.environ["PATH"]})
        proof = Proof(sim, bot, wanted)
        seats: list[asyncio.Future] = []
        watch = asyncio.ensure_future(proof.watch())
        try:
            await sim.until(lambda: bot.is_online or not daemon.is_running, 10, "the event stream")
            seats = [asyncio.ensure_future(proof.seat()) for _ in range(wanted.at_once)]
            await asyncio.gather(*seats)
        finally:
            for seat in seats:
                seat.cancel()
            watch.cancel()
            await asyncio.gather(watch, *seats, return_exceptions=True)
            if daemon.is_running:
                await daemon.stop()
            await sim.stop()
            await proof.close()
        tallies = proof.tallies(Log(daemon.log()))
    print(f"{table(tallies)}\n{summary(tallies)}; "
          f"{proof.disturbed} more did not count, as the simulator got no time")
    return 1 if any(tally.ends["flag"] for tally in tallies.values()) else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
