# SPDX-License-Identifier: GPL-3.0-or-later
"""The calls with which a bot plays a game."""
from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Optional

from . import pgn
from .answers import OK, Refused, form_error, is_yes
from .http1 import Response, json_response

if TYPE_CHECKING:
    from .game import Game
    from .routes import Call


async def playing(call: Call) -> Response:
    limit = min(50, max(1, int(call.request.query.get("nb", 9))))
    games = call.sim.games_of(call.account)
    return json_response({"nowPlaying": [game.summary(colour) for game, colour in games[:limit]],
                          "nbMyTurn": sum(game.turn == colour for game, colour in games)})


async def move(call: Call, game_id: str, uci: str) -> Response:
    game, colour = call.seat(game_id)
    if not game.is_running:
        raise Refused("game ID is finished")
    sim, arrived = call.sim, call.request.arrived
    if len(game.moves) > 2 and game.turn == colour:  # the first one finds no stream open yet
        sim.move_latencies_s.append(arrived - game.announced_at[-1])
    offers_draw = is_yes(call.request.query.get("offeringDraw", ""))
    plies = len(game.moves)
    announce = await game.make(colour, uci, offers_draw, arrived)
    call.request.ply = plies + 1 if len(game.moves) > plies else 0
    response = json_response(OK)
    if sim.echo_first:
        announce()
    else:
        response.after = announce
    return response


async def chat(call: Call, game_id: str) -> Response:
    game, _ = call.seat(game_id)
    form = call.request.form()
    room, text = form.get("room", ""), form.get("text", "")
    if room not in ("player", "spectator"):
        return form_error(call.request, "room", "Invalid value")
    if not 1 <= len(text) <= 140:
        return form_error(call.request, "text", "Maximum length is 140" if text else "Required")
    call.sim.chats.append((game_id, room, call.account.id, text))
    if "://" not in text and "www." not in text:  # lines with links are dropped silently
        game.chat(room, call.account.id, text)
    return json_response(OK)


async def chat_so_far(call: Call, game_id: str) -> Response:
    call.seat(game_id)
    return json_response([{"text": text, "user": user} for of, room, user, text in call.sim.chats
                          if of == game_id and room == "player"])


async def abort(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    game.abort(colour)
    return json_response(OK)


async def resign(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    game.resign(colour)
    return json_response(OK)


async def draw(call: Call, game_id: str, answer: str) -> Response:
    game, colour = call.seat(game_id)
    game.draw(colour, is_yes(answer))
    return json_response(OK)


async def takeback(call: Call, game_id: str, answer: str) -> Response:
    game, colour = call.seat(game_id)
    game.takeback(colour, is_yes(answer))
    return json_response(OK)


async def claim_victory(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    return await _claim(call, game, colour, colour, "You cannot claim the win on this game")


async def claim_draw(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    return await _claim(call, game, colour, None, "You cannot claim draw on this game")


async def _claim(call: Call, game: Game, colour: str, winner: Optional[str],
                 text: str) -> Response:
    game.claim(colour, winner, text)
    await asyncio.sleep(call.sim.limits.claim_hold_s)
    return json_response(OK)


async def berserk(call: Call, game_id: str) -> Response:
    raise Refused("Cannot berserk")


async def export(call: Call, game_id: str) -> Response:
    game = call.sim.games.get(game_id)
    if game is None:
        raise LookupError("No such game")
    return Response(200, pgn.write(game).encode(), "application/x-chess-pgn")
