# SPDX-License-Identifier: GPL-3.0-or-later
"""A challenge from its creation to its game, and the calls that make and answer it."""
from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import board
from .accounts import Account
from .answers import OK, Refused, form_error, is_yes
from .game import VARIANTS, Game, Seat, TimeControl
from .http1 import Response, Stream, json_response
from .judge import STARTS, Position
from .limits import over_the_limit
from .opponent import Idle

if TYPE_CHECKING:
    from .routes import Call
    from .server import Simulator


DECLINE_REASONS = ("generic", "later", "tooFast", "tooSlow", "timeControl", "rated", "casual",
                   "standard", "variant", "noBot", "onlyBot")


class Challenge:
    """Ends in one of three ways: accepted (game set), declined (reason set), or neither."""

    def __init__(self, sim: "Simulator", challenge_id: str, challenger: Account, dest: Account,
                 variant: str, position: Position, time_control: TimeControl, rated: bool,
                 colour: str, rules: tuple[str, ...], rematch_of: Optional[str],
                 player: Optional[Idle]):
        self.sim = sim
        self.id = challenge_id
        self.challenger, self.dest = challenger, dest
        self.variant, self.position = variant, position
        self.time_control, self.rated = time_control, rated
        self.colour, self.rules, self.rematch_of = colour, rules, rematch_of
        self.final_colour = random.choice(("white", "black")) if colour == "random" else colour
        self.player = player          # who moves for the simulated side
        self.status = "created"
        self.reason = ""              # of a decline, as it was sent
        self.game: Optional[Game] = None
        self.settled: asyncio.Future = asyncio.get_running_loop().create_future()
        self.streams: list[Stream] = []  # of keepAliveStream
        self.expiry: Optional[asyncio.TimerHandle] = None

    @property
    def is_between_bots(self) -> bool:
        return self.challenger.title == self.dest.title == "BOT"

    @property
    def is_open(self) -> bool:
        return self.status in ("created", "offline")

    def settle(self, status: str) -> None:
        self.status = status
        if self.expiry is not None:
            self.expiry.cancel()
        if not self.settled.done():
            self.settled.set_result(status)
        for stream in self.streams:
            stream.send({"done": status})
            stream.end()

    async def started(self, timeout: float) -> Game:
        """The game that came of it; raises AssertionError if none did."""
        status = await asyncio.wait_for(asyncio.shield(self.settled), timeout)
        assert status == "accepted", f"challenge {self.id} was {status} ({self.reason})"
        return self.game

    async def declined(self, timeout: float) -> str:
        """The reason with which it was declined; raises AssertionError if it was not."""
        status = await asyncio.wait_for(asyncio.shield(self.settled), timeout)
        assert status == "declined", f"challenge {self.id} was {status}"
        return self.reason

    def json(self, direction: str = "") -> dict[str, Any]:
        name, short = VARIANTS[self.variant]
        speed = self.time_control.speed
        value: dict[str, Any] = {
            "id": self.id, "url": f"{self.sim.url}/{self.id}", "status": self.status,
            "challenger": self.challenger.in_challenge(), "destUser": self.dest.in_challenge(),
            "variant": {"key": self.variant, "name": name, "short": short}, "rated": self.rated,
            "speed": speed, "timeControl": self.time_control.json(), "color": self.colour,
            "finalColor": self.final_colour, "perf": {"icon": "", "name": speed.capitalize()}}
        if direction:
            value["direction"] = direction
        if self.variant in ("fromPosition", "chess960", "horde", "racingKings"):
            value["initialFen"] = board.x_fen(self.position.fen)
        if self.rematch_of:
            value["rematchOf"] = self.rematch_of
        if self.rules:
            value["rules"] = list(self.rules)
        if self.reason:
            value["declineReason"] = "No, thank you."
            value["declineReasonKey"] = self.reason.lower()
        return value

    def withdraw(self) -> None:
        """The challenger cancels it."""
        self.settle("canceled")
        self._tell_both({"type": "challengeCanceled", "challenge": self.json()})

    def decline(self, reason: str) -> None:
        self.reason = reason
        self.settle("declined")
        self._tell_both({"type": "challengeDeclined", "challenge": self.json()})

    def accept(self) -> Callable[[], None]:
        """Makes the game; returns the function that announces it."""
        sim, seats = self.sim, {}
        for colour in ("white", "black"):
            account = self.challenger if colour == self.final_colour else self.dest
            seats[colour] = Seat(account, self._player_of(account))
        game = Game(sim, self.id, self.variant, self.position, seats, self.time_control,
                    self.rated, rules=self.rules)
        sim.games[game.id] = game
        self.game = game

        def announce() -> None:
            self.settle("accepted")
            for colour, seat in seats.items():
                seat.account.games_played += 1
                seat.account.bot_games += self.is_between_bots
                sim.send_event(seat.account,
                               {"type": "gameStart", "game": game.summary(colour)})
            game.start()
            sim.notify()
        return announce

    def _player_of(self, account: Account) -> Idle:
        if self.sim.plays_over_http(account):
            return Idle()
        return self.player or account.player()

    def _tell_both(self, event: dict[str, Any]) -> None:
        for account in (self.dest, self.challenger):
            self.sim.send_event(account, event)
        self.sim.notify()

    def announce(self) -> None:
        estimate = None if self.time_control.limit is None else \
            self.time_control.limit + 40 * self.time_control.increment
        self._tell_both({"type": "challenge", "challenge": self.json(),
                         "compat": {"bot": estimate is None or estimate >= 30, "board": True}})

    def expire(self) -> None:
        """Nobody is told, and the id can still be accepted."""
        if self.status == "created":
            self.status = "offline"
            self.sim.notify()


