#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the daemon itself costs: time a move, memory a game, processor time, start-up.

A move's overhead runs from the last byte of the opponent's move leaving the simulator to the first
byte of our POST arriving, over TLS on loopback, with the search limited to one node. The simulator
shares the machine, so its own work is in the figures; moves come at a rate that leaves it idle most
of the time, and count from when all games run. Where that is permitted (to root), simulator and
castled have the priority that systemd/castled.service gives; the searches have their usual one.
Exits 1 if a bound is missed.
scripts/bench-bot calls this.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Optional

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim import board  # noqa: E402
from sim.accounts import Account  # noqa: E402
from sim.daemon import Daemon, inherited, write_config  # noqa: E402
from sim.game import MAX_PLIES, Game  # noqa: E402
from sim.http1 import KeepAlive  # noqa: E402
from sim.opponent import Random, Unsteady  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_bench"
HASH_MIB = 1
MOVES_A_SECOND = 50   # by all games together
LONG_GAME_PLIES = MAX_PLIES - 60  # the server ends a game at MAX_PLIES
SEARCH_NICENESS = 5     # as bot/source/priority.c has it
SERVICE_NICENESS = -10  # as systemd/castled.service has it

# Bounds: milliseconds and MiB.
MEDIAN_MS, P99_ONE_MS, P99_MANY_MS = 0.5, 3.0, 10.0
START_MS = 50.0
ONE_GAME_MIB, FURTHER_GAME_MIB, LONG_GAME_GROWTH_MIB = 26.0, 0.25, 0.25  # 6 of networks

COLUMNS = (("games", 5), ("cores", 5), ("plies", 6), ("moves", 6), ("median ms", 9), ("p90 ms", 7),
           ("p99 ms", 7), ("max ms", 7), ("RSS MiB", 7), ("PSS MiB", 7), ("CPU s/1000", 10),
           ("start ms", 8))


@dataclass
class Row:
    games: int
    is_busy: bool
    is_long: bool
    times: list[float]  # s, sorted
    rss_mib: float
    pss_mib: float
    cpu_s: float        # for 1,000 moves
    start_ms: float

    def quantile_ms(self, share: float) -> float:
        return self.times[min(len(self.times) - 1, int(len(self.times) * share))] * 1000

    def __str__(self) -> str:
        values = [self.games, "busy" if self.is_busy else "idle",
                  f"{LONG_GAME_PLIES}.." if self.is_long else "0..", len(self.times),
                  self.quantile_ms(0.5), self.quantile_ms(0.9), self.quantile_ms(0.99),
                  self.times[-1] * 1000, self.rss_mib, self.pss_mib, self.cpu_s, self.start_ms]
        return "  ".join(f"{value:>{width}.3f}" if isinstance(value, float) else f"{value:>{width}}"
                         for value, (_, width) in zip(values, COLUMNS))


async def keep_playing(sim: Simulator, bot: Account, number: int, games: int) -> None:
    """Game after game in one of `games` seats. They begin without being accepted: so many moves a
    minute leave castled's pacer no room for anything else."""
    while True:
        challenge = await sim.challenge(bot, f"player{number}", limit=600, colour="white",
                                        player=Unsteady(number + 1000 * len(sim.games),
                                                        games / MOVES_A_SECOND))
        challenge.accept()()
        game = challenge.game
        try:
            await game.until(lambda g: not g.is_running, 3600)
        finally:
            if game.is_running:
                game.finish("aborted")


def quiet_move(game: Game, chance: random.Random) -> str:
    """A move that leads nowhere, or a pawn's when nothing has happened for long."""
    pieces = board.squares(game.position.fen)
    moves = sorted(game.position.legal)
    pawns = [m for m in moves if pieces[m[:2]] in "Pp" and m[2:4] not in pieces and len(m) == 4]
    others = [m for m in moves if pieces[m[:2]] not in "PpKk" and m[2:4] not in pieces]
    wanted = pawns if game.position.halfmoves >= 60 else others
    return chance.choice(wanted or others or moves)


async def long_game(sim: Simulator, bot: Account) -> Game:
    """A game that has gone on for long without the bot, which is not there yet."""
    for seed in range(100):
        challenge = await sim.challenge(bot, f"wanderer{seed}", limit=10800, colour="white")
        announce = challenge.accept()
        game, chance = challenge.game, random.Random(seed)
        while game.is_running and len(game.moves) < LONG_GAME_PLIES:
            (await game.make(game.turn, quiet_move(game, chance)))()
        if game.is_running:
            game.seats["white"].player = Random(seed, delay=0.05)
            announce()
            return game
    raise AssertionError("no game became long")


