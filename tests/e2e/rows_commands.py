# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that get lost, limited, refused, or answered late."""
from __future__ import annotations

import asyncio
from typing import Any

from sim.opponent import Idle

from .harness import SLOWNESS
from .matrix import FaultStage, Table

table = Table("Commands")

LATE_S = 30  # a reply that comes when nobody waits for it any more


def _add_move(name: str, within_s: float, clock_s: int = 180, facts: Any = (),
              **fault: Any) -> None:
    """A move meets the fault; all is well when it is made, and the next one too."""
    @table.row(f"move: {name}", within_s, **dict(facts))
    async def on_move(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game(limit=clock_s)
        stage.sim.faults.order("move", **fault)
        stage.struck()
        await stage.turn(game, within_s)
        await stage.turn(game, within_s)
        stage.recovered()


_add_move("502, not made", 5, status=502)
_add_move("502, but made", 5, status=502, applied=True)
_add_move("503 three times", 10, status=503, times=3)
_add_move("connection reset, not made", 5, reset=True)
_add_move("connection reset, but made", 5, reset=True, applied=True, facts={"twice": 1})
_add_move("never answered, not made", 20, hang=True)
_add_move("never answered, but made", 5, hang=True, applied=True)
_add_move("made after 3 s", 8, delay_before_s=3)
_add_move("400 not your turn, though it is", 8, status=400,
          body=b'{"error":"Not your turn, or game already over"}')
_add_move("400 not your turn, but made", 5, status=400, applied=True,
          body=b'{"error":"Not your turn, or game already over"}')
_add_move("429, JSON, short clock", 12, clock_s=50, status=429)
_add_move("429, HTML, short clock", 12, clock_s=50, status=429, html=True)
_add_move("429 three times, short clock", 20, clock_s=50, status=429, times=3)
_add_move("429, JSON, the clock lasts: the minute is kept", 75, facts={"is_slow": True},
          status=429)


@table.row(f"move: answered after {LATE_S} s", 5)
async def answered_late(stage: FaultStage) -> None:
    """The echo settles it; neither our time-out nor the late answer changes anything."""
    await stage.start()
    game = await stage.new_game()
    stage.sim.faults.order("move", delay_after_s=LATE_S)
    stage.struck()
    await stage.turn(game)
    await stage.turn(game)
    stage.recovered()
    await asyncio.sleep(LATE_S)
    await stage.turn(game)


@table.row(f"move: arrives after {LATE_S} s, when it was sent again long since", 20, twice=1)
async def arrives_late(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.sim.faults.order("move", delay_before_s=LATE_S)
    stage.struck()
    await stage.turn(game, 20)
    await stage.turn(game)
    stage.recovered()
    await asyncio.sleep(LATE_S)
    await stage.turn(game)


def _bodies() -> tuple[tuple[str, dict[str, Any]], ...]:
    return (("JSON", {}), ("HTML", {"html": True}))


def _add_limits(words: str, body: dict[str, Any]) -> None:
    @table.row(f"accept: 429, {words}", 5)
    async def on_accept(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game()
        stage.sim.faults.order("accept", status=429, **body)
        stage.struck()
        await stage.challenge(Idle(), name="Berta", limit=180)
        await stage.sim.until(lambda: stage.sim.count("accept") == 2, 10 * SLOWNESS, "an accept")
        await stage.turn(game)
        stage.recovered()
        await stage.challenge(Idle(), name="Cleo", limit=180)
        await asyncio.sleep(2)
        assert stage.sim.count("accept") == 2, "the minute was not kept"
        await stage.turn(game)

    @table.row(f"decline: 429, {words}", 5)
    async def on_decline(stage: FaultStage) -> None:
        await stage.start(challenge={"max_base": 200})
        game = await stage.new_game()
        stage.sim.faults.order("decline", status=429, **body)
        stage.struck()
        for name in ("Berta", "Cleo"):
            await stage.challenge(Idle(), name=name, limit=600)
            await stage.sim.until(lambda: stage.sim.count("decline") == 1, 10 * SLOWNESS)
        await stage.turn(game)
        stage.recovered()
        await asyncio.sleep(2)
        assert stage.sim.count("decline") == 1, "the minute was not kept"

    @table.row(f"chat: 429, {words}", 5)
    async def on_chat(stage: FaultStage) -> None:
        stage.sim.faults.order("chat", status=429, **body)
        await stage.start(chat={"hello": "Good luck!"})
        stage.struck()
        game = await stage.new_game()
        stage.recovered()
        await stage.sim.until(lambda: stage.sim.count("chat") == 1, 10 * SLOWNESS, "a greeting")
        game.chat("player", "Alba", "!engine")
        await stage.turn(game)
        await asyncio.sleep(2)
        assert stage.sim.count("chat") == 1, "the minute was not kept"

    @table.row(f"list of games: 429, {words}", 5)
    async def on_list(stage: FaultStage) -> None:
        stage.sim.faults.order("playing", status=429, **body)
        await stage.start()
        await stage.sim.until(lambda: stage.sim.count("playing") == 1, 10 * SLOWNESS)
        stage.struck()
        challenge = await stage.challenge(Idle(), limit=180)
        challenge.accept()()  # new challenges have to wait, games have not
        await stage.turn(challenge.game)
        stage.recovered()
        await asyncio.sleep(2)
        assert stage.sim.count("playing") == 1, "the minute was not kept"

    @table.row(f"event stream: 429, {words}", 75, is_slow=True)
    async def on_event_stream(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game()
        stage.sim.faults.order("event_stream", status=429, **body)
        stage.struck()
        stage.sim.strike("close")
        await stage.turn(game)  # which needs no event stream
        await asyncio.sleep(50)
        assert stage.sim.count("event_stream") == 2, "the minute was not kept"
        await stage.online(75)
        stage.recovered()
        await stage.turn(game)

    @table.row(f"game stream: 429, {words}", 75, is_slow=True)
    async def on_game_stream(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game()
        other = await stage.new_game(name="Berta")
        stage.sim.faults.order("game_stream", status=429, **body)
        stage.struck()
        stage.sim.strike("close", game)
        await stage.turn(other)  # whose stream is not concerned
        await stage.turn(game, 75)
        stage.recovered()


for _body in _bodies():
    _add_limits(*_body)


@table.row("event stream: 429 at our start, while a game is on", 5)
async def no_event_stream(stage: FaultStage) -> None:
    challenge = await stage.challenge(Idle(), limit=180)
    challenge.accept()()
    await stage.opponent_moves(challenge.game)
    stage.sim.faults.order("event_stream", status=429, times=100,
                           body=b'{"error":"x","ratelimit":{"key":"stream","seconds":600}}')
    stage.struck()
    await stage.start(wait=False)
    await stage.our_move(challenge.game, 5)
    stage.recovered()
    await asyncio.sleep(2)
    assert stage.sim.count("event_stream") == 1, "the limit was not kept"


@table.row("chat: refused", 5)
async def chat_refused(stage: FaultStage) -> None:
    stage.sim.faults.order("chat", status=400, times=1000)
    await stage.start(chat={"hello": "Good luck!"})
    stage.struck()
    game = await stage.new_game()
    for text in ("!engine", "!eval", "hello"):
        game.chat("player", "Alba", text)
        await stage.turn(game)
    stage.recovered()
    assert stage.sim.count("chat") > 0, "nothing was said at all"


@table.row("accept: 502, not accepted", 10)
async def accept_not_applied(stage: FaultStage) -> None:
    await stage.start()
    stage.sim.faults.order("accept", status=502)
    stage.struck()
    await stage.new_game()
    stage.recovered()


@table.row("accept: 502, but accepted", 5)
async def accept_applied(stage: FaultStage) -> None:
    await stage.start()
    stage.sim.faults.order("accept", status=502, applied=True)
    stage.struck()
    await stage.new_game()
    stage.recovered()


@table.row("accept: connection reset, but accepted", 5)
async def accept_reset(stage: FaultStage) -> None:
    await stage.start()
    stage.sim.faults.order("accept", reset=True, applied=True)
    stage.struck()
    await stage.new_game()
    stage.recovered()


@table.row("list of games: 502", 20)
async def list_fails(stage: FaultStage) -> None:
    """The list is what tells of a game whose gameStart got lost."""
    stage.sim.resend_games = False
    challenge = await stage.challenge(Idle(), limit=180)
    challenge.accept()()
    await stage.opponent_moves(challenge.game)
    stage.sim.faults.order("playing", status=502)
    stage.struck()
    await stage.start()
    await stage.our_move(challenge.game, 20)
    stage.recovered()


@table.row("everything answers 502 for 10 s", 30, requests=60)
async def all_fails(stage: FaultStage) -> None:
    await stage.start()
    games = [await stage.new_game(name=name) for name in ("Alba", "Berta", "Cleo")]
    stage.struck()
    stage.sim.faults.order("", status=502, times=10000)
    for game in games:
        stage.sim.strike("cut", game)
        await stage.opponent_moves(game)
    stage.sim.strike("cut")
    await asyncio.sleep(10)
    stage.sim.faults.clear()
    stage.struck()
    for game in games:
        await stage.our_move(game, 30)
    await stage.online(60)
    stage.recovered()
