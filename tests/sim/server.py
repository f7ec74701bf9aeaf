# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated Lichess: accounts, tokens, challenges, and the routes of the API.

    sim = Simulator(directory)
    bot = sim.add_account("castled-bot", title="BOT")
    sim.add_token("lip_test", bot)
    await sim.start()
    challenge = await sim.challenge(bot, "alba", limit=60, player=Engine(skill=0, nodes=50))
    game = await challenge.started(10)
    status, winner = await asyncio.wait_for(game.over, 60)
    await sim.stop()
"""
from __future__ import annotations

import asyncio
import os
import random
import re
import string
import tempfile
import time
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Coroutine, Optional

from . import arena, board, certs, pgn
from .faults import STREAM_FAULTS, Faults
from .game import VARIANTS, Game, Refused, Seat, TimeControl
from .http1 import Connection, HttpServer, Request, Response, Stream, json_response
from .judge import STARTS, Judge, Position
from .opponent import Idle

STREAM_BUFFER_LINES = 32
ALL_SCOPES = ("bot:play", "challenge:read", "challenge:write")
DECLINE_REASONS = ("generic", "later", "tooFast", "tooSlow", "timeControl", "rated", "casual",
                   "standard", "variant", "noBot", "onlyBot")
NOT_A_BOT = ("This endpoint can only be used with a Bot account. "
             "See https://lichess.org/api#operation/botAccountUpgrade")
DONT_POLL = "Please don't poll this endpoint, it is intended to be streamed."


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


class Simulator:
    def __init__(self, directory: str, *, port: int = 0, keepalive_s: float = 7.0,
                 challenge_life_s: float = 20.0, certificate: Optional[dict[str, Any]] = None,
                 certificate_files: Optional[tuple[str, str, str]] = None,
                 judge: Optional[Judge] = None):
        """`certificate`: keywords of certs.make(); or ready `certificate_files`, as it returns
        them. A `judge` that is given stays the caller's."""
        self.directory = directory
        self.keepalive_s = keepalive_s
        self.challenge_life_s = challenge_life_s
        # What the API leaves open, for tests to choose:
        self.castling = "king-takes-rook"   # or king-to-target, on streams of standard games
        self.echo_first = True              # a move's echo before its 200
        self.game_start_first = False       # gameStart before the accept's 200
        self.finish_event_first = False     # gameFinish before the game stream's last line
        self.final_state_twice = False
        self.stream_split = 0               # bytes in a segment, for every new stream
        self.stream_opens_limit = 30        # of the event stream, per token, in 10 minutes
        self.resend_games = True            # gameStart of running games at each open
        self.lag: Callable[[], float] = lambda: 0.0  # seconds on the wire, each way, each time
        self.day_s = 86400.0                # how long a day of correspondence games lasts
        self.bot_games_a_day = 100          # between bots, for each of the two
        self.challenges_a_minute, self.challenges_a_day = 25, 200  # credits of a challenger
        self.accounts: dict[str, Account] = {}
        self.tokens: dict[str, Token] = {}
        self.games: dict[str, Game] = {}
        self.challenges: dict[str, Challenge] = {}
        self.arenas: dict[str, arena.Arena] = {}
        self.faults = Faults()
        self.judge = judge or Judge()
        self._owns_judge = judge is None
        self.requests: list[Request] = []
        self.chats: list[tuple[str, str, str, str]] = []  # game, room, user, text
        self.failures: list[str] = []                     # of the simulator's own players
        self.move_latencies_s: list[float] = []           # opponent's move out -> our POST in
        self.routes = list(ROUTES)
        self._jobs: set[asyncio.Task] = set()
        self._ids = random.Random()
        self._changed = asyncio.Event()
        self._port = port
        self.ca_file, self.certificate_file, self.key_file = \
            certificate_files or certs.make(directory, **(certificate or {}))
        self._http = HttpServer(self._handle,
                                certs.server_context(self.certificate_file, self.key_file))

    # Life

    @property
    def url(self) -> str:
        return f"https://127.0.0.1:{self._port}"

    async def start(self, certificate: Optional[dict[str, Any]] = None) -> None:
        """With `certificate` (keywords of certs.make()) it shows another one than before, of an
        authority of its own."""
        if certificate is not None:
            with tempfile.TemporaryDirectory() as directory:
                self._http.context = certs.server_context(*certs.make(directory, **certificate)[1:])
        else:
            self._http.context = certs.server_context(self.certificate_file, self.key_file)
        await self._http.start("127.0.0.1", self._port)
        self._port = self._http.port

    async def down(self) -> None:
        """The server goes away, with all its connections; start() brings it back."""
        await self._http.stop()

    def strike(self, what: str, game: Optional[Game] = None) -> None:
        """One of STREAM_FAULTS hits the game's streams, or all event streams."""
        streams = [stream for account in self.accounts.values()
                   for _, stream in account.event_streams]
        if game is not None:
            streams = game.streams("white") + game.streams("black")
        for stream in streams:
            if stream.is_open:
                STREAM_FAULTS[what](stream)

    async def stop(self) -> None:
        for job in self._jobs:
            job.cancel()
        for game in self.games.values():
            await game.close()
        for challenge in self.challenges.values():
            challenge.settle("canceled")
        await self._http.stop()
        if self._owns_judge:
            await self.judge.close()

    @property
    def connections_made(self) -> int:
        return self._http.connections_made

    def run(self, job: Coroutine[Any, Any, None]) -> None:
        """Beside everything else; given up at stop()."""
        task = asyncio.get_running_loop().create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)

    def failed(self, what: str) -> None:
        self.failures.append(what)
        self.notify()

    def notify(self) -> None:
        self._changed.set()

    async def until(self, predicate: Callable[[], bool], timeout: float, what: str = "") -> None:
        """Waits until `predicate()` holds; raises AssertionError naming `what` if it never does."""
        deadline = time.monotonic() + timeout
        while not predicate():
            left = deadline - time.monotonic()
            assert left > 0, f"not within {timeout} s: {what or predicate}"
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), min(left, 0.5))
            except asyncio.TimeoutError:
                pass

    # Accounts and tokens

    def add_account(self, name: str, **facts) -> Account:
        account = Account(name, **facts)
        self.accounts[account.id] = account
        return account

    def add_token(self, text: str, account: Account,
                  scopes: tuple[str, ...] = ALL_SCOPES) -> Token:
        token = Token(text, account, scopes)
        self.tokens[text] = token
        return token

    def account(self, name: str) -> Account:
        """The account of that name, made at first use."""
        return self.accounts.get(name.lower()) or self.add_account(name)

    def add_arena(self, opponents=(), **facts) -> "arena.Arena":
        """`facts` are keywords of Arena()."""
        new = arena.Arena(self, self.new_id(), list(opponents), **facts)
        self.arenas[new.id] = new
        return new

    def add_route(self, method: str, path: str, family: str, handler: Callable) -> None:
        """A route without token, tried first: handler(call, **groups of the path's pattern)."""
        self.routes.insert(0, _route(method, path, family, handler, token=False))

    # Challenges and games

    def new_id(self) -> str:
        return "".join(self._ids.choices(string.ascii_letters + string.digits, k=8))

    async def challenge(self, dest: Account, challenger: str, *, limit: Optional[int] = 60,
                        increment: int = 0, days: Optional[int] = None, rated: bool = False,
                        variant: str = "standard", fen: Optional[str] = None,
                        colour: str = "white", rules: tuple[str, ...] = (),
                        rematch_of: Optional[str] = None,
                        player: Optional[Idle] = None) -> Challenge:
        """`challenger` (colour is his) challenges `dest`; `player` moves for the simulated side."""
        if fen is None and variant == "chess960":
            fen = board.chess960(random.randrange(960))
        elif fen is not None and variant == "standard":
            variant = "fromPosition"
        position = await self.judge.position(fen or STARTS.get(variant, board.START),
                                             variant=variant)
        challenge = Challenge(self, self.new_id(), self.account(challenger), dest, variant,
                              position, TimeControl(limit, increment, days), rated, colour, rules,
                              rematch_of, player)
        self.challenges[challenge.id] = challenge
        if limit is not None:
            challenge.expiry = asyncio.get_running_loop().call_later(
                self.challenge_life_s, self._expire, challenge)
        self._tell_both(challenge, {"type": "challenge", "challenge": challenge.json(),
                                    "compat": {"bot": limit is None or limit + 40 * increment >= 30,
                                               "board": True}})
        return challenge

    def _expire(self, challenge: Challenge) -> None:
        """Nobody is told, and the id can still be accepted."""
        if challenge.status == "created":
            challenge.status = "offline"
            self.notify()

    async def rematch(self, game: Game, player: Optional[Idle] = None) -> Challenge:
        """The opponent of a finished game offers another one, colours changed over."""
        dest = next(s.account for s in game.seats.values() if self._plays_over_http(s.account))
        rival_colour = board.other(game.colour_of(dest))
        return await self.challenge(
            dest, game.seats[rival_colour].account.name, limit=game.time_control.limit,
            increment=game.time_control.increment, rated=game.rated, variant=game.variant,
            fen=game.positions[0].fen if game.variant in ("chess960", "fromPosition") else None,
            colour=board.other(rival_colour), rematch_of=game.id, player=player)

    def _tell_both(self, challenge: Challenge, event: dict[str, Any]) -> None:
        for account in (challenge.dest, challenge.challenger):
            self.send_event(account, event)
        self.notify()

    def cancel(self, challenge: Challenge) -> None:
        """The challenger withdraws."""
        challenge.settle("canceled")
        self._tell_both(challenge, {"type": "challengeCanceled", "challenge": challenge.json()})

    def decline(self, challenge: Challenge, reason: str) -> None:
        challenge.reason = reason
        challenge.settle("declined")
        self._tell_both(challenge, {"type": "challengeDeclined", "challenge": challenge.json()})

    def accept(self, challenge: Challenge) -> Callable[[], None]:
        """Makes the game; returns the function that announces it."""
        seats = {}
        for colour in ("white", "black"):
            is_challenger = colour == challenge.final_colour
            account = challenge.challenger if is_challenger else challenge.dest
            seats[colour] = Seat(account, self._player_of(account, challenge))
        game = Game(self, challenge.id, challenge.variant, challenge.position, seats,
                    challenge.time_control, challenge.rated, rules=challenge.rules)
        self.games[game.id] = game
        challenge.game = game

        def announce() -> None:
            challenge.settle("accepted")
            for colour, seat in seats.items():
                seat.account.games_played += 1
                seat.account.bot_games += challenge.is_between_bots
                self.send_event(seat.account,
                                {"type": "gameStart", "game": game.summary(colour)})
            game.start()
            self.notify()
        return announce

    def _player_of(self, account: Account, challenge: Challenge) -> Idle:
        if self._plays_over_http(account):
            return Idle()
        return challenge.player or account.player()

    def _plays_over_http(self, account: Account) -> bool:
        return any(token.account is account for token in self.tokens.values())

    def send_event(self, account: Account, event: dict[str, Any]) -> None:
        for _, stream in account.event_streams:
            stream.send(event)

    def game_finished(self, game: Game) -> None:
        for colour, seat in game.seats.items():
            self.send_event(seat.account, {"type": "gameFinish", "game": game.summary(colour)})
        if game.moves:
            with open(os.path.join(self.directory, f"{game.id}.pgn"), "w",
                      encoding="utf-8") as file:
                file.write(pgn.write(game))
        self.notify()

    def pgn_path(self, game: Game) -> str:
        return os.path.join(self.directory, f"{game.id}.pgn")

    # Requests

    def count(self, family: str, since: int = 0) -> int:
        """How many requests of a family came in, from index `since` of `requests` on."""
        return sum(r.family == family for r in self.requests[since:])

    async def _handle(self, request: Request, connection: Connection) -> Optional[Response]:
        self.requests.append(request)
        route, arguments = self._route(request)
        request.family = route.family if route else "unknown"
        lag = self._lag_of(arguments)
        delay_s = lag()
        if delay_s:
            await asyncio.sleep(delay_s)
            request.arrived = time.monotonic()
        fault = self.faults.take(request)
        if fault is not None and fault.delay_before_s:
            request.was_held = True
            await asyncio.sleep(fault.delay_before_s)
        if fault is not None and fault.stream:
            self.strike(fault.stream, self.games.get(arguments.get("game_id", "")))
        response: Optional[Response] = None
        if fault is None or fault.applied or not fault.replaces_answer:
            response = await self._answer(route, request, arguments, connection)
        true_answer = response
        try:
            if fault is not None:
                response = await self._spoil(fault, response, connection)
            if response is not None:
                request.status = response.status
                delay_s = lag()
                if delay_s:
                    await asyncio.sleep(delay_s)
        except asyncio.CancelledError:
            _announce(true_answer)  # what was done is told, though its answer never will be
            raise
        self.notify()
        return response

    def _lag_of(self, arguments: dict[str, str]) -> Callable[[], float]:
        game = self.games.get(arguments.get("game_id", ""))
        return game.lag if game is not None and game.lag is not None else self.lag

    async def _spoil(self, fault, response, connection) -> Optional[Response]:
        if fault.delay_after_s:
            await asyncio.sleep(fault.delay_after_s)
        if not fault.replaces_answer:
            return response
        if fault.status:
            spoiled = fault.response()
            spoiled.after = response.after if response is not None else None
            return spoiled
        if fault.hang:
            _announce(response)
            await connection.reader.read(1)
        else:
            connection.reset()
            _announce(response)
        connection.reusable = False
        return None

    def _route(self, request: Request) -> tuple[Optional["Route"], dict[str, str]]:
        for route in self.routes:
            if route.method == request.method:
                match = route.pattern.fullmatch(request.path)
                if match:
                    return route, match.groupdict()
        return None, {}

    async def _answer(self, route: Optional["Route"], request: Request, arguments: dict[str, str],
                      connection: Connection) -> Optional[Response]:
        if route is None:
            return _error(request, 404, "Not found")
        token = None
        headers = {}
        if route.needs_token:
            token, refusal = self._token_of(request)
            if refusal is not None:
                return refusal
            headers["X-OAuth-Scopes"] = ", ".join(token.scopes)
            if route.scopes:
                headers["X-Accepted-OAuth-Scopes"] = ", ".join(route.scopes)
                if not set(route.scopes) & set(token.scopes):
                    return _error(request, 403, f"Missing scope: {route.scopes[0]}", headers)
            if route.bots_only and token.account.title != "BOT":
                return _error(request, 400, NOT_A_BOT, headers)
        call = Call(self, request, connection, token, headers)
        try:
            response = await route.handler(call, **arguments)
        except Refused as refused:
            return _error(request, 400, str(refused), headers)
        except LookupError as missing:
            return _error(request, 404, str(missing.args[0]), headers)
        if response is not None:
            response.headers.update(headers)
        return response

    def _token_of(self, request: Request) -> tuple[Optional[Token], Optional[Response]]:
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not text:
            return None, _error(request, 401, "Missing authorization header")
        token = self.tokens.get(text)
        if token is None:
            return None, _error(request, 401, "No such token")
        # A User-Agent that claims to act for somebody else is refused.
        for name in re.findall(r"\b(?:user|as):\s?([\w-]+)", request.headers.get("user-agent", "")):
            if name.lower() != token.account.id:
                return None, _error(request, 401, "The user agent names another user")
        return token, None


