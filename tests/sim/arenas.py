# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena tournament: who is in, who waits for a pairing, and the games.

    arena = sim.add_arena(opponents=[Random(1)], starts_in=2)
    ...
    arena.games[0]

With `team` it is shown in that team's list, and only who names the team may join. A bot that joins
with `pairMeAsap` waits for a minute (waits_s), and is paired with the next of the
opponents once the arena has begun. Who does not make a first move in time loses and is out.
"""
from __future__ import annotations

import asyncio
import datetime
import math
import time
from typing import TYPE_CHECKING, Any, Optional

from . import board
from .answers import OK, Refused, error, flags, limited
from .game import VARIANTS, Game, Seat, TimeControl
from .http1 import Response, json_response
from .opponent import Idle

if TYPE_CHECKING:
    from .accounts import Account
    from .routes import Call
    from .server import Simulator

SCOPES = ("tournament:write", "bot:play")
PAIRING_S = 0.1
FIRST_MOVE_S = {"bullet": 16, "blitz": 21, "rapid": 25}
FIRST_MOVE_ELSE_S, FIRST_MOVE_960 = 30, 1.25
JOIN_COST = 2


class Member:
    def __init__(self) -> None:
        self.withdrawn = False
        self.may_return_at = 0.0  # monotonic: a pause after a withdrawal
        self.waits_until = 0.0
        self.game: Optional[Game] = None


class Arena:
    def __init__(self, sim: Simulator, arena_id: str, opponents: list[Idle], *,
                 starts_in: float = 0.0, lasts: float = 600.0, limit: int = 60, increment: int = 0,
                 variant: str = "standard", bots_allowed: bool = True, password: str = "",
                 rated: bool = True, team: str = "", first_move_s: Optional[float] = None, waits_s: float = 60.0,
                 scopes: tuple[str, ...] = SCOPES, refuses: str = ""):
        """`refuses` is the text with which everybody's join is refused."""
        self.sim, self.id, self.name = sim, arena_id, f"Arena {arena_id}"
        self.opponents = list(opponents)
        self.starts_at = time.monotonic() + starts_in
        self.ends_at = self.starts_at + lasts
        self.time_control, self.variant = TimeControl(limit, increment), variant
        self.bots_allowed, self.password, self.team = bots_allowed, password, team
        self.rated = rated
        self.waits_s, self.scopes, self.refuses = waits_s, scopes, refuses
        if first_move_s is None:
            first_move_s = FIRST_MOVE_S.get(self.time_control.speed, FIRST_MOVE_ELSE_S)
            first_move_s *= FIRST_MOVE_960 if variant == "chess960" else 1
        self.first_move_s = first_move_s
        self.tells_members = True  # shows to those who ask that they are members
        self.members: dict[str, Member] = {}
        self.games: list[Game] = []

    @property
    def minutes(self) -> int:
        return max(1, math.ceil(round(self.ends_at - self.starts_at, 3) / 60))

    @property
    def is_finished(self) -> bool:
        return time.monotonic() >= self.ends_at

    @property
    def has_begun(self) -> bool:
        return time.monotonic() >= self.starts_at

    def finish(self) -> None:
        self.ends_at = time.monotonic()

    def throw_out(self, account: Account) -> None:
        del self.members[account.id]

    def json(self, account: Optional[Account]) -> dict[str, Any]:
        now = time.monotonic()
        starts_at = datetime.datetime.fromtimestamp(time.time() + self.starts_at - now,
                                                    datetime.timezone.utc)
        value: dict[str, Any] = {
            "id": self.id, "fullName": self.name, "system": "arena", "minutes": self.minutes,
            "startsAt": starts_at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "variant": self.variant, "nbPlayers": len(self.members),
            "clock": {"limit": self.time_control.limit, "increment": self.time_control.increment},
            **flags(self.sim, botsAllowed=self.bots_allowed, isFinished=self.is_finished)}
        if self.has_begun and not self.is_finished:
            value.update(isStarted=True, secondsToFinish=max(1, int(self.ends_at - now)))
        elif not self.is_finished:
            value["secondsToStart"] = max(1, round(self.starts_at - now))
        member = self.members.get(account.id) if account else None
        if member is not None and self.tells_members:
            value["me"] = {"rank": 1, "withdraw": member.withdrawn, "username": account.name}
        if self.sim.says_rare:
            value["verdicts"] = {"accepted": True, "list": [{"condition": "Bots", "verdict": "ok"}]}
        return value

    def listed(self) -> dict[str, Any]:
        """As a team's list has it: without whether bots are admitted, and with other forms of the
        variant and of the times."""
        unix = time.time() - time.monotonic()
        speed = self.time_control.speed
        name, short = VARIANTS[self.variant]
        status = 30 if self.is_finished else 20 if self.has_begun else 10
        return {"id": self.id, "createdBy": "alba", "system": "arena", "minutes": self.minutes,
                "clock": {"limit": self.time_control.limit,
                          "increment": self.time_control.increment},
                "rated": self.rated, "fullName": self.name, "nbPlayers": len(self.members),
                "variant": {"key": self.variant, "name": name, "short": short},
                "startsAt": int((self.starts_at + unix) * 1000),
                "finishesAt": int((self.ends_at + unix) * 1000), "status": status,
                "perf": {"key": speed, "name": speed.capitalize(), "position": 1, "icon": "x"},
                "teamMember": self.team}

    def join(self, account: Account, form: dict[str, str]) -> None:
        """A first join costs credits, also where something then refuses it."""
        now, limits = time.monotonic(), self.sim.limits
        if account.is_marked:
            raise Refused("The access to this resource is restricted.", 403)
        if account.playban_until > now:
            minutes = max(1, round((account.playban_until - now) / limits.minute_s))
            raise Refused(f"Banned from playing for {minutes} minutes. Reason: No start", 403,
                          minutes=minutes)
        if self.is_finished:
            raise Refused("This tournament no longer exists")
        member = self.members.get(account.id)
        if member is None and account.join_credits.spend(
                JOIN_COST, (limits.hour_s, limits.joins_an_hour), (limits.day_s,
                                                                   limits.joins_a_day)):
            raise Refused("You are joining too many tournaments")
        if member is not None and member.may_return_at > now:
            raise Refused("Your pause is not over yet")
        if self.refuses:
            raise Refused(self.refuses)
        if account.title == "BOT" and not self.bots_allowed:
            raise Refused("Tournament restrictions")
        if form.get("password", "") != self.password:
            raise Refused("Wrong entry code")
        if form.get("team", "") != self.team:
            raise Refused("Missing team")
        member = self.members.setdefault(account.id, Member())
        member.withdrawn = False
        if form.get("pairMeAsap") == "true":
            member.waits_until = now + self.waits_s
            self.sim.run(self._pair(account, member))
        self.sim.notify()

    def withdraw(self, account: Account) -> None:
        """While the arena runs, a member among the first seven has to pause then."""
        member = self.members.get(account.id)
        if member is not None:
            member.withdrawn = True
            if self.has_begun and not self.is_finished:
                member.may_return_at = time.monotonic() + self.sim.limits.arena_pause_s
        self.sim.notify()

    async def _pair(self, account: Account, member: Member) -> None:
        await asyncio.sleep(max(PAIRING_S, self.starts_at - time.monotonic()))
        is_free = member.game is None or not member.game.is_running
        if (is_free and not member.withdrawn and self.opponents and not self.is_finished
                and self.members.get(account.id) is member
                and time.monotonic() < member.waits_until):
            await self.pair(account, self.opponents.pop(0))

    async def pair(self, account: Account, player: Idle) -> Game:
        """A game of `account` with Black against a newcomer whose moves `player` chooses."""
        rival = self.sim.add_account(f"rival{len(self.games)}")
        seats = {"white": Seat(rival, player), "black": Seat(account, Idle())}
        position = await self.sim.judge.position(board.START)
        game = Game(self.sim, self.sim.new_id(), "standard", position, seats, self.time_control,
                    self.rated, source="arena", tournament=self.id, first_move_s=self.first_move_s)
        game.over.add_done_callback(lambda _: self._game_over(account, game))
        self.games.append(game)
        self.members[account.id].game = game
        self.sim.games[game.id] = game
        self.sim.begin(game)
        return game

    def _game_over(self, account: Account, game: Game) -> None:
        """Who made no first move is out, and one step nearer to a ban (not after a restart)."""
        limits, now = self.sim.limits, time.monotonic()
        if game.status != "noStart" or game.winner == game.colour_of(account):
            return
        if account.id in self.members:
            self.members[account.id].withdrawn = True
        if now > self.sim.restarted_at + limits.no_start_grace_s:
            account.no_starts += 1
        if account.no_starts >= limits.no_starts_to_playban:
            account.no_starts = 0
            account.playban_until = now + limits.playban_minutes * limits.minute_s


