# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts and their tokens, and what the API tells of them."""
from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Optional

from .answers import OK, Refused
from .http1 import Response, Stream, json_response
from .opponent import Idle

if TYPE_CHECKING:
    from .routes import Call


ALL_SCOPES = ("bot:play", "challenge:read", "challenge:write")


@dataclass
class Account:
    name: str
    title: Optional[str] = None
    rating: int = 1500
    provisional: bool = False
    allows_takebacks: bool = True
    answer: str = "accept"              # to our challenges: accept, ignore, or a decline reason
    player: Callable[[], Idle] = Idle   # makes who moves for it in games that we asked for
    is_present: bool = False            # a bot that is online without a program of its own
    games_played: int = 0
    age_days: int = 1800
    bot_games: int = 0                  # of them against bots, today
    credits_spent: list[tuple[float, int]] = field(default_factory=list)  # on challenges
    event_streams: list[tuple[str, Stream]] = field(default_factory=list)  # with their token

    @property
    def id(self) -> str:
        return self.name.lower()

    @property
    def titled_name(self) -> str:
        return f"{self.title} {self.name}" if self.title else self.name

    @property
    def is_online(self) -> bool:
        return self.is_present or self.title != "BOT" or any(s.is_open for _, s in self.event_streams)

    def profile(self, url: str) -> dict[str, Any]:
        perf = {"games": self.games_played, "rating": self.rating, "rd": 60, "prog": 0}
        if self.provisional:
            perf["prov"] = True
        profile = {"id": self.id, "username": self.name,
                   "perfs": {name: perf for name in ("bullet", "blitz", "rapid", "classical")},
                   "createdAt": int((time.time() - 86400 * self.age_days) * 1000),
                   "seenAt": int(time.time() * 1000),
                   "playTime": {"total": 0, "tv": 0}, "url": f"{url}/@/{self.name}",
                   "count": {"all": self.games_played, "rated": 0, "draw": 0, "loss": 0, "win": 0,
                             "bookmark": 0, "playing": 0, "import": 0, "me": 0},
                   "followable": True, "following": False, "blocking": False}
        if self.title:
            profile["title"] = self.title
        return profile

    def in_game(self, _perf: str) -> dict[str, Any]:
        user = {"id": self.id, "name": self.name, "title": self.title, "rating": self.rating}
        if self.provisional:
            user["provisional"] = True
        return user

    def in_challenge(self) -> dict[str, Any]:
        user: dict[str, Any] = {"id": self.id, "name": self.name, "rating": self.rating}
        if self.title:
            user["title"] = self.title
        if self.provisional:
            user["provisional"] = True
        if self.is_online:
            user["online"] = True
        return user


@dataclass
class Token:
    text: str
    account: Account
    scopes: tuple[str, ...]
    opens: list[float] = field(default_factory=list)  # of the event stream
    expires: Optional[int] = None  # Unix time in ms


async def token_test(call: Call) -> Response:
    answer: dict[str, Any] = {}
    for text in call.request.body.decode().split(","):
        token = call.sim.tokens.get(text.strip())
        answer[text.strip()] = None if token is None else {
            "userId": token.account.id, "scopes": ",".join(token.scopes),
            "expires": token.expires}
    return json_response(answer)


async def account(call: Call) -> Response:
    return json_response(call.account.profile(call.sim.url))


async def upgrade(call: Call) -> Response:
    if call.account.games_played:
        raise Refused("You already have games played. Make a new account.")
    call.account.title = "BOT"
    return json_response(OK)


async def users_status(call: Call) -> Response:
    users = []
    for name in call.request.query.get("ids", "").split(","):
        user = call.sim.accounts.get(name.lower())
        if user is None:
            continue
        entry: dict[str, Any] = {"id": user.id, "name": user.name}
        if user.title:
            entry["title"] = user.title
        if user.is_online:
            entry["online"] = True
        if any(g.is_running and g.colour_of(user) for g in call.sim.games.values()):
            entry["playing"] = True
        users.append(entry)
    return json_response(users)


async def user_profile(call: Call, username: str) -> Response:
    user = call.sim.accounts.get(username.lower())
    if user is None:
        raise LookupError("Not found")
    return json_response(user.profile(call.sim.url))


async def bots_online(call: Call) -> Response:
    bots = [a for a in call.sim.accounts.values() if a.title == "BOT" and a.is_online]
    lines = b"".join(json_response(bot.profile(call.sim.url)).body + b"\n"
                     for bot in bots[:int(call.request.query.get("nb", 100))])
    return Response(200, lines, "application/x-ndjson")