def _announce(response: Optional[Response]) -> None:
    """What follows an answer that does not go out; once."""
    if response is not None and response.after is not None:
        after, response.after = response.after, None
        after()


def _error(request: Request, status: int, text: str,
           headers: Optional[dict[str, str]] = None) -> Response:
    request.error = text
    response = json_response({"error": text}, status)
    response.headers.update(headers or {})
    return response


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
        if challenge is None or (side == "dest" and challenge.dest is not self.account):
            raise LookupError("Not found")
        return challenge

    def stream(self) -> Stream:
        stream = Stream(self.connection, self.sim.keepalive_s, self.headers)
        stream.split, stream.lag = self.sim.stream_split, self.sim.lag
        self.request.status = 200
        return stream


OK = {"ok": True}


def _yes(word: str) -> bool:
    return word in ("yes", "true", "1", "on")


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


async def playing(call: Call) -> Response:
    limit = min(50, max(1, int(call.request.query.get("nb", 9))))
    games = [(game, game.colour_of(call.account)) for game in call.sim.games.values()
             if game.is_running and game.colour_of(call.account)]
    games.sort(key=lambda entry: (entry[0].turn != entry[1], entry[0].left_s(entry[1])))
    return json_response({"nowPlaying": [game.summary(colour) for game, colour in games[:limit]],
                          "nbMyTurn": sum(game.turn == colour for game, colour in games)})


