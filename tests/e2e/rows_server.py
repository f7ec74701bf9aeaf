# SPDX-License-Identifier: GPL-3.0-or-later
"""A server that is not there, restarts, or shows papers that prove nothing."""
from __future__ import annotations

import asyncio
import os
import time
from typing import Any

from sim.server import Simulator

from .harness import SLOWNESS
from .matrix import FaultStage, Table, shim
from .rows_streams import SILENCE_S

table = Table("Server")


async def _outage(stage: FaultStage, seconds: float, within_s: float) -> None:
    """The server is away while it is our turn in one game and the opponent's in another."""
    await stage.start()
    clock_s = 180 if seconds < 60 else 1800
    theirs = await stage.new_game(limit=clock_s)
    ours = await stage.new_game(limit=clock_s, name="Berta")
    await stage.sim.down()
    await stage.opponent_moves(ours)
    await asyncio.sleep(seconds)
    stage.struck()
    await stage.sim.start()
    await stage.our_move(ours, within_s)
    await stage.turn(theirs, within_s)
    stage.recovered()
    await stage.online(120)


@table.row("away for 5 s", 20)
async def away_shortly(stage: FaultStage) -> None:
    await _outage(stage, 5, 20)


@table.row("away for 10 minutes", 30, is_slow=True)
async def away_for_long(stage: FaultStage) -> None:
    await _outage(stage, 600, 30)


