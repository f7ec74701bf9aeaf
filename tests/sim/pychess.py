# SPDX-License-Identifier: GPL-3.0-or-later
"""PyChess's manners: what gbtami/pychess-variants does otherwise than Lichess, over the same games.

Set as `Simulator.manners`. As seen on a real server of commit 37b7a729a.
"""
from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Optional

from . import board
from .http1 import Request, Response, json_response

if TYPE_CHECKING:
    from .routes import Route
    from .server import Simulator

CAPABILITIES = "x-pychess-bot-capabilities"
VARIANTS = {"standard": "chess", "chess960": "chess", "fromPosition": "chess",
            "threeCheck": "3check", "kingOfTheHill": "kingofthehill",
            "racingKings": "racingkings"}
# There is no such thing: the answer's status.
MISSING = {"challenge_list": 404, "draw": 404, "takeback": 404, "claim": 404, "user": 404,
           "bots_online": 404, "tournament": 404, "users_status": 404, "create": 403}
KEEPALIVE = b'{"type":"ping"}\n'


def text_answer(request: Request, status: int, text: str) -> Response:
    request.error = text
    return Response(status, text.encode(), "text/plain; charset=utf-8")


def _variant(value: dict[str, Any]) -> str:
    key = value["variant"]["key"]
    return VARIANTS.get(key, key)


def _state(state: dict[str, Any]) -> dict[str, Any]:
    kept = {key: state[key] for key in ("moves", "wtime", "btime")}
    return {"type": "gameState", **kept, "winc": state["winc"] // 1000,
            "binc": state["binc"] // 1000, "wdraw": False, "bdraw": False, "wtakeback": False,
            "btakeback": False, "status": "started"}


def _full(full: dict[str, Any]) -> dict[str, Any]:
    fen = full["initialFen"]
    return {"type": "gameFull", "id": full["id"], "variant": {"name": _variant(full)},
            "white": {"name": full["white"].get("name", "Anon")},
            "black": {"name": full["black"].get("name", "Anon")},
            "initialFen": "" if fen == "startpos" else fen,
            "createdAt": full["createdAt"] // 1000, "state": _state(full["state"])}


def _challenge(challenge: dict[str, Any]) -> dict[str, Any]:
    challenger = challenge["challenger"] or {"name": "Anon\u2013xyz"}
    return {"id": challenge["id"], "status": "created",
            "challenger": {"name": challenger["name"], "rating": challenger.get("rating", 1500)},
            "variant": {"key": "standard" if _variant(challenge) == "chess"
                        else _variant(challenge)},
            "chess960": challenge["variant"]["key"] == "chess960", "rated": False,
            "speed": challenge["speed"], "timeControl": challenge["timeControl"],
            "color": challenge["color"]}


class Pychess:
    """One server's; `refused_moves` counts those that cost a game."""

    def __init__(self, sim: "Simulator"):
        self.sim = sim
        self.refused_moves = 0
        sim.castling = "king-to-target"

    def line(self, game_id: str, value: dict[str, Any]) -> Optional[dict[str, Any]]:
        """What goes out on a stream in place of Lichess's line; None: nothing. `game_id`: of a
        game's stream."""
        kind = value.get("type")
        if kind == "challenge":
            return {"type": kind, "challenge": _challenge(value["challenge"])}
        if kind == "gameStart":
            is_960 = value["game"]["variant"]["key"] == "chess960"
            return {"type": kind, "game": {"id": value["game"]["gameId"], "skill_level": "0",
                                           "chess960": str(is_960)}}
        if kind == "gameFull":
            return _full(value)
        if kind == "gameState":  # of an end neither the last move nor the result is told
            return _state(value) if value["status"] == "started" \
                else {"type": "gameEnd", "game": {"id": game_id}}
        if kind == "chatLine":
            return value
        return None  # the rest is never told

    def refusal(self, request: Request, route: Optional["Route"],
                arguments: dict[str, str]) -> Optional[Response]:
        """An answer in place of the handler's."""
        if route is None or route.family in MISSING or (
                route.family == "chat" and request.method == "GET"):
            status = MISSING.get(route.family, 405) if route else 404
            return text_answer(request, status, f"{status}: no such thing")
        if route.family == "event_stream":
            try:
                wanted = json.loads(request.headers[CAPABILITIES])
                assert wanted["version"] == 1 and "chess" in wanted["variants"]
            except (KeyError, ValueError, AssertionError):
                return text_answer(request, 400, f"Missing required {CAPABILITIES} header.")
        if route.family == "playing":
            return json_response({"nowPlaying": []})
        if route.family == "move":
            return self._move(request, arguments)
        return None

    def _move(self, request: Request, arguments: dict[str, str]) -> Optional[Response]:
        """An illegal move is taken with 200, and loses the game."""
        game, move = self.sim.games[arguments["game_id"]], arguments["uci"]
        is_castling = board.is_castling(board.squares(game.position.fen), move)
        if game.is_running and is_castling and game.variant != "chess960":
            self.refused_moves += 1
            game.finish("cheat", board.other(game.turn))
            return json_response({"ok": True})
        return None

    def answer(self, request: Request, route: "Route", response: Response) -> Response:
        """The handler's answer in PyChess's words."""
        response.headers.pop("X-OAuth-Scopes", None)
        if response.status >= 400:
            return text_answer(request, response.status, f"{response.status}: refused")
        if route.family == "account":
            account = json.loads(response.body)
            return json_response({"id": account["username"], "username": account["username"],
                                  "title": account.get("title", "")})
        return response