async def upgrade(call: Call) -> Response:
    if call.account.games_played:
        raise Refused("You already have games played. Make a new account.")
    call.account.title = "BOT"
    return json_response(OK)


async def event_stream(call: Call) -> Optional[Response]:
    sim, me, now = call.sim, call.account, time.monotonic()
    call.token.opens = [t for t in call.token.opens if now - t < 600] + [now]
    if len(call.token.opens) > sim.stream_opens_limit:
        return _error(call.request, 429, DONT_POLL, call.headers)
    for text, old in me.event_streams:
        if text == call.token.text:
            old.end()
    stream = call.stream()
    me.event_streams = [(t, s) for t, s in me.event_streams if s.is_open]
    me.event_streams.append((call.token.text, stream))
    lines: list[dict[str, Any]] = []
    for game in sim.games.values():
        colour = game.colour_of(me)
        if game.is_running and colour and sim.resend_games:
            lines.append({"type": "gameStart", "game": game.summary(colour)})
    lines += [{"type": "challenge", "challenge": challenge.json()}
              for challenge in sim.challenges.values()
              if challenge.dest is me and challenge.status == "created"]
    for line in lines[-STREAM_BUFFER_LINES:]:
        stream.send(line)
    sim.notify()
    await stream.wait()
    me.event_streams = [(t, s) for t, s in me.event_streams if s is not stream]
    return None


