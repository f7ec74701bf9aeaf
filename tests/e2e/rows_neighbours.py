# SPDX-License-Identifier: GPL-3.0-or-later
"""Neighbours that refuse what they should not, send more than anybody can want, or hold connections."""
from __future__ import annotations

import asyncio
import contextlib
import json
import os
import time
from typing import Any, AsyncIterator

from sim.daemon import free_port
from sim.faults import REFUSALS
from sim.floods import add_endless_list, pieces_of
from sim.frames import FrameInjector
from sim.game import Game
from sim.opponent import Idle

from .harness import SLOWNESS
from .matrix import FaultStage, Table

table = Table("Neighbours")

FLOOD_S = 4
MOVE_S = 1.5
HOLDERS = 300  # connections


# A proxy in front, or one bad answer

@table.row("a proxy answers everything with an HTML 403 for 5 s", 25)
async def proxy_403(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game(limit=600)
    stage.struck()
    stage.sim.faults.order("", lasts_s=5, **REFUSALS["proxy 403"])
    stage.sim.strike("close", game)
    stage.sim.strike("close")
    await stage.turn(game, 25)
    stage.recovered()
    await stage.online(30)
    await stage.new_game(name="Berta")


def _add_refusal(what: str, words: str) -> None:
    @table.row(f"event and game stream: {words}, once", 30)
    async def refused(stage: FaultStage) -> None:
        await stage.start()
        game = await stage.new_game(limit=600)
        stage.struck()
        for family in ("event_stream", "game_stream"):
            stage.sim.faults.order(family, **REFUSALS[what])
        stage.sim.strike("close", game)
        stage.sim.strike("close")
        await stage.turn(game, 30)
        await stage.online(30)
        stage.recovered()
        assert stage.daemon.is_running, "gave up"


_add_refusal("proxy 403", "403, HTML")
_add_refusal("playban", "403, a ban from playing")
_add_refusal("restricted", "403, a marked account")
_add_refusal("missing scope", "403, a missing scope")
_add_refusal("no such token", "401")


@table.row("event stream: its head comes 7 s late", 3)
async def late_head(stage: FaultStage) -> None:
    """As HTTP/2's proxies do with a stream that has nothing to say: no reason to wait for it."""
    stage.sim.faults.order("event_stream", delay_before_s=7)
    challenge = await stage.challenge(limit=600)
    challenge.accept()()
    await stage.opponent_moves(challenge.game)
    stage.struck()
    await stage.start(wait=False)
    await stage.our_move(challenge.game, 3)
    stage.recovered()
    await stage.online(30)
    assert stage.sim.count("event_stream") == 1, "the stream was given up"


@table.row("the clocks are not told", 15, variant="standard")  # a search of 60 s may take 12.8
async def untold_clocks(stage: FaultStage) -> None:
    await stage.start(engine={"nodes": 0})
    game = await stage.new_game(limit=60)
    stage.sim.tells_clocks = False
    stage.struck()
    before_s = game.left_s(game.colour_of(stage.bot))
    await stage.turn(game, 20)
    stage.recovered()
    spent_s = before_s - game.left_s(game.colour_of(stage.bot))
    assert spent_s > 0.2, f"{spent_s:.3f} s: a reflex, not a search"
    for _ in range(3):
        await stage.turn(game, 20)


# Floods

@contextlib.asynccontextmanager
async def _during(flood: Any) -> AsyncIterator[None]:
    flooding = asyncio.ensure_future(flood)
    try:
        await asyncio.sleep(0.5)
        yield
    finally:
        flooding.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await flooding


async def _moves_on(stage: FaultStage, game: Game, turns: int = 4) -> None:
    """Recovery is the slowest turn."""
    slowest = 0.0
    stage.struck()
    for _ in range(turns):
        began = time.monotonic()
        await stage.turn(game, 10)
        slowest = max(slowest, time.monotonic() - began)
        await asyncio.sleep(0.3)
    stage.recovery_s = slowest


def _add_flood(words: str, line: bytes) -> None:
    @table.row(f"event stream: a flood of {words}", MOVE_S, is_alone=True)
    async def on_the_event_stream(stage: FaultStage) -> None:
        await stage.start(log={"level": "info"})
        game = await stage.new_game(limit=600)
        stream = await stage.event_stream()
        async with _during(stream.pour(pieces_of(line), FLOOD_S)):
            await _moves_on(stage, game)
        await stage.online(90)


_add_flood("empty lines", b"\n")
_add_flood("unknown events", b'{"type":"x"}\n')
_add_flood("broken lines", b"{\n")


@table.row("event stream: a flood of declined challenges", MOVE_S, is_alone=True)
async def declined_challenges(stage: FaultStage) -> None:
    await stage.start(log={"level": "info"})
    game = await stage.new_game(limit=600)
    challenge = (await stage.challenge(Idle(), name="Berta", limit=15)).json()
    line = json.dumps({"type": "challengeDeclined", "challenge": challenge}).encode() + b"\n"
    stream = await stage.event_stream()
    async with _during(stream.pour(pieces_of(line), FLOOD_S)):
        await _moves_on(stage, game)
    await stage.online(90)


@table.row("another game's stream: a flood of empty lines", MOVE_S, is_alone=True)
async def another_games_stream(stage: FaultStage) -> None:
    await stage.start(log={"level": "info"})
    game = await stage.new_game(limit=600)
    other = await stage.new_game(name="Berta", limit=600)
    stream = await stage.stream(other)
    async with _during(stream.pour(pieces_of(b"\n"), FLOOD_S)):
        await _moves_on(stage, game)
    await stage.turn(other, 60)


def _add_frame_flood(kind: str) -> None:
    @table.row(f"the connection: a flood of {kind} frames", MOVE_S, is_alone=True,
               protocols=("HTTP/2",))
    async def on_the_connection(stage: FaultStage) -> None:
        frames = await FrameInjector.start(stage.url, stage.sim.certificate_file,
                                           stage.sim.key_file)
        try:
            await stage.start(log={"level": "info"}, account={"url": frames.url})
            game = await stage.new_game(limit=600)
            async with _during(frames.pour(kind, FLOOD_S)):
                await _moves_on(stage, game)
            await stage.online(90)
            await stage.end_games()
        finally:
            await frames.close()


_add_frame_flood("PING")
_add_frame_flood("PRIORITY")


@table.row("a list's server sends a chunk extension without end", MOVE_S, is_alone=True,
           protocols=("HTTP/1.1",))
async def endless_list(stage: FaultStage) -> None:
    flooded = add_endless_list(stage.sim, "/list.txt")
    await stage.start(log={"level": "info"}, challenge={"block_list": stage.url + "/list.txt"})
    game = await stage.new_game(limit=600)
    await asyncio.wait_for(flooded.wait(), 10 * SLOWNESS)
    await _moves_on(stage, game)


# Who holds connections

async def _hold(port: int, writers: list[asyncio.StreamWriter]) -> None:
    """Opens connections again and again, and trickles on them."""
    while True:
        for writer in [w for w in writers if w.is_closing()]:
            writers.remove(writer)
        while len(writers) < HOLDERS:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(b"GET / HTTP/1.1\r\nX: ")
                writers.append(writer)
            await asyncio.sleep(0.001)
        for writer in writers:
            with contextlib.suppress(OSError):
                writer.write(b"x")
        await asyncio.sleep(0.1)


@table.row(f"the status page: {HOLDERS} connections that trickle", MOVE_S, is_alone=True)
async def page_is_held(stage: FaultStage) -> None:
    port, writers = free_port(), []
    await stage.start(status={"http": port})
    game = await stage.new_game(limit=600)
    try:
        async with _during(_hold(port, writers)):
            await _moves_on(stage, game, 6)
    finally:
        for writer in writers:
            writer.close()


@table.row(f"the control socket: {HOLDERS} connections that read no answer", MOVE_S,
           is_alone=True)
async def socket_is_held(stage: FaultStage) -> None:
    path = os.path.join(stage.directory, "castled.sock")
    await stage.start(status={"socket": path})
    game = await stage.new_game(limit=600)
    writers: list[asyncio.StreamWriter] = []

    async def ask() -> None:
        while True:
            while len(writers) < HOLDERS:
                with contextlib.suppress(OSError):
                    _, writer = await asyncio.open_unix_connection(path, limit=1)
                    writer.transport.pause_reading()
                    writer.write(b'{"command":"status"}\n')
                    writers.append(writer)
                await asyncio.sleep(0.001)
            await asyncio.sleep(0.1)
            for writer in [w for w in writers if w.is_closing()]:
                writers.remove(writer)
    try:
        async with _during(ask()):
            await _moves_on(stage, game, 6)
    finally:
        for writer in writers:
            writer.transport.abort()
    status, output = await stage.command("status", "--config",
                                         os.path.join(stage.directory, "castled.conf"), token=None)
    assert status == 0, output
