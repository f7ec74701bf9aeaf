# SPDX-License-Identifier: GPL-3.0-or-later
"""Random combinations of faults, seed by seed: no game lost by us, no wrong move, no storm.

    scripts/faults --seeds 1000 [--first 1] [--at-once 8] [--protocol HTTP/2]

Each seed is a few seconds of three fast games, one of them of a variant, which take all slots while
people wait in the queue or an arena begins. A burst of faults, refusals and floods strikes them;
after it each game must go on, whoever waits be served, and the arena's game be played. The same seed
orders the same faults; when they strike depends on the machine.
"""
from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import functools
import os
import random
import signal
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any, Callable, Optional

from sim import board
from sim.arenas import Arena
from sim.challenges import Challenge
from sim.faults import REFUSALS, STREAM_FAULTS
from sim.floods import pieces_of
from sim.frames import FLOODS, FrameInjector
from sim.game import Game
from sim.judge import VARIANTS
from sim.opponent import Random

from .harness import SLOWNESS
from .matrix import FaultStage, Result, Row, play_all, shim
from .rows_environment import BOOK_ENTRIES, set_clock, write_book

GAMES = 3
CLOCK_S = 60             # too short to wait a 429's minute out
OPPONENT_S = 0.04        # for a move
STRIKES = (4, 10)
PAUSE_S = 0.25           # longest between two of them
GOES_ON_S = 30           # until all is well after the last fault: request timeouts, 429s
SERVED_S = 90            # whoever waits, from a slot's end on: after a 429 a minute passes first
WAITERS = (0, 1, 1, 2)
ARENAS = 0.3             # of the seeds
FRAMES = 0.5             # of those over HTTP/2 have somebody who can put frames between ours
ARENA_S = 180            # the clock: 21 s for the first move
REFUSED_S = 2.0          # by a proxy, at most
FLOOD_S = (0.05, 1.0)
JUMP_S = 3600
DESCRIPTORS_S = 1.0      # without one
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
ACCEPT_FAULTS = ({"status": 502}, {"status": 502, "applied": True}, {"reset": True},
                 {"reset": True, "applied": True}, {"status": 429}, {"delay_after_s": 1.0},
                 REFUSALS["proxy 403"])
# A silent stream takes 15 s to be told from a quiet one: too long for a seed.
STRIKABLE = tuple(what for what in STREAM_FAULTS if what != "silence")
LINES = (b"\n", b'{"type":"x"}\n', b"{\n")


@dataclass
class Tally:
    """Of all seeds over a protocol."""
    waited_s: list[float] = field(default_factory=list)  # each who was served
    arena_games: int = 0
    floods: collections.Counter = field(default_factory=collections.Counter)
    refused: int = 0  # requests, by a proxy's 403


@dataclass
class Scene:
    """What is struck in a seed."""
    stage: FaultStage
    chance: random.Random
    tally: Tally
    config: dict[str, dict[str, Any]]
    games: list[Game] = field(default_factory=list)
    waiting: list[tuple[float, Challenge]] = field(default_factory=list)  # and since when
    arena: Optional[Arena] = None
    frames: Optional[FrameInjector] = None
    ahead_s: int = 0  # the daemon's wall clock, of ours
    slept_s: int = 0  # of that, by its clock that counts sleeps
    flooding: list[asyncio.Task] = field(default_factory=list)

    def running(self) -> list[Game]:
        return [game for game in self.stage.sim.games.values() if game.is_running]

    def resign(self, game: Game) -> None:
        """The opponent does, unless the game is over."""
        if game.is_running:
            game.resign(board.other(game.colour_of(self.stage.bot)))

    @property
    def book(self) -> str:
        return os.path.join(self.stage.directory, "book.bin")

    def write_book(self) -> None:
        write_book(self.book, self.chance.randint(1, BOOK_ENTRIES))

    def set_clock(self) -> dict[str, str]:
        """The variables that the daemon needs for it."""
        return set_clock(self.stage, self.ahead_s + self.slept_s, self.slept_s)

    async def start(self, wait: bool = False) -> None:
        variables = self.set_clock() if shim() else {}
        await self.stage.start(wait=wait, process={"variables": variables}, **self.config)