async def game_stream(call: Call, game_id: str) -> Optional[Response]:
    game, colour = call.seat(game_id)
    stream = call.stream()
    stream.lag = game.lag or stream.lag
    game.attach(colour, stream, call.request.headers.get("user-agent", ""))
    await stream.wait()
    return None


async def move(call: Call, game_id: str, uci: str) -> Response:
    game, colour = call.seat(game_id)
    if not game.is_running:
        raise Refused("game ID is finished")
    sim, arrived = call.sim, call.request.arrived
    if len(game.moves) > 2 and game.turn == colour:  # the first one finds no stream open yet
        sim.move_latencies_s.append(arrived - game.announced_at[-1])
    offers_draw = _yes(call.request.query.get("offeringDraw", ""))
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
        return _form_error(call, "room", "Invalid value")
    if not 1 <= len(text) <= 140:
        return _form_error(call, "text", "Maximum length is 140" if text else "Required")
    call.sim.chats.append((game_id, room, call.account.id, text))
    if "://" not in text and "www." not in text:  # lines with links are dropped silently
        game.chat(room, call.account.id, text)
    return json_response(OK)


async def chat_so_far(call: Call, game_id: str) -> Response:
    call.seat(game_id)
    return json_response([{"text": text, "user": user} for of, room, user, text in call.sim.chats
                          if of == game_id and room == "player"])


