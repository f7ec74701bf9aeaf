# SPDX-License-Identifier: GPL-3.0-or-later
"""A challenge from its creation to its game, and the calls that make and answer it.

A real-time challenge stays "created" for as long as its owner is seen: the page is open (as that of
a simulated owner is until leave()), or keepAliveStream. Unseen for challenge_unseen_s it is
"offline", of which nobody is told, and it can still be accepted.
"""
from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import board
from .accounts import Account
from .answers import OK, Refused, form_error, is_yes, limited
from .game import VARIANTS, Game, Seat, TimeControl
from .http1 import Response, Stream, json_response
from .judge import STARTS, Position
from .limits import bot_games_spent, challenges_spent
from .opponent import Idle

if TYPE_CHECKING:
    from .routes import Call
    from .server import Simulator


DECLINE_REASONS = ("generic", "later", "tooFast", "tooSlow", "timeControl", "rated", "casual",
                   "standard", "variant", "noBot", "onlyBot")
BASES_S = (0, 15, 30, 45, 60, 90, *range(120, 10801, 60))
DAYS = (1, 2, 3, 5, 7, 10, 14)
FEW, LISTED_MOST = 5, 300  # of the list of those that wait
OVER_TEXTS = {"canceled": "The challenge has been canceled.",
              "declined": "The challenge has been declined."}