async def measure(program: str, games: int, moves: int, is_busy: bool, is_long: bool,
                  keep_alive: KeepAlive) -> Row:
    with tempfile.TemporaryDirectory(prefix="castled-bench-") as directory:
        sim = Simulator(directory)
        sim.keep_alive = keep_alive
        bot = sim.add_account("castled-bot", title="BOT", rating=2000)
        sim.add_token(TOKEN, bot)
        await sim.start()
        config = os.path.join(directory, "castled.conf")
        write_config(config, {"account": {"url": sim.url, "ca_file": sim.ca_file},
                              "engine": {"threads": 1, "hash": HASH_MIB, "nodes": 1},
                              "games": {"concurrency": games}, "challenge": {"accept": "no"},
                              "log": {"level": "warning"}})
        environment = {**inherited(), "CASTLED_TOKEN": TOKEN, "XDG_STATE_HOME": directory}
        log = os.path.join(directory, "log")
        first = await Daemon.start(program, config, log, environment)
        await sim.until(lambda: bot.is_online, 30, "the event stream")
        await first.stop()  # the archive is made once in a life
        game = await long_game(sim, bot) if is_long else None
        started = len(sim.requests)
        began = time.monotonic()
        daemon = await Daemon.start(program, config, log, environment)
        seats: list[asyncio.Task] = []
        try:
            await sim.until(lambda: any(r.family == "event_stream" for r in sim.requests[started:]),
                            30, "castled's event stream")
            opened = next(r for r in sim.requests[started:] if r.family == "event_stream")
            start_ms = (opened.arrived - began) * 1000
            if game:
                await game.until(lambda g: not g.is_running or len(g.moves) > MAX_PLIES - 4, 60)
            else:
                seats += [asyncio.ensure_future(keep_playing(sim, bot, number, games))
                          for number in range(games)]
                await sim.until(lambda: sum(len(g.moves) >= 4 for g in sim.games.values())
                                >= games, 120, "all games")
                await asyncio.sleep(1)
                sim.move_latencies_s.clear()
            cpu_s = daemon.cpu_s()
            while len(sim.move_latencies_s) < moves and not game:
                await asyncio.sleep(0.02)
                if sim.failures:
                    raise SystemExit("\n".join(sim.failures))
                for seat in seats:
                    if seat.done():
                        seat.result()
            times = sorted(sim.move_latencies_s)
            row = Row(games, is_busy, is_long, times, daemon.memory_kib("Rss") / 1024,
                      daemon.memory_kib("Pss") / 1024,
                      (daemon.cpu_s() - cpu_s) * 1000 / len(times), start_ms)
        finally:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, return_exceptions=True)
            await daemon.kill()
            await sim.stop()
    return row


def missed(rows: list[Row], slowness: float) -> list[str]:
    """The bounds that do not hold; those on time are stretched by `slowness`."""
    complaints = []
    one = next((row for row in rows if row.games == 1 and not row.is_long), None)

    def hold(row: Row, what: str, value: float, bound: float) -> None:
        if value > bound:
            complaints.append(f"{row.games} games, cores {'busy' if row.is_busy else 'idle'}: "
                              f"{what} {value:.3f}, bound {bound:.3f}")
    for row in rows:
        if row.games == 1:
            hold(row, "median ms", row.quantile_ms(0.5), MEDIAN_MS * slowness)
        if not row.is_long:  # too few moves for a quantile that says anything
            hold(row, "p99 ms", row.quantile_ms(0.99),
                 (P99_ONE_MS if row.games == 1 else P99_MANY_MS) * slowness)
        hold(row, "start ms", row.start_ms, START_MS * slowness)
        hold(row, "RSS MiB", row.rss_mib,
             ONE_GAME_MIB + HASH_MIB + (row.games - 1) * FURTHER_GAME_MIB)
        if one and row.games > 1:
            hold(row, "MiB for each further game", (row.rss_mib - one.rss_mib) / (row.games - 1),
                 FURTHER_GAME_MIB)
        if one and row.is_long:
            hold(row, "MiB more in a long game", row.rss_mib - one.rss_mib, LONG_GAME_GROWTH_MIB)
    return complaints


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures what castled adds to a move.")
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--games", default="1,8,32,64", help="games at once, one row each")
    parser.add_argument("--moves", type=int, default=1500, help="of castled, for each row")
    parser.add_argument("--cores", default="idle,busy",
                        help="busy: all cores search for other games meanwhile")
    parser.add_argument("--closes", choices=("never", "after", "next"), default="never",
                        help="the server closes each kept connection after a request, or as the "
                             "next one comes")
    parser.add_argument("--slowness", type=float, default=1,
                        help="stretches the bounds on time, for slow or loaded machines")
    return parser.parse_args()


def take_the_services_priority() -> None:
    """What is started from now on inherits it."""
    try:
        os.setpriority(os.PRIO_PROCESS, 0, SERVICE_NICENESS)
    except PermissionError:
        print("at the usual priority, not the service's (only root may): with busy cores a few moves "
              "wait")


async def main() -> Optional[int]:
    wanted = arguments()
    rows = []
    keep_alive = KeepAlive(after_requests=wanted.closes == "after",
                           at_next_request=wanted.closes == "next")
    take_the_services_priority()

    async def add(games: int, is_busy: bool, is_long: bool) -> None:
        rows.append(await measure(wanted.castled, games, wanted.moves, is_busy, is_long,
                                  keep_alive))
        print(rows[-1], flush=True)
    print("  ".join(f"{name:>{width}}" for name, width in COLUMNS))
    for cores in wanted.cores.split(","):
        burner = ["nice", "-n", str(SEARCH_NICENESS - os.getpriority(os.PRIO_PROCESS, 0)),
                  sys.executable, "-c", "while True: pass"]  # the searches of other games
        burners = [subprocess.Popen(burner) for _ in range(
            os.cpu_count() if cores == "busy" else 0)]
        try:
            for games in wanted.games.split(","):
                await add(int(games), cores == "busy", False)
        finally:
            for burner in burners:
                burner.kill()
                burner.wait()
    await add(1, False, True)
    complaints = missed(rows, wanted.slowness)
    print("\n".join(complaints) or "every bound holds")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