def _limited(call: Call, status: int, key: str, seconds: int) -> Response:
    call.request.error = key
    return json_response({"error": "Too many requests. Try again later.",
                          "ratelimit": {"key": key, "seconds": seconds}}, status)


def _over_the_limit(call: Call, dest: Account) -> Optional[Response]:
    """The answer to a challenge beyond the day's games between bots, or beyond the credits."""
    sim, me, now = call.sim, call.account, time.monotonic()
    if me.title == dest.title == "BOT":
        for account, status in ((me, 429), (dest, 400)):
            if account.bot_games >= sim.bot_games_a_day:
                return _limited(call, status, "bot.vsBot.day", 3600)
    me.credits_spent = [(t, n) for t, n in me.credits_spent if now - t < 86400]
    me.credits_spent.append((now, 1 if dest.title == "BOT" else 5))
    for window, most in ((60, sim.challenges_a_minute), (86400, sim.challenges_a_day)):
        if sum(n for t, n in me.credits_spent if now - t < window) > most:
            return _limited(call, 429, "challenge.create.user", window)
    return None


def _form_error(call: Call, key: str, text: str) -> Response:
    call.request.error = f"{key}: {text}"
    return json_response({"error": {key: [text]}, key: [text]}, 400)


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
    game.draw(colour, _yes(answer))
    return json_response(OK)