def _arena(call: Call, tournament_id: str) -> Arena:
    arena = call.sim.arenas.get(tournament_id)
    if arena is None:
        raise LookupError("No such tournament")
    return arena


def _scope_missing(call: Call, arena: Arena) -> Optional[Response]:
    if set(arena.scopes) & set(call.token.scopes):
        return None
    return error(call.request, 403, f"Missing scope: {arena.scopes[0]}")


async def show(call: Call, tournament_id: str) -> Response:
    return json_response(_arena(call, tournament_id).json(call.account))


async def of_team(call: Call, team_id: str) -> Response:
    """The arenas of a team, those that begin last first."""
    arenas = [arena for arena in call.sim.arenas.values() if arena.team == team_id]
    if not arenas:
        raise LookupError("No such team")
    arenas.sort(key=lambda arena: -arena.starts_at)
    most = max(1, int(call.request.query.get("max", 100)))
    lines = b"".join(json_response(arena.listed()).body + b"\n" for arena in arenas[:most])
    return Response(200, lines, "application/x-ndjson")


async def join(call: Call, tournament_id: str) -> Response:
    arena, limits = _arena(call, tournament_id), call.sim.limits
    refusal = _scope_missing(call, arena)
    if refusal is not None:
        return refusal
    wait_s = call.account.join_calls.spend(1, (limits.join_calls_window_s, limits.join_calls))
    if wait_s:
        return limited(call.request, 429, "tournament.user.joinOrLeave", int(wait_s) + 1)
    arena.join(call.account, call.request.form())
    return json_response(OK)


async def withdraw(call: Call, tournament_id: str) -> Response:
    arena = _arena(call, tournament_id)
    refusal = _scope_missing(call, arena)
    if refusal is None:
        arena.withdraw(call.account)
    return refusal or json_response(OK)
