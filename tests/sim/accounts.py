# SPDX-License-Identifier: GPL-3.0-or-later
"""Accounts and their tokens, and what the API tells of them."""
from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Optional

from .answers import OK, Refused, flags, limited
from .http1 import Response, Stream, json_response
from .limits import Credits
from .opponent import Idle

if TYPE_CHECKING:
    from .routes import Call
    from .server import Simulator

ALL_SCOPES = ("bot:play", "challenge:read", "challenge:write")


@dataclass
class Account:
    name: str
    title: Optional[str] = None
    rating: int = 1500
    provisional: bool = False
    bio: str = "Plays chess."           # without one a bot is not in the list of online bots
    human_play_s: int = 0               # time played against humans, which that list goes by
    ai_level: int = 0                   # one of Lichess's own AI players
    is_anonymous: bool = False          # somebody without an account
    allows_takebacks: Optional[bool] = None  # None: as a new account of its kind
    answer: str = "accept"              # to our challenges: accept, ignore, or a decline reason
    answers_after_s: float = 0          # somebody who is busy until then
    refuses: str = ""                   # the text with which challenges to it are refused
    player: Callable[[], Idle] = Idle   # makes who moves for it in games that we asked for
    is_present: bool = False            # a bot that is online without a program of its own
    is_marked: bool = False             # for breaking the rules
    team: str = ""                      # whose member it is
    games_played: int = 0
    age_days: int = 1800
    bot_games: int = 0                  # of them against bots, today
    ai_games: int = 0                   # today
    no_starts: int = 0                  # arena games lost so, towards a playban
    playban_until: float = 0            # monotonic
    challenge_credits: Credits = field(default_factory=Credits)
    join_credits: Credits = field(default_factory=Credits)
    join_calls: Credits = field(default_factory=Credits)
    looks: Credits = field(default_factory=Credits)  # at /api/account
    event_streams: list[tuple[str, Stream]] = field(default_factory=list)  # with their token

    def __post_init__(self) -> None:
        if self.allows_takebacks is None:
            self.allows_takebacks = self.title != "BOT"

    @property
    def id(self) -> str:
        return self.name.lower()

    @property
    def titled_name(self) -> str:
        return f"{self.title} {self.name}" if self.title else self.name

    @property
    def has_stream(self) -> bool:
        return any(stream.is_open for _, stream in self.event_streams)

    @property
    def is_online(self) -> bool:
        return self.is_present or self.title != "BOT" or self.has_stream

    def lose_sight(self) -> None:
        """The server forgets its event streams: they stay open, but nothing more is sent on them,
        and the account is offline until it opens another."""
        self.event_streams.clear()

    def profile(self, sim: Simulator) -> dict[str, Any]:
        perf = {"games": self.games_played, "rating": self.rating, "rd": 60, "prog": 0,
                **flags(sim, prov=self.provisional)}
        profile = {"id": self.id, "username": self.name,
                   "perfs": {name: perf for name in ("bullet", "blitz", "rapid", "classical")},
                   "createdAt": int((time.time() - 86400 * self.age_days) * 1000),
                   "seenAt": int(time.time() * 1000),
                   "playTime": {"total": self.human_play_s, "tv": 0, "human": self.human_play_s},
                   "url": f"{sim.url}/@/{self.name}",
                   "count": {"all": self.games_played, "rated": 0, "draw": 0, "loss": 0, "win": 0,
                             "bookmark": 0, "playing": 0, "import": 0, "me": 0},
                   "followable": True, "following": False, "blocking": False,
                   **flags(sim, tosViolation=self.is_marked, disabled=False), **_rare(sim)}
        if self.title:
            profile["title"] = self.title
        if self.bio:
            profile["profile"] = {"bio": self.bio}
        return profile

    def in_game(self, sim: Simulator) -> dict[str, Any]:
        if self.ai_level:
            return {"aiLevel": self.ai_level}
        if self.is_anonymous:
            return {}
        return {"id": self.id, "name": self.name, "title": self.title, "rating": self.rating,
                **flags(sim, provisional=self.provisional)}

    def as_opponent(self) -> dict[str, Any]:
        if self.ai_level:
            return {"id": None, "username": f"Stockfish level {self.ai_level}",
                    "ai": self.ai_level}
        if self.is_anonymous:
            return {"id": None, "username": self.name}
        return {"id": self.id, "username": self.titled_name, "rating": self.rating}

    def in_challenge(self, sim: Simulator) -> Optional[dict[str, Any]]:
        if self.is_anonymous:
            return None
        user: dict[str, Any] = {"id": self.id, "name": self.name, "rating": self.rating,
                                **flags(sim, provisional=self.provisional, online=self.is_online)}
        if self.title:
            user["title"] = self.title
        if sim.says_rare:
            user["lag"] = 4
        return {**user, **_rare(sim)}


def _rare(sim: Simulator) -> dict[str, Any]:
    return {"flair": "nature.seedling", "patron": True, "patronColor": 1} if sim.says_rare else {}


@dataclass
class Token:
    text: str
    account: Account
    scopes: tuple[str, ...]
    opens: Credits = field(default_factory=Credits)  # of the event stream
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
    limits = call.sim.limits
    wait_s = call.account.looks.spend(1, (limits.account_looks_window_s, limits.account_looks))
    if wait_s:
        return limited(call.request, 429, "account.me", int(wait_s) + 1)
    return json_response(call.account.profile(call.sim))


async def upgrade(call: Call) -> Response:
    if call.account.games_played:
        raise Refused("You already have games played. Make a new account.")
    call.account.title, call.account.allows_takebacks = "BOT", False
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
        is_playing = any(g.is_running and g.colour_of(user) for g in call.sim.games.values())
        users.append({**entry, **flags(call.sim, online=user.is_online, playing=is_playing)})
    return json_response(users)


async def team_members(call: Call, team_id: str) -> Response:
    """A member a line, those who joined last first."""
    members = [user for user in call.sim.accounts.values() if user.team == team_id]
    if not members:
        raise LookupError("No such team")
    lines = b"".join(json_response({"joinedTeamTimestamp": 1690000000000, "id": user.id, "name": user.name}).body + b"\n"
                     for user in reversed(members))
    return Response(200, lines, "application/x-ndjson")


async def user_profile(call: Call, username: str) -> Response:
    user = call.sim.accounts.get(username.lower())
    if user is None:
        raise LookupError("Not found")
    return json_response(user.profile(call.sim))


async def bots_online(call: Call) -> Response:
    """Not every bot that is online: those with a bio, the longest against humans first."""
    bots = [a for a in call.sim.accounts.values()
            if a.title == "BOT" and a.is_online and a.bio and not a.is_marked]
    bots.sort(key=lambda bot: -bot.human_play_s)
    most = min(512, max(1, int(call.request.query.get("nb", 100))))
    lines = b"".join(json_response(bot.profile(call.sim)).body + b"\n" for bot in bots[:most])
    return Response(200, lines, "application/x-ndjson")
