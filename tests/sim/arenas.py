# SPDX-License-Identifier: GPL-3.0-or-later
"""An arena tournament: who is in, who waits for a pairing, and the games.

    arena = sim.add_arena(opponents=[Random(1)], starts_in=2)
    ...
    arena.games[0]

A bot that joins with `pairMeAsap` waits for a minute (waits_s), and is paired with the next of the
opponents once the arena has begun. Who does not make his first move in time loses and is out.
"""
from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Optional

from . import board
from .answers import Refused
from .game import Game, Seat, TimeControl
from .http1 import Response, json_response
from .opponent import Idle

if TYPE_CHECKING:
    from .accounts import Account
    from .routes import Call
    from .server import Simulator

JOIN_SCOPES, LEAVE_SCOPES = ("tournament:write", "bot:play"), ("tournament:write",)
PAIRING_S = 0.1


class Member:
    def __init__(self) -> None:
        self.withdrawn = False
        self.waits_until = 0.0
        self.game: Optional[Game] = None


class Arena:
    def __init__(self, sim: "Simulator", arena_id: str, opponents: list[Idle], *,
                 starts_in: float = 0.0, lasts: float = 600.0, limit: int = 60, increment: int = 0,
                 bots_allowed: Optional[bool] = True, password: str = "", team: str = "",
                 first_move_s: float = 20.0, waits_s: float = 60.0, join_scopes=JOIN_SCOPES):
        self.sim, self.id, self.name = sim, arena_id, f"Arena {arena_id}"
        self.opponents = list(opponents)
        self.starts_at = time.monotonic() + starts_in
        self.ends_at = self.starts_at + lasts
        self.time_control = TimeControl(limit, increment)
        self.bots_allowed, self.password, self.team = bots_allowed, password, team
        self.first_move_s, self.waits_s, self.join_scopes = first_move_s, waits_s, join_scopes
        self.tells_members = True  # shows who asks that he is one
        self.members: dict[str, Member] = {}
        self.games: list[Game] = []

    @property
    def is_finished(self) -> bool:
        return time.monotonic() >= self.ends_at

    @property
    def has_begun(self) -> bool:
        return time.monotonic() >= self.starts_at

    def finish(self) -> None:
        self.ends_at = time.monotonic()

    def throw_out(self, account: "Account") -> None:
        del self.members[account.id]

    def json(self, account: Optional["Account"]) -> dict[str, Any]:
        now = time.monotonic()
        value: dict[str, Any] = {
            "id": self.id, "fullName": self.name, "system": "arena", "minutes": 10,
            "variant": "standard", "nbPlayers": len(self.members),
            "clock": {"limit": self.time_control.limit, "increment": self.time_control.increment}}
        if self.bots_allowed is not None:
            value["botsAllowed"] = self.bots_allowed
        if self.is_finished:
            value["isFinished"] = True
        elif self.has_begun:
            value.update(isStarted=True, secondsToFinish=max(1, int(self.ends_at - now)))
        else:
            value["secondsToStart"] = max(1, round(self.starts_at - now))
        member = self.members.get(account.id) if account else None
        if member is not None and self.tells_members:
            value["me"] = {"rank": 1, "withdraw": member.withdrawn, "username": account.name}
        return value

    def join(self, account: "Account", form: dict[str, str]) -> None:
        if self.is_finished:
            raise Refused("This tournament is over")
        if account.title == "BOT" and not self.bots_allowed:
            raise Refused("Bots are not allowed in this tournament")
        if form.get("password", "") != self.password:
            raise Refused("Wrong entry code")
        if form.get("team", "") != self.team:
            raise Refused("You must join one of the teams")
        member = self.members.setdefault(account.id, Member())
        member.withdrawn = False
        if form.get("pairMeAsap") == "true":
            member.waits_until = time.monotonic() + self.waits_s
            self.sim.run(self._pair(account, member))
        self.sim.notify()

    async def _pair(self, account: "Account", member: Member) -> None:
        await asyncio.sleep(max(PAIRING_S, self.starts_at - time.monotonic()))
        is_free = member.game is None or not member.game.is_running
        if (is_free and not member.withdrawn and self.opponents and not self.is_finished
                and self.members.get(account.id) is member
                and time.monotonic() < member.waits_until):
            await self.pair(account, self.opponents.pop(0))

    async def pair(self, account: "Account", player: Idle) -> Game:
        """A game of `account` with Black against a newcomer whose moves `player` chooses."""
        rival = self.sim.add_account(f"rival{len(self.games)}")
        seats = {"white": Seat(rival, player), "black": Seat(account, Idle())}
        position = await self.sim.judge.position(board.START)
        game = Game(self.sim, self.sim.new_id(), "standard", position, seats, self.time_control,
                    True, source="arena", rules=("noAbort",), tournament=self.id)
        self.games.append(game)
        self.members[account.id].game = game
        self.sim.games[game.id] = game
        self.sim.send_event(account, {"type": "gameStart", "game": game.summary("black")})
        game.start()
        self.sim.run(self._expect_first_moves(account, game))
        self.sim.notify()
        return game

    async def _expect_first_moves(self, account: "Account", game: Game) -> None:
        for ply in (1, 2):
            try:
                await game.plies(ply, self.first_move_s)
            except AssertionError:
                colour = game.turn
                if game.is_running and colour == game.colour_of(account):
                    self.members[account.id].withdrawn = True
                game.finish("noStart", board.other(colour))


def _arena(call: "Call", tournament_id: str) -> Arena:
    arena = call.sim.arenas.get(tournament_id)
    if arena is None:
        raise LookupError("No such tournament")
    return arena


def _scope_missing(call: "Call", scopes: tuple[str, ...]) -> Optional[Response]:
    if set(scopes) & set(call.token.scopes):
        return None
    call.request.error = f"Missing scope: {scopes[0]}"
    return json_response({"error": call.request.error}, 403)


async def show(call: "Call", tournament_id: str) -> Response:
    return json_response(_arena(call, tournament_id).json(call.account))


async def join(call: "Call", tournament_id: str) -> Response:
    arena = _arena(call, tournament_id)
    refusal = _scope_missing(call, arena.join_scopes)
    if refusal is None:
        arena.join(call.account, call.request.form())
    return refusal or json_response({"ok": True})


async def withdraw(call: "Call", tournament_id: str) -> Response:
    arena = _arena(call, tournament_id)
    refusal = _scope_missing(call, LEAVE_SCOPES)
    if refusal is None and call.account.id in arena.members:
        arena.members[call.account.id].withdrawn = True
    call.sim.notify()
    return refusal or json_response({"ok": True})
