# SPDX-License-Identifier: GPL-3.0-or-later
"""The event stream and the games' streams: who opens them, and what comes first."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .answers import Refused, error
from .challenges import waiting_for
from .http1 import Response

if TYPE_CHECKING:
    from .routes import Call

CHALLENGES_RESENT = 50
DONT_POLL = "Please don't poll this endpoint, it is intended to be streamed."


def _resent(call: Call) -> list[dict[str, Any]]:
    """What a new event stream begins with: running games, then challenges that wait for us."""
    sim, me = call.sim, call.account
    lines = [{"type": "gameStart", "game": game.summary(colour)}
             for game, colour in sim.games_of(me)] if sim.resend_games else []
    return lines + [{"type": "challenge", "challenge": challenge.json()}
                    for challenge in waiting_for(sim, me)[:CHALLENGES_RESENT]]


async def event_stream(call: Call) -> Optional[Response]:
    sim, me, limits = call.sim, call.account, call.sim.limits
    if call.token.opens.spend(1, (limits.stream_opens_window_s, limits.stream_opens)):
        return error(call.request, 429, DONT_POLL, call.headers)
    for text, old in me.event_streams:
        if text == call.token.text:
            old.end()
    stream = call.stream(sim.keepalive_s)
    me.event_streams = [(t, s) for t, s in me.event_streams if s.is_open]
    me.event_streams.append((call.token.text, stream))
    stream.send_all(_resent(call))
    if sim.says_rare:
        stream.send({"type": "teamInvitation", "team": {"id": "some-team"}})
    sim.notify()
    await stream.wait()
    me.event_streams = [(t, s) for t, s in me.event_streams if s is not stream]
    sim.notify()
    return None


async def game_stream(call: Call, game_id: str) -> Optional[Response]:
    game, colour = call.seat(game_id)
    if not game.is_for_bots:
        raise Refused("This game cannot be played with the Bot API.")
    stream = call.stream(call.sim.keepalive_s)
    stream.lag = game.lag or stream.lag
    await game.attach(colour, stream, call.request.headers.get("user-agent", ""))
    await stream.wait()
    return None
