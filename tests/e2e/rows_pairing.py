# SPDX-License-Identifier: GPL-3.0-or-later
"""Challengers who wait, leave or come by the hundred, and arenas that do not let us in yet."""
from __future__ import annotations

import asyncio
import json
import time
from typing import Any

from sim.challenges import Challenge
from sim.game import Game
from sim.opponent import Idle, Scripted

from .harness import SLOWNESS
from .matrix import FaultStage, Table

table = Table("Pairing")

WAIT_S = 30          # with the page open
UNSEEN_S = 22        # longer than one lasts whose page is closed
CROWD, CROWD_S = 200, 10
GAMES = 64


async def _busy(stage: FaultStage, **sections: Any) -> Game:
    """The only slot is taken."""
    await stage.start(games={"concurrency": 1}, **sections)
    return await stage.new_game(limit=900)


async def _served(stage: FaultStage, challenge: Challenge, within_s: float) -> Game:
    """Accepted, and our first move made."""
    game = await challenge.started(within_s * SLOWNESS)
    await stage.turn(game, within_s)
    return game


@table.row("an accepted game whose gameStart is never sent", 8)
async def start_unseen(stage: FaultStage) -> None:
    await stage.start(games={"concurrency": 1})
    stage.sim.tells_starts = False
    challenge = await stage.challenge(Idle(), limit=180)
    stage.struck()
    await _served(stage, challenge, 8)
    stage.recovered()
    stage.sim.tells_starts = True


@table.row(f"a human waits {WAIT_S} s in the queue", 3)
async def waits_in_the_queue(stage: FaultStage) -> None:
    game = await _busy(stage)
    waiting = await stage.challenge(Idle(), name="Berta", limit=180)
    await asyncio.sleep(WAIT_S)
    stage.struck()
    game.resign("white")
    await _served(stage, waiting, 3)
    stage.recovered()


@table.row("of two who wait the first has left", 5)
async def one_of_two_has_left(stage: FaultStage) -> None:
    stage.sim.limits.challenge_unseen_s = 1
    game = await _busy(stage)
    gone = await stage.challenge(Idle(), name="Berta", limit=180)
    there = await stage.challenge(Idle(), name="Cleo", limit=180)
    gone.leave()
    await asyncio.sleep(UNSEEN_S)
    stage.struck()
    game.resign("white")
    await _served(stage, there, 5)
    stage.recovered()
    assert gone.game is None, "a game against nobody"


@table.row("who waits has left and come back", 3)
async def left_and_came_back(stage: FaultStage) -> None:
    stage.sim.limits.challenge_unseen_s = 0.5
    game = await _busy(stage)
    waiting = await stage.challenge(Idle(), name="Berta", limit=180)
    waiting.leave()
    await stage.sim.until(lambda: waiting.status == "offline", 5 * SLOWNESS)
    waiting.come_back()
    await asyncio.sleep(1)
    stage.struck()
    game.resign("white")
    await _served(stage, waiting, 3)
    stage.recovered()


def _unreadable_list(name: str, within_s: float, **fault: Any) -> None:
    @table.row(f"the list of challenges alone fails: {name}", within_s)
    async def row(stage: FaultStage) -> None:
        """Nobody knows whether who waits has left: whoever is there goes first, then they."""
        game = await _busy(stage)
        waiting = await stage.challenge(Idle(), name="Berta", limit=180)
        stage.sim.faults.order("challenge_list", lasts_s=600, **fault)
        await asyncio.sleep(UNSEEN_S)
        game.resign("white")
        await stage.log_says(f"over id={game.id}")
        newcomer = await stage.challenge(Idle(), name="Cleo", limit=180)
        (await _served(stage, newcomer, 4)).resign("white")
        stage.struck()
        await _served(stage, waiting, within_s)
        stage.recovered()


_unreadable_list("404", 8, status=404, body=b'{"error":"Not found"}')
_unreadable_list("an HTML page", 8, status=404, html=True)
_unreadable_list("500", 8, status=500)
_unreadable_list("silence", 25, hang=True)


@table.row(f"a rematch is offered, and waits {UNSEEN_S} s", 3)
async def rematch_waits(stage: FaultStage) -> None:
    """The server lists no such offer."""
    first = await _busy(stage)
    other = await stage.challenge(Idle(), name="Cleo", limit=180)
    await stage.log_says(f"waits id={other.id}")
    first.resign("white")
    game = await _served(stage, other, 3)
    rematch = await stage.sim.rematch(first, Idle())
    await stage.log_says(f"waits id={rematch.id}")
    await asyncio.sleep(UNSEEN_S)
    stage.struck()
    game.resign("white")
    await _served(stage, rematch, 3)
    stage.recovered()