@table.row("restart in mid-game, then 502 for the first requests", 20)
async def restart(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    stage.struck()
    await stage.sim.down()
    await stage.opponent_moves(game)
    await asyncio.sleep(1)
    stage.sim.faults.order("", status=502, times=3)
    await stage.sim.start()
    stage.struck()
    await stage.our_move(game, 20)
    stage.recovered()


async def _refused_at_the_start(stage: FaultStage, seconds: float, within_s: float) -> None:
    """A game is on, and we are new."""
    challenge = await stage.challenge(limit=600)
    challenge.accept()()
    await stage.opponent_moves(challenge.game)
    await stage.sim.down()
    await stage.start(wait=False)
    await asyncio.sleep(seconds)
    stage.struck()
    await stage.sim.start()
    await stage.our_move(challenge.game, within_s)
    stage.recovered()
    await stage.online(30)


@table.row("refuses connections at our start for 2 s", 10)
async def refused_at_the_start(stage: FaultStage) -> None:
    await _refused_at_the_start(stage, 2, 10)


@table.row("refuses connections at our start for 2 minutes", 30, is_slow=True)
async def refused_at_the_start_for_long(stage: FaultStage) -> None:
    await _refused_at_the_start(stage, 120, 30)


@table.row("its name cannot be resolved", 5)
async def unknown_name(stage: FaultStage) -> None:
    stage.struck()
    await stage.start(wait=False, account={"url": "https://nowhere.invalid"})
    await stage.log_says("(?i)resolve")
    stage.recovered()
    await asyncio.sleep(1)
    assert stage.daemon.is_running, "gave up"


@table.row("its name takes 4 s to resolve", 10, waits="" if shim() else "not with a sanitizer")
async def slow_name(stage: FaultStage) -> None:
    """No SIGTERM waits for it, and nothing that goes on an open connection."""
    stage.variables.update(LD_PRELOAD=shim(), SHIM_NAMES_MS="4000")
    account = {"url": "https://lichess.test:" + stage.url.rpartition(":")[2]}
    await stage.start(wait=False, account=account)
    await asyncio.sleep(1)
    await stage.stop_daemon()
    assert not stage.sim.requests, "it was resolved at once"
    stage.struck()
    await stage.start(account=account)
    stage.recovered()
    game = await stage.new_game()
    stage.sim.strike("reset", game)
    await stage.turn(game, 3)


def _add_certificate(words: str, own_authority: bool, **certificate: Any) -> None:
    @table.row(f"{words} at our start: refused", 5)
    async def at_the_start(stage: FaultStage) -> None:
        directory = os.path.join(stage.directory, "stranger")
        os.mkdir(directory)
        stranger = Simulator(directory, certificate=certificate)
        await stranger.start()
        try:
            ca_file = stranger.ca_file if own_authority else stage.sim.ca_file
            stage.struck()
            await stage.start(wait=False, account={"url": stranger.url, "ca_file": ca_file})
            await stage.log_says("(?i)certificate")
            stage.recovered()
            assert not stranger.requests, "a request went to a stranger"
            await stage.stop_daemon()
        finally:
            await stranger.stop()


_add_certificate("expired certificate", True, days=-1)
_add_certificate("certificate for another host", True, names="DNS:a.org")
_add_certificate("foreign certificate", False)


@table.row("comes back with a foreign certificate for 3 s", 20, protocols=("HTTP/1.1",))
async def impostor(stage: FaultStage) -> None:
    await stage.start()
    game = await stage.new_game()
    await stage.sim.down()
    await stage.sim.start(certificate={})
    requests = len(stage.sim.requests)
    await stage.opponent_moves(game)
    await stage.log_says("(?i)certificate", 10)
    await asyncio.sleep(3)
    assert len(stage.sim.requests) == requests, "a request went to a stranger"
    await stage.sim.down()
    stage.struck()
    await stage.sim.start()
    await stage.our_move(game, 20)
    stage.recovered()


@table.row("GOAWAY", 5, protocols=("HTTP/2",))
async def goaway(stage: FaultStage) -> None:
    """The connection takes no new requests; the streams on it go on."""
    await stage.start()
    game = await stage.new_game()
    stage.struck()
    await stage.goaway()
    for _ in range(3):
        await stage.turn(game)
    stage.recovered()
    challenge = await stage.challenge(limit=180, name="Berta")
    await challenge.started(5 * SLOWNESS)


@table.row("the connection that all share is reset", 5, protocols=("HTTP/2",))
async def shared_connection_is_reset(stage: FaultStage) -> None:
    await stage.start()
    games = [await stage.new_game(name=name) for name in ("Alba", "Berta", "Cleo")]
    stage.struck()
    await stage.stop_proxy()
    await stage.start_proxy()
    for game in games:
        await stage.turn(game, 10)
    stage.recovered()
    await stage.online()


def _add_frozen(words: str, within_s: float, is_our_move: bool, **freeze: bool) -> None:
    """Connections are lost though what we send is acknowledged, as behind an address translation
    that has forgotten them, or a proxy that hangs. New ones are fine."""
    @table.row(f"open connections are lost, but acknowledged: {words}", within_s, through="address")
    async def frozen(stage: FaultStage) -> None:
        await stage.start(games={"concurrency": 2}, engine={"nodes": 0, "movetime": 300})
        game = await stage.new_game()
        await asyncio.sleep(0.5)  # the answer to our move is on its way
        if is_our_move:
            await stage.opponent_moves(game)
            await asyncio.sleep(0.1)
        stage.struck()
        stage.relay.freeze(**freeze)
        if not is_our_move:
            await stage.opponent_moves(game)
        await stage.our_move(game, within_s)
        stage.recovered()
        await stage.turn(game, within_s)  # its stream may not know yet,
        if freeze.get("mute", True):      # nor the event stream
            await stage.sim.until(lambda: stage.sim.count("event_stream") > 1,
                                  within_s * SLOWNESS, "a new event stream")
        began = time.monotonic()
        second = await stage.new_game(name="Berta")
        for _ in range(3):
            await stage.turn(game, 5)
            await stage.turn(second, 5)
        # On a lost one each of the eight requests takes 5 s or more; a busy machine is merely slow.
        assert time.monotonic() - began < 20 * SLOWNESS, "the lost connections are still used"


_add_frozen("during their move", SILENCE_S, False)
_add_frozen("during our move", SILENCE_S, True)
_add_frozen("nothing reaches the server", SILENCE_S, True, mute=False)
_add_frozen("nothing comes from the server", SILENCE_S, False, deaf=False)
