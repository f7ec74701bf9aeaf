# SPDX-License-Identifier: GPL-3.0-or-later
"""Random combinations of faults, seed by seed: no game lost by us, no wrong move, no storm.

    scripts/faults --seeds 1000 [--first 1] [--at-once 8] [--protocol HTTP/2]

Each seed is a few seconds of three fast games, one of them of a variant, under a burst of faults,
after which each game must go on. The same seed orders the same faults; when they strike depends on
the machine.
"""
from __future__ import annotations

import argparse
import asyncio
import functools
import random
import signal
import statistics
import sys
import time

from sim import board
from sim.faults import REFUSALS, STREAM_FAULTS
from sim.judge import VARIANTS
from sim.opponent import Random

from .harness import SLOWNESS
from .matrix import FaultStage, Result, Row, play_all

GAMES = 3
CLOCK_S = 60             # too short to wait a 429's minute out
OPPONENT_S = 0.04        # for a move
STRIKES = (4, 10)
PAUSE_S = 0.25           # longest between two of them
GOES_ON_S = 30           # until all is well after the last fault: request timeouts, 429s
REQUESTS_IN_A_MINUTE = 120
# A new process cannot know of a move that the old one has under way, and an echo may be slower than
# patience lasts: the server refuses the second one. Each is told in the summary.
POSTED_TWICE = 6
PROTOCOLS = ("HTTP/1.1", "HTTP/2")

MOVE_FAULTS = (
    {"status": 502}, {"status": 502, "applied": True}, {"status": 503, "times": 2},
    {"status": 429}, {"status": 429, "html": True}, {"status": 400}, {"reset": True},
    {"reset": True, "applied": True}, {"hang": True}, {"hang": True, "applied": True},
    {"delay_before_s": 1.0}, {"delay_after_s": 1.0}, {"stream": "reset"}, {"stream": "close"},
    {"stream": "cut", "reset": True, "applied": True}, {"stream": "reset", "status": 502},
    REFUSALS["proxy 403"],
)
OTHER_FAULTS = ({"status": 502}, {"status": 503, "times": 2}, {"reset": True}, {"status": 404},
                {"delay_after_s": 0.5}, REFUSALS["proxy 403"], REFUSALS["playban"],
                REFUSALS["no such token"])
# A silent stream takes 15 s to be told from a quiet one: too long for a seed.
STRIKABLE = tuple(what for what in STREAM_FAULTS if what != "silence")


async def _strike(stage: FaultStage, chance: random.Random, engine: dict[str, int]) -> None:
    """One fault, on whatever there is."""
    sim, kind = stage.sim, chance.random()
    running = [game for game in sim.games.values() if game.is_running]
    game, what = chance.choice(running or [None]), chance.choice(STRIKABLE)
    if kind < 0.35:
        sim.strike(what, game)
    elif kind < 0.45:
        sim.strike(what)
    elif kind < 0.75:
        sim.faults.order("move", **chance.choice(MOVE_FAULTS))
    elif kind < 0.83:
        sim.faults.order(chance.choice(("game_stream", "event_stream", "playing")),
                         **chance.choice(OTHER_FAULTS))
    elif kind < 0.85:
        sim.faults.order("", lasts_s=chance.uniform(0, 0.5), **REFUSALS["proxy 403"])
    elif kind < 0.89:
        for other in running:
            sim.send_event(stage.bot, {"type": "gameStart",
                                       "game": other.summary(other.colour_of(stage.bot))})
    elif kind < 0.92:
        await sim.down()
        await asyncio.sleep(chance.uniform(0, 0.5))
        await sim.start()
    elif kind < 0.96:
        await stage.daemon.kill()
        await stage.start(wait=False, engine=engine)
    elif kind < 0.98:
        status, _ = await stage.daemon.stop()
        stage.assertIn(status, (0, -signal.SIGTERM))  # the latter if it had just begun
        await stage.start(wait=False, engine=engine)
    elif stage.http2:
        await stage.goaway()


async def _goes_on(stage: FaultStage, games: list) -> None:
    """Two more moves of ours in each game."""
    for game in games:
        plies = len(game.moves) + 4
        await game.until(lambda g, most=plies: len(g.moves) >= most or not g.is_running,
                         GOES_ON_S * SLOWNESS)


async def play_seed(seed: int, stage: FaultStage) -> None:
    chance = random.Random(seed)
    sim = stage.sim
    sim.castling = chance.choice(("king-takes-rook", "king-to-target"))
    sim.echo_first, sim.game_start_first, sim.finish_event_first, sim.final_state_twice = (
        chance.random() < 0.5 for _ in range(4))
    engine = chance.choice(({"nodes": 200}, {"nodes": 0, "movetime": 40}))
    await stage.start(engine=engine)
    variants = [chance.choice(list(VARIANTS))] + ["standard"] * (GAMES - 1)
    games = [await stage.game(Random(seed * GAMES + number, delay=OPPONENT_S),
                              name=f"player{number}", limit=CLOCK_S, variant=variant,
                              colour=("white", "black")[number % 2])
             for number, variant in enumerate(variants)]
    stage.struck()
    for _ in range(chance.randint(*STRIKES)):
        await _strike(stage, chance, engine)
        await asyncio.sleep(chance.uniform(0, PAUSE_S))
    sim.faults.clear()
    stage.struck()
    await _goes_on(stage, games)
    stage.recovered()
    await stage.online(60)
    for game in games:
        if game.is_running:
            game.resign(board.other(game.colour_of(stage.bot)))
        await stage.over(game)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=0,
                        help="this many random combinations of faults instead of the matrix")
    parser.add_argument("--first", type=int, default=1, help="the first seed")


async def run(wanted: argparse.Namespace) -> bool:
    """Plays the seeds, half of them over each protocol unless one is asked for."""
    began, well = time.monotonic(), True
    rows = [Row("Seeds", f"seed {seed}", functools.partial(play_seed, seed), GOES_ON_S,
                requests=REQUESTS_IN_A_MINUTE, twice=POSTED_TWICE)
            for seed in range(wanted.first, wanted.first + wanted.seeds)]
    for number, protocol in enumerate(PROTOCOLS):
        if wanted.protocol not in (None, protocol):
            continue
        mine = rows if wanted.protocol else rows[number::2]
        results = await play_all(mine, protocol, wanted.at_once, told=_tell_failure)
        well &= not any(result.wrong for result in results)
        if results:
            print(_summary(protocol, results), flush=True)
    print(f"{wanted.seeds} seeds from {wanted.first} in {time.monotonic() - began:.0f} s")
    return well


def _tell_failure(result: Result) -> None:
    if result.wrong:
        seed = result.row.name.split()[1]
        print(f"seed {seed} FAILED over {result.protocol}: {'; '.join(result.wrong)}\n"
              f"again: scripts/faults --seeds 1 --first {seed} --protocol {result.protocol}\n"
              f"{result.story}", file=sys.stderr, flush=True)


def _summary(protocol: str, results: list[Result]) -> str:
    times = sorted(r.recovery_s for r in results if r.recovery_s is not None) or [0.0]
    return (f"{protocol}: {len(results)} seeds, {sum(bool(r.wrong) for r in results)} failed, "
            f"{sum(r.lost for r in results)} games lost, "
            f"{sum(r.twice for r in results)} moves posted twice, "
            f"at most {max(r.requests for r in results)} other requests in a minute, "
            f"recovery {statistics.median(times):.2f} s (median), {times[-1]:.2f} s (worst)")