@table.row("accept: 429 for 3 s, and the challenger waits", 12)
async def limited_accept(stage: FaultStage) -> None:
    await stage.start()
    await stage.new_game()
    body = {"error": "Too many requests. Try again later.",
            "ratelimit": {"key": "challenge.accept", "seconds": 3}}
    stage.sim.faults.order("accept", status=429, body=json.dumps(body).encode())
    stage.struck()
    await _served(stage, await stage.challenge(Idle(), name="Berta", limit=180), 12)
    stage.recovered()


@table.row(f"{CROWD} challenges of bots in {CROWD_S} s, then a human's", 5, requests=180)
async def crowd(stage: FaultStage) -> None:
    for number in range(CROWD):
        stage.sim.add_account(f"Machine{number}", title="BOT", is_present=True)
    await stage.start(challenge={"opponents": "human"}, games={"concurrency": 2})
    game = await stage.new_game(limit=900)
    began = time.monotonic()
    for number in range(CROWD):
        await stage.challenge(Idle(), name=f"Machine{number}", limit=180)
        await asyncio.sleep(max(0.0, began + number * CROWD_S / CROWD - time.monotonic()))
    stage.struck()
    await _served(stage, await stage.challenge(Idle(), name="Berta", limit=180), 5)
    stage.recovered()
    await stage.turn(game)


@table.row(f"{GAMES} games offered at once", 60, requests=400)
async def many_games_at_once(stage: FaultStage) -> None:
    await stage.start(games={"concurrency": GAMES}, engine={"nodes": 100})
    stage.struck()
    began = time.monotonic()
    challenges = [await stage.challenge(Scripted("e2e4"), name=f"player{number}", limit=900)
                  for number in range(GAMES)]
    for challenge in challenges:
        left_s = max(0.1, began + 60 * SLOWNESS - time.monotonic())
        game = await challenge.started(left_s)
        await game.plies(2 if game.colour_of(stage.bot) == "black" else 1, left_s)
    stage.recovered()
    for challenge in challenges[2:]:
        game = challenge.game
        game.resign("white" if game.colour_of(stage.bot) == "black" else "black")
        await stage.over(game)


@table.row("who is busy answers our challenge after 24 s", 3)
async def late_answer(stage: FaultStage) -> None:
    """Recovery lasts from the answer on."""
    stage.sim.add_account("Busy", title="BOT", is_present=True, rating=2000, answers_after_s=24)
    await stage.start(matchmaking={"play": "yes", "idle": 1, "clocks": "3+2", "pairs": "no"})
    stage.struck()
    await stage.sim.until(lambda: stage.sim.games, 45 * SLOWNESS, "a game")
    stage.struck()
    (game,) = stage.sim.games.values()
    await stage.turn(game, 3)
    stage.recovered()


# Arenas

async def _joins_later(stage: FaultStage, refuse: Any, allow: Any, within_s: float) -> None:
    """A first join is refused for now; the arena is joined, and its game played, later."""
    arena = stage.sim.add_arena([Scripted("e2e4")], limit=180)
    refuse(arena)
    await stage.start(tournaments={"join": arena.id})
    await stage.sim.until(lambda: stage.sim.count("join"), 20 * SLOWNESS, "a join")
    await asyncio.sleep(0.5)
    assert not arena.members, "joined all the same"
    allow(arena)
    stage.struck()
    await stage.sim.until(lambda: arena.games, within_s * SLOWNESS, "a game of the arena")
    await arena.games[0].plies(2, 20 * SLOWNESS)
    stage.recovered()
    arena.finish()


@table.row("arena: a pause that is not over yet", 75)
async def arena_pause(stage: FaultStage) -> None:
    await _joins_later(stage, lambda arena: setattr(arena, "refuses", "Your pause is not over yet"),
                       lambda arena: setattr(arena, "refuses", ""), 75)


@table.row("arena: banned for a minute", 75)
async def arena_ban(stage: FaultStage) -> None:
    def ban(arena: Any) -> None:
        stage.bot.playban_until = time.monotonic() + 30
    await _joins_later(stage, ban, lambda arena: None, 75)