async def takeback(call: Call, game_id: str, answer: str) -> Response:
    game, colour = call.seat(game_id)
    game.takeback(colour, _yes(answer))
    return json_response(OK)


async def claim_victory(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    game.claim(colour, colour, "You cannot claim the win on this game")
    return json_response(OK)


async def claim_draw(call: Call, game_id: str) -> Response:
    game, colour = call.seat(game_id)
    game.claim(colour, None, "You cannot claim draw on this game")
    return json_response(OK)


async def berserk(call: Call, game_id: str) -> Response:
    raise Refused("Cannot berserk")


async def export(call: Call, game_id: str) -> Response:
    game = call.sim.games.get(game_id)
    if game is None:
        raise LookupError("No such game")
    return Response(200, pgn.write(game).encode(), "application/x-chess-pgn")


async def challenge_accept(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id, "dest")
    if not challenge.is_open:
        raise Refused(f"Challenge is {challenge.status}")
    control = challenge.time_control
    if control.speed == "ultraBullet":
        raise Refused("Game incompatible with a BOT account")
    announce = call.sim.accept(challenge)
    response = json_response(OK)
    if call.sim.game_start_first:
        announce()
    else:
        response.after = announce
    return response


async def challenge_decline(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id, "dest")
    if not challenge.is_open:
        raise LookupError("Not found")
    wanted = call.request.form().get("reason", "generic").lower()
    call.sim.decline(challenge, next((r for r in DECLINE_REASONS if r.lower() == wanted),
                                     "generic"))
    return json_response(OK)


async def challenge_cancel(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id)
    if challenge.game is not None:
        game, colour = call.seat(challenge_id)
        if not game.is_running or len(game.moves) >= 2:
            raise Refused("Missing opponentToken")
        game.abort(colour)
    elif not challenge.is_open:
        raise LookupError("Not found")
    elif challenge.dest is call.account:
        call.sim.decline(challenge, "generic")
    else:
        call.sim.cancel(challenge)
    return json_response(OK)


async def challenge_create(call: Call, username: str) -> Optional[Response]:
    sim, form = call.sim, call.request.form()
    dest = sim.accounts.get(username.lower())
    if dest is None:
        raise Refused("No such user")
    if dest is call.account:
        raise Refused("You cannot challenge yourself")
    refusal = _over_the_limit(call, dest)
    if refusal is not None:
        return refusal
    limit = int(form["clock.limit"]) if "clock.limit" in form else None
    increment = int(form.get("clock.increment", 0))
    if limit is not None:
        if limit == 0 and increment == 0:
            return _form_error(call, "global", "Invalid clock")
        if limit + 40 * increment < 30:
            return _form_error(call, "global", "Invalid speed")
    keep_alive = _yes(form.get("keepAliveStream", ""))
    stream = call.stream() if keep_alive else None
    challenge = await sim.challenge(
        dest, call.account.name, limit=limit, increment=increment,
        days=int(form["days"]) if "days" in form else None,
        rated=_yes(form.get("rated", "")), variant=form.get("variant", "standard"),
        fen=form.get("fen"), colour=form.get("color", "random"), player=dest.player())

    def answer() -> None:
        if not challenge.is_open or dest.answer == "ignore":
            return
        if dest.answer == "accept":
            sim.accept(challenge)()
        else:
            sim.decline(challenge, dest.answer)
    if stream is None:
        response = json_response(challenge.json("out"))
        response.after = answer
        return response
    stream.send(challenge.json("out"))
    challenge.streams.append(stream)
    answer()
    await stream.wait()
    return None


async def challenge_list(call: Call) -> Response:
    challenges = [c for c in call.sim.challenges.values() if c.status == "created"]
    return json_response({"in": [c.json("in") for c in challenges if c.dest is call.account],
                          "out": [c.json("out") for c in challenges
                                  if c.challenger is call.account]})


async def challenge_show(call: Call, challenge_id: str) -> Response:
    challenge = call.challenge(challenge_id)
    return json_response(challenge.json("in" if challenge.dest is call.account else "out"))


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


def _route(method: str, path: str, family: str, handler: Callable,
           scopes: tuple[str, ...] = (), bots_only: bool = False, token: bool = True) -> Route:
    return Route(method, re.compile(path), family, scopes, bots_only, token, handler)


_CHALLENGE = r"/api/challenge/(?P<challenge_id>\w+)"
_TOURNAMENT = r"/api/tournament/(?P<tournament_id>\w+)"
_ANSWERS = ("bot:play", "board:play", "challenge:write")
ROUTES = (
    _route("POST", "/api/token/test", "token_test", token_test, token=False),
    _route("GET", "/api/account", "account", account),
    _route("GET", "/api/account/playing", "playing", playing),
    _route("POST", "/api/bot/account/upgrade", "upgrade", upgrade, ("bot:play",)),
    _route("GET", "/api/stream/event", "event_stream", event_stream,
           ("bot:play", "board:play", "challenge:read")),
    _route("GET", r"/api/bot/game/stream/(?P<game_id>\w+)", "game_stream", game_stream,
           ("bot:play",), True),
    _play(r"move/(?P<uci>[^/]+)", "move", move),
    _play("chat", "chat", chat),
    _route("GET", r"/api/bot/game/(?P<game_id>\w+)/chat", "chat", chat_so_far, ("bot:play",), True),
    _play("abort", "abort", abort),
    _play("resign", "resign", resign),
    _play(r"draw/(?P<answer>\w+)", "draw", draw),
    _play(r"takeback/(?P<answer>\w+)", "takeback", takeback),
    _play("claim-victory", "claim", claim_victory),
    _play("claim-draw", "claim", claim_draw),
    _play("berserk", "berserk", berserk),
    _route("GET", r"/game/export/(?P<game_id>\w+)", "export", export),
    _route("GET", _TOURNAMENT, "tournament", arena.show),
    _route("POST", _TOURNAMENT + "/join", "join", arena.join),
    _route("POST", _TOURNAMENT + "/withdraw", "withdraw", arena.withdraw),
    _route("GET", "/api/challenge", "challenge_list", challenge_list, ("challenge:read",)),
    _route("GET", _CHALLENGE + "/show", "challenge_show", challenge_show, ("challenge:read",)),
    _route("POST", _CHALLENGE + "/accept", "accept", challenge_accept, _ANSWERS),
    _route("POST", _CHALLENGE + "/decline", "decline", challenge_decline, _ANSWERS),
    _route("POST", _CHALLENGE + "/cancel", "cancel", challenge_cancel, _ANSWERS),
    _route("POST", r"/api/challenge/(?P<username>[\w-]+)", "create", challenge_create, _ANSWERS),
    _route("GET", "/api/users/status", "users_status", users_status, token=False),
    _route("GET", r"/api/user/(?P<username>[\w-]+)", "user", user_profile, token=False),
    _route("GET", "/api/bot/online", "bots_online", bots_online, token=False),
)