# Each is one fault, on whatever there is.

async def _a_games_stream(scene: Scene) -> None:
    game, what = scene.chance.choice(scene.running() or [None]), scene.chance.choice(STRIKABLE)
    scene.stage.sim.strike(what, game)


async def _event_stream(scene: Scene) -> None:
    scene.stage.sim.strike(scene.chance.choice(STRIKABLE))


async def _a_move(scene: Scene) -> None:
    scene.stage.sim.faults.order("move", **scene.chance.choice(MOVE_FAULTS))


async def _an_accept(scene: Scene) -> None:
    scene.stage.sim.faults.order("accept", **scene.chance.choice(ACCEPT_FAULTS))


async def _another_request(scene: Scene) -> None:
    family = scene.chance.choice(("game_stream", "event_stream", "playing"))
    scene.stage.sim.faults.order(family, **scene.chance.choice(OTHER_FAULTS))


async def _a_proxy_refuses_everything(scene: Scene) -> None:
    scene.stage.sim.faults.order("", lasts_s=scene.chance.uniform(0, REFUSED_S),
                                 **REFUSALS["proxy 403"])


async def _games_begin_again(scene: Scene) -> None:
    bot = scene.stage.bot
    for game in scene.running():
        scene.stage.sim.send_event(bot, {"type": "gameStart",
                                         "game": game.summary(game.colour_of(bot))})


async def _a_slot_ends(scene: Scene) -> None:
    running = [game for game in scene.running() if len(game.moves) > 2]
    if len(running) > 1:
        scene.resign(scene.chance.choice(running))


async def _a_flood(scene: Scene) -> None:
    """On a stream, or below all of them. The injector's process has one thing to do at a time."""
    bot, chance = scene.stage.bot, scene.chance
    kind, line, seconds = (chance.choice(list(FLOODS)), chance.choice(LINES),
                           chance.uniform(*FLOOD_S))
    of_frames, of_game = chance.random() < 0.5, chance.random() < 0.4
    if scene.frames is not None and of_frames:
        if all(task.done() for task in scene.flooding):
            scene.tally.floods["frames"] += 1
            scene.flooding.append(asyncio.ensure_future(scene.frames.pour(kind, seconds)))
        return
    streams = [stream for _, stream in bot.event_streams if stream.is_open]
    if of_game:
        streams = [stream for game in scene.running()
                   for stream in game.streams(game.colour_of(bot))]
    if streams:
        scene.tally.floods["lines"] += 1
        pour = streams[-1].pour(pieces_of(line), seconds)
        scene.flooding.append(asyncio.ensure_future(pour))


async def _the_server_goes_away(scene: Scene) -> None:
    await scene.stage.sim.down()
    await asyncio.sleep(scene.chance.uniform(0, 0.5))
    await scene.stage.sim.start()


async def _we_are_killed(scene: Scene) -> None:
    await scene.stage.daemon.kill()
    await scene.start()


async def _we_are_restarted(scene: Scene) -> None:
    status, _ = await scene.stage.daemon.stop()
    scene.stage.assertIn(status, (0, -signal.SIGTERM))  # the latter if it had just begun
    await scene.start()


# What the machine does to us; each passes by itself, or with the burst.

async def _the_clock_jumps(scene: Scene) -> None:
    """Of the wall alone, or because the machine slept for that long."""
    if not shim():
        return
    scene.ahead_s += scene.chance.choice((-1, 1)) * scene.chance.randint(10, JUMP_S)
    slept_s = scene.chance.randint(10, JUMP_S) * (scene.chance.random() < 0.5)
    scene.slept_s += slept_s
    scene.set_clock()