class Challenge:
    """Ends in one of three ways: accepted (game set), declined (reason set), or neither."""

    def __init__(self, sim: Simulator, challenge_id: str, challenger: Account, dest: Account,
                 variant: str, position: Position, time_control: TimeControl, rated: bool,
                 colour: str, rules: tuple[str, ...], rematch_of: Optional[str],
                 player: Optional[Idle], has_page: bool, shows_fen: bool):
        self.sim = sim
        self.id = challenge_id
        self.challenger, self.dest = challenger, dest
        self.variant, self.position = variant, position
        self.time_control, self.rated = time_control, rated
        self.colour, self.rules, self.rematch_of = colour, rules, rematch_of
        self.final_colour = random.choice(("white", "black")) if colour == "random" else colour
        self.player = player          # who moves for the simulated side
        self.shows_fen = shows_fen
        self.status = "created"
        self.changed_at = time.monotonic()  # when that became its status
        self.reason = ""              # of a decline, as it was sent
        self.game: Optional[Game] = None
        self.settled: asyncio.Future = asyncio.get_running_loop().create_future()
        self.streams: list[Stream] = []  # of keepAliveStream
        self._has_page = has_page
        self._expiry: Optional[asyncio.TimerHandle] = None
        self._look_whether_seen()

    @property
    def is_between_bots(self) -> bool:
        return self.challenger.title == self.dest.title == "BOT"

    @property
    def is_open(self) -> bool:
        return self.status in ("created", "offline")

    @property
    def is_listed(self) -> bool:
        return self.status == "created" and self.rematch_of is None

    @property
    def is_deleted(self) -> bool:
        return self.status == "lapsed" or (self.status != "created" and time.monotonic()
                                           > self.changed_at + self.sim.limits.challenge_kept_s)

    # Whether its owner is there

    def leave(self) -> None:
        """The owner's page closes. Whoever is still away when the game starts never moves."""
        self._has_page = False
        self._look_whether_seen()

    def come_back(self) -> None:
        """The owner's page is open again, or the owner at the board of the game."""
        self._has_page = True
        self._look_whether_seen()
        if self.game is not None and self.player is not None:
            self.game.sit_down(self.final_colour, self.player)

    def _look_whether_seen(self) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
            self._expiry = None
        if self.rematch_of is not None:
            self._expiry = asyncio.get_running_loop().call_later(
                self.sim.limits.rematch_kept_s, self.lapse)
            return
        is_seen = self._has_page or any(stream.is_open for stream in self.streams)
        if is_seen and self.status == "offline":
            self._enter("created")
        elif not is_seen and self.status == "created" and self.time_control.limit is not None:
            self._expiry = asyncio.get_running_loop().call_later(
                self.sim.limits.challenge_unseen_s, self._enter, "offline")

    def _enter(self, status: str) -> None:
        self.status, self.changed_at = status, time.monotonic()
        self.sim.notify()

    # Ends

    def settle(self, status: str, tells_streams: bool = True) -> None:
        if self._expiry is not None:
            self._expiry.cancel()
        self._enter(status)
        if not self.settled.done():
            self.settled.set_result(status)
        for stream in self.streams if tells_streams else ():
            stream.send({"done": status})
            stream.end()

    def withdraw(self) -> None:
        """The challenger cancels it."""
        self.settle("canceled")
        event = {"type": "challengeCanceled", "challenge": self.json()}
        if self.rematch_of is not None:
            event["compat"] = self._compat()
        self._tell_both(event)

    def lapse(self) -> None:
        """A rematch offer that stood for too long: gone, and nobody is told."""
        self.settle("lapsed")

    def replace(self) -> None:
        """A newer one of the same challenger takes its place; neither side nor stream is told."""
        self.settle("canceled", tells_streams=False)

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
        if self.rematch_of in sim.games:
            sim.games[self.rematch_of].rematch = self.id

        def announce() -> None:
            self.settle("accepted")
            for colour, seat in seats.items():
                seat.account.games_played += 1
                seat.account.bot_games += self.is_between_bots
                if sim.tells_starts:
                    sim.send_event(seat.account,
                                   {"type": "gameStart", "game": game.summary(colour)})
            game.start()
            sim.notify()
        return announce

    def _player_of(self, account: Account) -> Idle:
        is_away = account is self.challenger and self.status == "offline"
        if is_away or self.sim.plays_over_http(account):
            return Idle()
        return self.player or account.player()

    # Tests wait for these

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

    # What is told of it

    def announce(self) -> None:
        """The event; a rematch may be offered again under the same id."""
        self._tell_both({"type": "challenge", "challenge": self.json(), "compat": self._compat()})

    async def announce_late(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        if self.is_open:
            self.announce()

    def _tell_both(self, event: dict[str, Any]) -> None:
        for account in (self.dest, self.challenger):
            self.sim.send_event(account, event)
        self.sim.notify()

    def _compat(self) -> dict[str, bool]:
        return {"bot": self.time_control.speed != "ultraBullet", "board": True}

    def json(self, direction: str = "") -> dict[str, Any]:
        name, short = VARIANTS[self.variant]
        speed = self.time_control.speed
        value: dict[str, Any] = {
            "id": self.id, "url": f"{self.sim.url}/{self.id}", "status": self.status,
            "challenger": self.challenger.in_challenge(self.sim),
            "destUser": self.dest.in_challenge(self.sim),
            "variant": {"key": self.variant, "name": name, "short": short}, "rated": self.rated,
            "speed": speed, "timeControl": self.time_control.json(), "color": self.colour,
            "finalColor": self.final_colour, "perf": {"icon": "", "name": speed.capitalize()}}
        if direction:
            value["direction"] = direction
        if self.shows_fen:
            value["initialFen"] = board.x_fen(self.position.fen)
        if self.rematch_of:
            value["rematchOf"] = self.rematch_of
        if self.rules:
            value["rules"] = list(self.rules)
        if self.reason:
            value["declineReason"] = "No, thank you."
            value["declineReasonKey"] = self.reason.lower()
        return value


async def new_challenge(sim: Simulator, dest: Account, challenger: str, *,
                        limit: Optional[int] = 60, increment: int = 0, days: Optional[int] = None,
                        rated: bool = False, variant: str = "standard",
                        fen: Optional[str] = None, colour: str = "white",
                        rules: tuple[str, ...] = (), rematch_of: Optional[str] = None,
                        player: Optional[Idle] = None, has_page: bool = True) -> Challenge:
    """`challenger` (who has `colour`; "": somebody without an account) challenges `dest`; `player`
    moves for the simulated side."""
    if fen is not None and variant == "standard":
        variant = "fromPosition"
    shows_fen = variant in ("fromPosition", "horde", "racingKings") or fen is not None
    if fen is None and variant == "chess960":  # drawn when the game starts, as the server does
        fen = board.chess960(random.randrange(960))
    position = await sim.judge.position(fen or STARTS.get(variant, board.START), variant=variant)
    owner = sim.account(challenger) if challenger else Account("Anonymous", is_anonymous=True)
    for earlier in sim.challenges.values():
        if (earlier.challenger, earlier.dest) == (owner, dest) and earlier.is_listed \
                and earlier.game is None and rematch_of is None:
            earlier.replace()
    challenge = Challenge(sim, sim.new_id(), owner, dest, variant, position,
                          TimeControl(limit, increment, days), rated, colour, rules, rematch_of,
                          player, has_page, shows_fen)
    sim.challenges[challenge.id] = challenge
    if owner.is_anonymous:
        sim.run(challenge.announce_late(sim.limits.challenge_anonymous_s))
    else:
        challenge.announce()
    return challenge


async def accept(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id, "dest")
    if challenge.status == "accepted":
        raise LookupError("Not found")
    if challenge.status in OVER_TEXTS:
        raise Refused(OVER_TEXTS[challenge.status])
    if challenge.game is not None:
        raise Refused("The challenge has already been accepted")
    if challenge.time_control.speed == "ultraBullet":
        raise Refused("Game incompatible with a BOT account")
    refusal = bot_games_spent(call, call.account, challenge.challenger)
    if refusal is not None:
        return refusal
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


def _clock_of(form: dict[str, str], is_for_bot: bool) -> tuple[TimeControl, str, str]:
    """The time control, and where and what the mistake is in a form that has one."""
    nothing = TimeControl()
    if "clock.limit" not in form and "clock.increment" not in form:
        if "days" not in form:
            return nothing, "", ""
        if form["days"] not in map(str, DAYS):
            return nothing, "days", "Invalid value"
        return TimeControl(days=int(form["days"])), "", ""
    base, increment = form.get("clock.limit", ""), form.get("clock.increment", "0")
    if base not in map(str, BASES_S):
        return nothing, "clock.limit", "Invalid value"
    if increment not in map(str, range(61)):
        return nothing, "clock.increment", "Invalid value"
    control = TimeControl(int(base), int(increment))
    if control.limit == control.increment == 0:
        return nothing, "global", "Invalid clock"
    if is_for_bot and control.speed == "ultraBullet":
        return nothing, "global", "Invalid speed"
    return control, "", ""


def _may_be_rated(variant: str, control: TimeControl) -> bool:
    """Very fast variants, and those without a clock, are played casually."""
    if variant == "standard":
        return True
    return control.limit is not None and (control.limit > 0 or control.increment > 1)


async def create(call: Call, username: str) -> Optional[Response]:
    sim, form = call.sim, call.request.form()
    dest = sim.accounts.get(username.lower())
    is_for_bot = "BOT" in (call.account.title, dest.title if dest else None)
    control, key, text = _clock_of(form, is_for_bot)
    variant, rated = form.get("variant", "standard"), is_yes(form.get("rated", ""))
    if "fen" in form and variant == "standard":
        variant = "fromPosition"
    if variant not in VARIANTS:
        key, text = "variant", "Invalid value"
    elif form.get("color", "random") not in ("white", "black", "random"):
        key, text = "color", "Invalid value"
    elif rated and variant == "fromPosition":
        key, text = "global", "can't be rated"
    if key:
        return form_error(call.request, key, text)
    if dest is None:
        raise Refused(f"No such user: {username}")
    if dest is call.account:
        raise Refused("You cannot challenge yourself")
    if form.get("rules") and dest.title == "BOT":
        raise Refused("Rules not applicable for bots")
    refusal = challenges_spent(call, dest) or bot_games_spent(call, call.account, dest)
    if refusal is not None:
        return refusal
    if dest.refuses:
        raise Refused(dest.refuses)
    keeps_alive = is_yes(form.get("keepAliveStream", ""))
    challenge = await sim.challenge(
        dest, call.account.name, limit=control.limit, increment=control.increment,
        days=control.days, rated=rated and _may_be_rated(variant, control), variant=variant,
        fen=form.get("fen"), colour=form.get("color", "random"), player=dest.player(),
        has_page=keeps_alive)
    if not keeps_alive:
        response = json_response(challenge.json("out"))
        response.after = lambda: _answer(challenge)
        return response
    stream = call.stream(sim.limits.challenge_keepalive_s)
    challenge.streams.append(stream)
    challenge.leave()  # the stream alone keeps it now
    stream.send(challenge.json("out"))
    _answer(challenge)
    await stream.wait()
    challenge.leave()
    return None


def _answer(challenge: Challenge) -> None:
    """What the one who was challenged does about it."""
    dest = challenge.dest

    async def answer() -> None:
        await asyncio.sleep(dest.answers_after_s)
        if not challenge.is_open or dest.answer == "ignore":
            return
        if dest.answer == "accept":
            challenge.accept()()
        else:
            challenge.decline(dest.answer)
    challenge.sim.run(answer())


async def create_ai(call: Call) -> Response:
    """A game against Lichess's own AI; it starts at once."""
    sim, me, form = call.sim, call.account, call.request.form()
    control, key, text = _clock_of(form, False)
    if form.get("level", "") not in map(str, range(1, 9)):
        key, text = "level", "Invalid value"
    if key:
        return form_error(call.request, key, text)
    if me.ai_games >= sim.limits.ai_games_a_day:
        return limited(call.request, 429, "bot.ai.day", 3600)
    me.ai_games += 1
    game = await new_ai_game(sim, me, int(form["level"]), control,
                             colour=form.get("color", "random"),
                             variant=form.get("variant", "standard"), fen=form.get("fen"))
    colour = game.colour_of(me)
    response = json_response({
        "id": game.id, "variant": game.full()["variant"], "speed": control.speed,
        "perf": control.speed, "rated": False, "fen": game.position.fen, "turns": 0,
        "source": "ai", "status": {"id": 20, "name": "started"}, "createdAt": game.created_at,
        "player": colour, "fullId": game.id + "Seat"}, 201)
    response.after = lambda: sim.begin(game)
    return response


async def new_ai_game(sim: Simulator, account: Account, level: int, control: TimeControl, *,
                      colour: str = "white", variant: str = "standard",
                      fen: Optional[str] = None, player: Optional[Idle] = None) -> Game:
    """`account` has `colour`; sim.begin() announces it."""
    if colour == "random":
        colour = random.choice(("white", "black"))
    if fen is not None and variant == "standard":
        variant = "fromPosition"
    machine = Account(f"Stockfish level {level}", ai_level=level)
    seats = {c: Seat(account, Idle()) if c == colour else Seat(machine, player or sim.ai_player())
             for c in ("white", "black")}
    position = await sim.judge.position(fen or STARTS.get(variant, board.START), variant=variant)
    game = Game(sim, sim.new_id(), variant, position, seats, control, False, source="ai")
    sim.games[game.id] = game
    return game


def waiting_for(sim: Simulator, account: Account) -> list[Challenge]:
    """In the order of the server's lists: by age; where there are many, those with a clock first."""
    waiting = [c for c in sim.challenges.values() if c.dest is account and c.is_listed]
    if len(waiting) > FEW:
        waiting.sort(key=lambda c: c.time_control.limit is None)
    return waiting


async def list_all(call: Call) -> Response:
    ours = [c for c in call.sim.challenges.values()
            if c.is_listed and c.challenger is call.account]
    return json_response({
        "in": [c.json("in") for c in waiting_for(call.sim, call.account)[:LISTED_MOST]],
        "out": [c.json("out") for c in ours]})


async def show(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id)
    if call.account not in (challenge.dest, challenge.challenger):
        raise LookupError("Not found")
    return json_response(challenge.json("in" if challenge.dest is call.account else "out"))
