#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the daemon itself costs: time a move, memory a game, processor time, start-up.

A move's overhead runs from the last byte of the opponent's move leaving the simulator to the first
byte of our POST arriving, over TLS on loopback, with the search limited to one node. The simulator
shares the machine, so its own work is in the figures; moves come at a rate that leaves it idle most
of the time. scripts/bench-bot calls this.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim.daemon import Daemon, write_config  # noqa: E402
from sim.opponent import Random  # noqa: E402
from sim.server import Account, Simulator  # noqa: E402

TOKEN = "lip_bench"
COLUMNS = (("games", 5), ("moves", 6), ("median ms", 9), ("p90 ms", 7), ("p99 ms", 7),
           ("max ms", 7), ("RSS MiB", 7), ("PSS MiB", 7), ("CPU s/1000", 10), ("start ms", 8))


MOVES_A_SECOND = 150  # by all games together


async def keep_playing(sim: Simulator, bot: Account, number: int, games: int,
                       moves: int) -> None:
    """Game after game in one of `games` seats, until so many moves were made in all."""
    while len(sim.move_latencies_s) < moves:
        challenge = await sim.challenge(bot, f"player{number}", limit=600, colour="white",
                                        player=Random(number + 1000 * len(sim.games),
                                                      delay=games / MOVES_A_SECOND))
        game = await challenge.started(30)
        while game.is_running and len(sim.move_latencies_s) < moves:
            await asyncio.sleep(0.02)
        if game.is_running:
            game.finish("aborted")


async def measure(program: str, games: int, moves: int) -> list[float]:
    with tempfile.TemporaryDirectory(prefix="castled-bench-") as directory:
        sim = Simulator(directory)
        bot = sim.add_account("castled-bot", title="BOT", rating=2000)
        sim.add_token(TOKEN, bot)
        await sim.start()
        config = os.path.join(directory, "castled.conf")
        write_config(config, {"account": {"url": sim.url, "ca_file": sim.ca_file},
                              "engine": {"threads": 1, "hash": 1, "nodes": 1},
                              "games": {"concurrency": games}, "log": {"level": "warning"}})
        began = time.monotonic()
        daemon = await Daemon.start(program, config, os.path.join(directory, "log"),
                                    {**os.environ, "CASTLED_TOKEN": TOKEN})
        seats: list[asyncio.Task] = []
        try:
            await sim.until(lambda: bot.is_online, 30, "castled's event stream")
            opened = next(r for r in sim.requests if r.family == "event_stream")
            start_ms = (opened.arrived - began) * 1000
            seats += [asyncio.ensure_future(keep_playing(sim, bot, number, games, moves))
                      for number in range(games)]
            await asyncio.gather(*seats)
            rss, pss = daemon.memory_kib("Rss") / 1024, daemon.memory_kib("Pss") / 1024
            cpu_s = daemon.cpu_s() * 1000 / len(sim.move_latencies_s)
        finally:
            for seat in seats:
                seat.cancel()
            await asyncio.gather(*seats, return_exceptions=True)
            await daemon.kill()
            await sim.stop()
    if sim.failures:
        raise SystemExit("\n".join(sim.failures))
    times = sorted(sim.move_latencies_s)

    def quantile(share: float) -> float:
        return times[min(len(times) - 1, int(len(times) * share))] * 1000
    return [games, len(times), quantile(0.5), quantile(0.9), quantile(0.99), times[-1] * 1000,
            rss, pss, cpu_s, start_ms]


def row(values: list[float]) -> str:
    return "  ".join(f"{value:>{width}}" if isinstance(value, int) else f"{value:>{width}.3f}"
                     for value, (_, width) in zip(values, COLUMNS))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measures what castled adds to a move.")
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--games", default="1,8,32,64", help="games at once, one row each")
    parser.add_argument("--moves", type=int, default=2000, help="of castled, for each row")
    parser.add_argument("--busy", action="store_true", help="keep every core busy meanwhile")
    return parser.parse_args()


async def main() -> None:
    wanted = arguments()
    burner = [sys.executable, "-c", "while True: pass"]
    burners = [subprocess.Popen(["nice", *burner]) for _ in range(
        os.cpu_count() if wanted.busy else 0)]
    try:
        print("  ".join(f"{name:>{width}}" for name, width in COLUMNS))
        for games in wanted.games.split(","):
            print(row(await measure(wanted.castled, int(games), wanted.moves)), flush=True)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


if __name__ == "__main__":
    asyncio.run(main())
