# SPDX-License-Identifier: GPL-3.0-or-later
"""Which request goes to which call, and what it takes to be let in."""
from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Awaitable, Callable, Optional

from . import accounts, arenas, challenges, play, streams
from .accounts import Account, Token
from .challenges import Challenge
from .game import Game
from .http1 import Connection, Request, Response, Stream
from .pychess import KEEPALIVE

if TYPE_CHECKING:
    from .server import Simulator


class Call:
    """One request on its way through a handler."""

    def __init__(self, sim: Simulator, request: Request, connection: Connection,
                 token: Optional[Token], headers: dict[str, str]):
        self.sim, self.request, self.connection = sim, request, connection
        self.token, self.headers = token, headers

    @property
    def account(self) -> Account:
        return self.token.account

    def seat(self, game_id: str) -> tuple[Game, str]:
        """The game and our colour in it."""
        game = self.sim.games.get(game_id)
        if game is None:
            raise LookupError("No such game")
        colour = game.colour_of(self.account)
        if colour is None:
            raise LookupError("Not your game")
        return game, colour

    def challenge(self, challenge_id: str, side: str = "") -> Challenge:
        challenge = self.sim.challenges.get(challenge_id)
        if challenge is None or challenge.is_deleted \
                or (side == "dest" and challenge.dest is not self.account):
            raise LookupError("Not found")
        return challenge

    def stream(self, keepalive_s: float) -> Stream:
        """Over HTTP/2 the proxy in front keeps the head back until the body begins."""
        stream = Stream(self.connection, keepalive_s, self.headers,
                        late_head=self.request.headers.get("via", "").startswith("2 "))
        stream.split, stream.lag = self.sim.stream_split, self.sim.lag
        if self.sim.manners is not None:
            stream.keepalive = KEEPALIVE
            stream.rewrite = functools.partial(self.sim.manners.line,
                                               self.request.path.rpartition("/")[2])
        self.request.status = 200
        return stream


@dataclass
class Route:
    method: str
    pattern: "re.Pattern[str]"
    family: str                      # the name that faults and counts go by
    scopes: tuple[str, ...]          # any one of these will do
    bots_only: bool
    needs_token: bool
    handler: Callable[..., Awaitable[Optional[Response]]]


def _play(command: str, family: str, handler: Callable) -> Route:
    return Route("POST", re.compile(r"/api/bot/game/(?P<game_id>\w+)/" + command), family,
                 ("bot:play",), True, True, handler)


def route(method: str, path: str, family: str, handler: Callable,
          scopes: tuple[str, ...] = (), bots_only: bool = False, token: bool = True) -> Route:
    return Route(method, re.compile(path), family, scopes, bots_only, token, handler)


_CHALLENGE = r"/api/challenge/(?P<challenge_id>\w+)"
_TOURNAMENT = r"/api/tournament/(?P<tournament_id>\w+)"
_ANSWERS = ("bot:play", "board:play", "challenge:write")
ROUTES = (
    route("POST", "/api/token/test", "token_test", accounts.token_test, token=False),
    route("GET", "/api/account", "account", accounts.account),
    route("GET", "/api/account/playing", "playing", play.playing),
    route("POST", "/api/bot/account/upgrade", "upgrade", accounts.upgrade, ("bot:play",)),
    route("GET", "/api/stream/event", "event_stream", streams.event_stream,
          ("bot:play", "board:play", "challenge:read")),
    route("GET", r"/api/bot/game/stream/(?P<game_id>\w+)", "game_stream", streams.game_stream,
          ("bot:play",), True),
    _play(r"move/(?P<uci>[^/]+)", "move", play.move),
    _play("chat", "chat", play.chat),
    route("GET", r"/api/bot/game/(?P<game_id>\w+)/chat", "chat", play.chat_so_far,
          ("bot:play",), True),
    _play("abort", "abort", play.abort),
    _play("resign", "resign", play.resign),
    _play(r"draw/(?P<answer>\w+)", "draw", play.draw),
    _play(r"takeback/(?P<answer>\w+)", "takeback", play.takeback),
    _play("claim-victory", "claim", play.claim_victory),
    _play("claim-draw", "claim", play.claim_draw),
    _play("berserk", "berserk", play.berserk),
    route("GET", r"/game/export/(?P<game_id>\w+)", "export", play.export),
    route("GET", _TOURNAMENT, "tournament", arenas.show),
    route("GET", r"/api/team/(?P<team_id>[\w-]+)/arena", "team_arenas", arenas.of_team,
          token=False),
    route("GET", r"/api/team/(?P<team_id>[\w-]+)/users", "team_members", accounts.team_members,
          token=False),
    route("POST", _TOURNAMENT + "/join", "join", arenas.join),
    route("POST", _TOURNAMENT + "/withdraw", "withdraw", arenas.withdraw),
    route("GET", "/api/challenge", "challenge_list", challenges.list_all, ("challenge:read",)),
    route("GET", _CHALLENGE + "/show", "challenge_show", challenges.show, ("challenge:read",)),
    route("POST", _CHALLENGE + "/accept", "accept", challenges.accept, _ANSWERS),
    route("POST", _CHALLENGE + "/decline", "decline", challenges.decline, _ANSWERS),
    route("POST", _CHALLENGE + "/cancel", "cancel", challenges.cancel, _ANSWERS),
    route("POST", "/api/challenge/ai", "create_ai", challenges.create_ai, ("bot:play",)),
    route("POST", r"/api/challenge/(?P<username>[\w-]+)", "create", challenges.create, _ANSWERS),
    route("GET", "/api/users/status", "users_status", accounts.users_status, token=False),
    route("GET", r"/api/user/(?P<username>[\w-]+)", "user", accounts.user_profile, token=False),
    route("GET", "/api/bot/online", "bots_online", accounts.bots_online, token=False),
)