async def _a_book_is_replaced(scene: Scene) -> None:
    """As cp does: for a moment it is empty."""
    with open(scene.book, "wb"):
        await asyncio.sleep(scene.chance.uniform(0, PAUSE_S))
    scene.write_book()


async def _descriptors_run_out(scene: Scene) -> None:
    daemon = scene.stage.daemon
    if daemon.is_running:
        usual = daemon.limit_descriptors(scene.chance.randint(3, 40))
        await asyncio.sleep(scene.chance.uniform(0, DESCRIPTORS_S))
        if daemon.is_running:
            daemon.limit_descriptors(usual)


async def _goaway(scene: Scene) -> None:
    if scene.stage.http2:
        await scene.stage.goaway()


# How often, by weight.
KINDS: dict[Callable, int] = {
    _a_games_stream: 28, _event_stream: 8, _a_move: 24, _an_accept: 5, _another_request: 7,
    _a_proxy_refuses_everything: 4, _games_begin_again: 3, _a_slot_ends: 3, _a_flood: 8,
    _the_server_goes_away: 3, _we_are_killed: 3, _we_are_restarted: 2, _goaway: 2,
    _the_clock_jumps: 3, _a_book_is_replaced: 2, _descriptors_run_out: 3,
}


async def _goes_on(stage: FaultStage, games: list) -> None:
    """Two more moves of ours in each game."""
    for game in games:
        plies = len(game.moves) + 4
        await game.until(lambda g, most=plies: len(g.moves) >= most or not g.is_running,
                         GOES_ON_S * SLOWNESS)


async def _somebody_comes(scene: Scene, seed: int) -> None:
    """All slots are taken: people wait in the queue, or an arena begins, in which nobody else would
    be served."""
    stage, chance = scene.stage, scene.chance
    if chance.random() < ARENAS:
        scene.arena = stage.sim.add_arena([Random(seed, delay=OPPONENT_S)], limit=ARENA_S,
                                          starts_in=chance.uniform(0, 2))
        status, output = await stage.command(
            "tournament", "join", scene.arena.id, "--config",
            os.path.join(stage.directory, "castled.conf"), token=None)
        stage.assertEqual(status, 0, output)
        return
    for number in range(chance.choice(WAITERS)):
        challenge = await stage.challenge(Random(seed + number, delay=OPPONENT_S),
                                          name=f"waiter{number}", limit=CLOCK_S)
        scene.waiting.append((time.monotonic(), challenge))


async def _burst(scene: Scene) -> None:
    chance = scene.chance
    for _ in range(chance.randint(*STRIKES)):
        (strike,) = chance.choices(list(KINDS), list(KINDS.values()))
        await strike(scene)
        await asyncio.sleep(chance.uniform(0, PAUSE_S))
    for task in scene.flooding:
        with contextlib.suppress(OSError):
            await task


async def _all_are_served(scene: Scene) -> None:
    """The games end; who waits plays, and so does the arena."""
    stage = scene.stage
    if scene.arena is not None:
        await stage.sim.until(lambda: scene.arena.games, GOES_ON_S * SLOWNESS, "the arena's game")
        await _goes_on(stage, scene.arena.games)
        scene.tally.arena_games += len(scene.arena.games)
        scene.arena.finish()
        scene.games += scene.arena.games
    for game in scene.games:
        scene.resign(game)
    for since, challenge in scene.waiting:
        game = await challenge.started(SERVED_S * SLOWNESS)
        scene.tally.waited_s.append(time.monotonic() - since)
        await _goes_on(stage, [game])
        scene.resign(game)
    for game in list(stage.sim.games.values()):
        await stage.over(game)