async def new_challenge(sim: "Simulator", dest: Account, challenger: str, *,
                        limit: Optional[int] = 60, increment: int = 0, days: Optional[int] = None,
                        rated: bool = False, variant: str = "standard",
                        fen: Optional[str] = None, colour: str = "white",
                        rules: tuple[str, ...] = (), rematch_of: Optional[str] = None,
                        player: Optional[Idle] = None) -> Challenge:
    """`challenger` (colour is his) challenges `dest`; `player` moves for the simulated side."""
    if fen is None and variant == "chess960":
        fen = board.chess960(random.randrange(960))
    elif fen is not None and variant == "standard":
        variant = "fromPosition"
    position = await sim.judge.position(fen or STARTS.get(variant, board.START), variant=variant)
    challenge = Challenge(sim, sim.new_id(), sim.account(challenger), dest, variant, position,
                          TimeControl(limit, increment, days), rated, colour, rules, rematch_of,
                          player)
    sim.challenges[challenge.id] = challenge
    if limit is not None:
        challenge.expiry = asyncio.get_running_loop().call_later(sim.challenge_life_s,
                                                                 challenge.expire)
    challenge.announce()
    return challenge


async def accept(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id, "dest")
    if not challenge.is_open:
        raise Refused(f"Challenge is {challenge.status}")
    control = challenge.time_control
    if control.speed == "ultraBullet":
        raise Refused("Game incompatible with a BOT account")
    announce = challenge.accept()
    response = json_response(OK)
    if call.sim.game_start_first:
        announce()
    else:
        response.after = announce
    return response


async def decline(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id, "dest")
    if not challenge.is_open:
        raise LookupError("Not found")
    wanted = call.request.form().get("reason", "generic").lower()
    challenge.decline(next((r for r in DECLINE_REASONS if r.lower() == wanted), "generic"))
    return json_response(OK)


async def cancel(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id)
    if challenge.game is not None:
        game, colour = call.seat(challenge_id)
        if not game.is_running or len(game.moves) >= 2:
            raise Refused("Missing opponentToken")
        game.abort(colour)
    elif not challenge.is_open:
        raise LookupError("Not found")
    elif challenge.dest is call.account:
        challenge.decline("generic")
    else:
        challenge.withdraw()
    return json_response(OK)


async def create(call: Call, username: str) -> Optional[Response]:
    sim, form = call.sim, call.request.form()
    dest = sim.accounts.get(username.lower())
    if dest is None:
        raise Refused("No such user")
    if dest is call.account:
        raise Refused("You cannot challenge yourself")
    refusal = over_the_limit(call, dest)
    if refusal is not None:
        return refusal
    limit = int(form["clock.limit"]) if "clock.limit" in form else None
    increment = int(form.get("clock.increment", 0))
    if limit is not None:
        if limit == 0 and increment == 0:
            return form_error(call.request, "global", "Invalid clock")
        if limit + 40 * increment < 30:
            return form_error(call.request, "global", "Invalid speed")
    keep_alive = is_yes(form.get("keepAliveStream", ""))
    stream = call.stream() if keep_alive else None
    challenge = await sim.challenge(
        dest, call.account.name, limit=limit, increment=increment,
        days=int(form["days"]) if "days" in form else None,
        rated=is_yes(form.get("rated", "")), variant=form.get("variant", "standard"),
        fen=form.get("fen"), colour=form.get("color", "random"), player=dest.player())

    def answer() -> None:
        if not challenge.is_open or dest.answer == "ignore":
            return
        if dest.answer == "accept":
            challenge.accept()()
        else:
            challenge.decline(dest.answer)
    if stream is None:
        response = json_response(challenge.json("out"))
        response.after = answer
        return response
    stream.send(challenge.json("out"))
    challenge.streams.append(stream)
    answer()
    await stream.wait()
    return None


async def list_all(call: Call) -> Response:
    challenges = [c for c in call.sim.challenges.values() if c.status == "created"]
    return json_response({"in": [c.json("in") for c in challenges if c.dest is call.account],
                          "out": [c.json("out") for c in challenges
                                  if c.challenger is call.account]})


async def show(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id)
    return json_response(challenge.json("in" if challenge.dest is call.account else "out"))
