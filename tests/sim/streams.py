# SPDX-License-Identifier: GPL-3.0-or-later
"""The event stream and the games' streams: who opens them, and what comes first."""
from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Optional

from .answers import error
from .http1 import Response

if TYPE_CHECKING:
    from .routes import Call


STREAM_BUFFER_LINES = 32
DONT_POLL = "Please don't poll this endpoint, it is intended to be streamed."


async def event_stream(call: Call) -> Optional[Response]:
    sim, me, now = call.sim, call.account, time.monotonic()
    call.token.opens = [t for t in call.token.opens if now - t < 600] + [now]
    if len(call.token.opens) > sim.stream_opens_limit:
        return error(call.request, 429, DONT_POLL, call.headers)
    for text, old in me.event_streams:
        if text == call.token.text:
            old.end()
    stream = call.stream()
    me.event_streams = [(t, s) for t, s in me.event_streams if s.is_open]
    me.event_streams.append((call.token.text, stream))
    lines: list[dict[str, Any]] = []
    for game in sim.games.values():
        colour = game.colour_of(me)
        if game.is_running and colour and sim.resend_games:
            lines.append({"type": "gameStart", "game": game.summary(colour)})
    lines += [{"type": "challenge", "challenge": challenge.json()}
              for challenge in sim.challenges.values()
              if challenge.dest is me and challenge.status == "created"]
    for line in lines[-STREAM_BUFFER_LINES:]:
        stream.send(line)
    sim.notify()
    await stream.wait()
    me.event_streams = [(t, s) for t, s in me.event_streams if s is not stream]
    return None


async def game_stream(call: Call, game_id: str) -> Optional[Response]:
    game, colour = call.seat(game_id)
    stream = call.stream()
    stream.lag = game.lag or stream.lag
    game.attach(colour, stream, call.request.headers.get("user-agent", ""))
    await stream.wait()
    return None