async def play_seed(seed: int, tally: Tally, stage: FaultStage) -> None:
    chance = random.Random(seed)
    sim = stage.sim
    stage.fair_losses = ("variantEnd",)  # 200 nodes can lose to anybody in antichess
    sim.castling = chance.choice(("king-takes-rook", "king-to-target"))
    sim.echo_first, sim.game_start_first, sim.finish_event_first, sim.final_state_twice = (
        chance.random() < 0.5 for _ in range(4))
    engine = chance.choice(({"nodes": 200}, {"nodes": 0, "movetime": 40}))
    scene = Scene(stage, chance, tally, {"engine": engine, "games": {"concurrency": GAMES}})
    scene.config["book"] = {"files": scene.book}
    scene.write_book()
    if chance.random() < FRAMES and stage.http2:
        scene.frames = await FrameInjector.start(stage.url, sim.certificate_file, sim.key_file)
        scene.config["account"] = {"url": scene.frames.url}
    try:
        await _play(scene, seed)
    finally:
        tally.refused += sum(request.status == 403 for request in sim.requests)
        if scene.frames is not None:
            if stage.daemon is not None and stage.daemon.is_running:
                await stage.stop_daemon()
            await scene.frames.close()


async def _play(scene: Scene, seed: int) -> None:
    stage, chance = scene.stage, scene.chance
    await scene.start(wait=True)
    variants = [chance.choice(list(VARIANTS))] + ["standard"] * (GAMES - 1)
    scene.games = [await stage.game(Random(seed * GAMES + number, delay=OPPONENT_S),
                                    name=f"player{number}", limit=CLOCK_S, variant=variant,
                                    colour=("white", "black")[number % 2])
                   for number, variant in enumerate(variants)]
    await _somebody_comes(scene, seed)
    stage.struck()
    await _burst(scene)
    stage.sim.faults.clear()
    stage.struck()
    await _goes_on(stage, scene.games)
    stage.recovered()
    await stage.online(60)
    await _all_are_served(scene)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", type=int, default=0,
                        help="this many random combinations of faults instead of the matrix")
    parser.add_argument("--first", type=int, default=1, help="the first seed")


async def run(wanted: argparse.Namespace) -> bool:
    """Plays the seeds, half of them over each protocol unless one is asked for."""
    began, well = time.monotonic(), True
    seeds = range(wanted.first, wanted.first + wanted.seeds)
    for number, protocol in enumerate(PROTOCOLS):
        if wanted.protocol not in (None, protocol):
            continue
        tally = Tally()
        rows = [Row("Seeds", f"seed {seed}", functools.partial(play_seed, seed, tally), GOES_ON_S,
                    requests=REQUESTS_IN_A_MINUTE, twice=POSTED_TWICE)
                for seed in (seeds if wanted.protocol else seeds[number::2])]
        results = await play_all(rows, protocol, wanted.at_once, told=_tell_failure)
        well &= not any(result.wrong for result in results)
        if results:
            print(_summary(protocol, results, tally), flush=True)
    print(f"{wanted.seeds} seeds from {wanted.first} in {time.monotonic() - began:.0f} s")
    return well


def _tell_failure(result: Result) -> None:
    if result.wrong:
        seed = result.row.name.split()[1]
        print(f"seed {seed} FAILED over {result.protocol}: {'; '.join(result.wrong)}\n"
              f"again: scripts/faults --seeds 1 --first {seed} --protocol {result.protocol}\n"
              f"{result.story}", file=sys.stderr, flush=True)


def _summary(protocol: str, results: list[Result], tally: Tally) -> str:
    times = sorted(r.recovery_s for r in results if r.recovery_s is not None) or [0.0]
    return (f"{protocol}: {len(results)} seeds, {sum(bool(r.wrong) for r in results)} failed, "
            f"{sum(r.lost for r in results)} games lost, "
            f"{sum(r.twice for r in results)} moves posted twice, "
            f"at most {max(r.requests for r in results)} other requests in a minute, "
            f"recovery {statistics.median(times):.2f} s (median), {times[-1]:.2f} s (worst); "
            f"{len(tally.waited_s)} waited and were served, "
            f"{max(tally.waited_s or [0]):.0f} s at most, {tally.arena_games} games in arenas, "
            f"{tally.floods['lines']} floods of lines, "
            f"{tally.floods['frames']} of frames, {tally.refused} requests refused with 403")
