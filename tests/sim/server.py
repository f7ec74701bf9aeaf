# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated Lichess: what it holds, what tests order of it, and a request's way through it.

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
from typing import Any, Callable, Coroutine, Optional

from . import board, certs, pgn
from .accounts import ALL_SCOPES, Account, Token
from .answers import Refused, error
from .arenas import Arena
from .challenges import Challenge, new_challenge
from .faults import STREAM_FAULTS, Faults
from .game import Game, Seat, TimeControl
from .http1 import Connection, HttpServer, KeepAlive, Request, Response
from .judge import Judge
from .limits import Limits
from .opponent import Idle
from .pychess import Pychess
from .routes import ROUTES, Call, Route, route

NOT_A_BOT = ("This endpoint can only be used with a Bot account. "
             "See https://lichess.org/api#operation/botAccountUpgrade")
AGENT_CLAIM = re.compile(r"(?:user|as): ?([\w-]{3,31})")  # the whole header
WRONG_AGENT = "The user in the user-agent doesn't match the token bearer"


class Simulator:
    def __init__(self, directory: str, *, host: str = "127.0.0.1", port: int = 0, keepalive_s: float = 7.0,
                 certificate: Optional[dict[str, Any]] = None,
                 certificate_files: Optional[tuple[str, str, str]] = None,
                 judge: Optional[Judge] = None):
        """`certificate`: keywords of certs.make(); or ready `certificate_files`, as it returns
        them. A `judge` that is given stays the caller's."""
        self.directory = directory
        self.keepalive_s = keepalive_s
        self.limits = Limits()
        self.manners: Optional[Pychess] = None  # of another server
        # What the API leaves open, for tests to choose:
        self.castling = "king-takes-rook"   # or king-to-target, on streams of standard games
        self.echo_first = True              # a move's echo before its 200
        self.tells_starts = True            # gameStart of games that were accepted
        self.game_start_first = False       # gameStart before the accept's 200
        self.finish_event_first = False     # gameFinish before the game stream's last line
        self.final_state_twice = False
        self.stream_split = 0               # bytes in a segment, for every new stream
        self.resend_games = True            # gameStart of running games at each open
        # While the next game stream opens: after its gameFull was made of the game. What happens
        # then is never shown, or with `gap_is_shown` ahead of the gameFull.
        self.gap: Optional[Callable[[Game], Coroutine[Any, Any, None]]] = None
        self.gap_is_shown = False
        self.lag: Callable[[], float] = lambda: 0.0  # seconds on the wire, each way, each time
        self.day_s = 86400.0                # how long a day of correspondence games lasts
        self.says_false = False             # flags that are false are sent, as the spec has it
        self.says_rare = False              # rare and unknown fields and types are sent
        self.tells_clocks = True            # in each gameState
        self.echo_keeps_offer = False       # a move's echo still shows the offer that it declines
        self.ai_player: Callable[[], Idle] = Idle  # makes who moves for Lichess's own AI
        self.accounts: dict[str, Account] = {}
        self.tokens: dict[str, Token] = {}
        self.games: dict[str, Game] = {}
        self.challenges: dict[str, Challenge] = {}
        self.arenas: dict[str, Arena] = {}
        self.faults = Faults(lambda: {route.family for route in self.routes})
        self.judge = judge or Judge()
        self._owns_judge = judge is None
        self.restarted_at = -1e9            # monotonic, when deploy() was over
        self.is_deploying = False
        self.requests: list[Request] = []
        self.chats: list[tuple[str, str, str, str]] = []  # game, room, user, text
        self.failures: list[str] = []                     # of the simulator's own players
        self.move_latencies_s: list[float] = []           # opponent's move out -> our POST in
        self.routes = list(ROUTES)
        self._jobs: set[asyncio.Task] = set()
        self._ids = random.Random()
        self._changed = asyncio.Event()
        self._host, self._port = host, port
        self.ca_file, self.certificate_file, self.key_file = \
            certificate_files or certs.make(directory, **(certificate or {}))
        self._http = HttpServer(self._handle,
                                certs.server_context(self.certificate_file, self.key_file))

    # Life

    @property
    def url(self) -> str:
        return f"https://[{self._host}]:{self._port}" if ":" in self._host \
            else f"https://{self._host}:{self._port}"

    async def start(self, certificate: Optional[dict[str, Any]] = None) -> None:
        """With `certificate` (keywords of certs.make()) it shows another one than before, of an
        authority of its own."""
        if certificate is not None:
            with tempfile.TemporaryDirectory() as directory:
                self._http.context = certs.server_context(*certs.make(directory, **certificate)[1:])
        else:
            self._http.context = certs.server_context(self.certificate_file, self.key_file)
        await self._http.start(self._host, self._port)
        self._port = self._http.port

    async def down(self) -> None:
        """The server goes away, with all its connections; start() brings it back."""
        await self._http.stop()

    async def deploy(self, seconds: float, adds_s: float = 15.0) -> None:
        """A restart of the real server: all connections are reset, 502 for a while, and clocks
        raised afterwards."""
        self.is_deploying = True
        self._http.reset_all()
        self.faults.order("", status=502, lasts_s=seconds)
        await asyncio.sleep(seconds)
        self.is_deploying, self.restarted_at = False, time.monotonic()
        for game in self.games.values():
            if game.is_running and game.time_control.limit is not None:
                game.add_time_to_both(adds_s)

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
    def keep_alive(self) -> KeepAlive:
        """When connections are closed that could carry more; for tests to change."""
        return self._http.keep_alive

    @keep_alive.setter
    def keep_alive(self, keep_alive: KeepAlive) -> None:
        self._http.keep_alive = keep_alive

    @property
    def unanswered(self) -> int:
        """Requests that came on a connection as it was closed; they are in no list."""
        return self._http.unanswered

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

    def add_arena(self, opponents=(), **facts) -> Arena:
        """`facts` are keywords of Arena()."""
        new = Arena(self, self.new_id(), list(opponents), **facts)
        self.arenas[new.id] = new
        return new

    def add_route(self, method: str, path: str, family: str, handler: Callable) -> None:
        """A route without token, tried first: handler(call, **groups of the path's pattern)."""
        self.routes.insert(0, route(method, path, family, handler, token=False))

    # Challenges and games

    def new_id(self) -> str:
        return "".join(self._ids.choices(string.ascii_letters + string.digits, k=8))

    async def challenge(self, dest: Account, challenger: str, **wanted: Any) -> Challenge:
        """`wanted` are keywords of new_challenge()."""
        return await new_challenge(self, dest, challenger, **wanted)

    async def rematch(self, game: Game, player: Optional[Idle] = None) -> Challenge:
        """The opponent of a finished game offers another one, colours changed over."""
        dest = next(s.account for s in game.seats.values() if self.plays_over_http(s.account))
        rival_colour = board.other(game.colour_of(dest))
        return await self.challenge(
            dest, game.seats[rival_colour].account.name, limit=game.time_control.limit,
            increment=game.time_control.increment, rated=game.rated, variant=game.variant,
            fen=game.positions[0].fen if game.variant in ("chess960", "fromPosition") else None,
            colour=board.other(rival_colour), rematch_of=game.id, player=player)

    def plays_over_http(self, account: Account) -> bool:
        return any(token.account is account for token in self.tokens.values())

    def games_of(self, account: Account) -> list[tuple[Game, str]]:
        """Those that run, with the account's colour, the most urgent first."""
        games = [(game, colour) for game in self.games.values()
                 if game.is_running and (colour := game.colour_of(account))]
        games.sort(key=lambda entry: (entry[0].turn != entry[1], entry[0].left_s(entry[1])))
        return games

    def begin(self, game: Game) -> None:
        """Announces a game that nobody had to accept, and lets it start."""
        for colour, seat in game.seats.items():
            self.send_event(seat.account, {"type": "gameStart", "game": game.summary(colour)})
        game.start()
        self.notify()

    async def pair(self, bot: Account, rival: str, *, limit: int, increment: int = 0,
                   clocks_start_s: float = 60, bot_is: str = "black",
                   player: Optional[Idle] = None) -> Game:
        """A bulk pairing by an organiser: nobody is asked, and the clocks start by themselves."""
        seats = {bot_is: Seat(bot, Idle()),
                 board.other(bot_is): Seat(self.account(rival), player or Idle())}
        game = Game(self, self.new_id(), "standard", await self.judge.position(board.START),
                    {colour: seats[colour] for colour in ("white", "black")},
                    TimeControl(limit, increment), False, source="api")
        self.games[game.id] = game
        self.begin(game)
        asyncio.get_running_loop().call_later(clocks_start_s, game.start_clocks)
        return game

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
        if fault.hang or fault.raw:
            connection.writer.write(fault.raw)
            _announce(response)
            await connection.reader.read(1)
        else:
            connection.reset()
            _announce(response)
        connection.reusable = False
        return None

    def _route(self, request: Request) -> tuple[Optional[Route], dict[str, str]]:
        for route in self.routes:
            if route.method == request.method:
                match = route.pattern.fullmatch(request.path)
                if match:
                    return route, match.groupdict()
        return None, {}

    async def _answer(self, route: Optional[Route], request: Request, arguments: dict[str, str],
                      connection: Connection) -> Optional[Response]:
        if self.manners is not None:
            response = self.manners.refusal(request, route, arguments)
            if response is not None:
                return response
        response = await self._answer_as_lichess(route, request, arguments, connection)
        if response is not None and self.manners is not None:
            return self.manners.answer(request, route, response)
        return response

    async def _answer_as_lichess(self, route: Optional[Route], request: Request,
                                 arguments: dict[str, str],
                                 connection: Connection) -> Optional[Response]:
        if route is None:
            return error(request, 404, "Not found")
        token = None
        headers = {}
        if route.needs_token:
            token, refusal = self._token_of(request)
            if refusal is not None:
                return refusal
            headers["X-OAuth-Scopes"] = ",".join(token.scopes)
            if route.scopes:
                headers["X-Accepted-OAuth-Scopes"] = ",".join(route.scopes)
                if not set(route.scopes) & set(token.scopes):
                    return error(request, 403, f"Missing scope: {route.scopes[0]}", headers)
            if route.bots_only and token.account.title != "BOT":
                return error(request, 400, NOT_A_BOT, headers)
        call = Call(self, request, connection, token, headers)
        try:
            response = await route.handler(call, **arguments)
        except Refused as refused:
            return error(request, refused.status, str(refused), headers, **refused.more)
        except LookupError as missing:
            return error(request, 404, str(missing.args[0]), headers)
        if response is not None:
            response.headers.update(headers)
        return response

    def _token_of(self, request: Request) -> tuple[Optional[Token], Optional[Response]]:
        scheme, _, text = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not text:
            return None, error(request, 401, "Missing authorization header")
        token = self.tokens.get(text)
        if token is None:
            return None, error(request, 401, "No such token")
        claim = AGENT_CLAIM.fullmatch(request.headers.get("user-agent", ""))
        if claim and claim[1].lower() != token.account.id:
            return None, error(request, 401, WRONG_AGENT)
        return token, None


def _announce(response: Optional[Response]) -> None:
    """What follows an answer that does not go out; once."""
    if response is not None and response.after is not None:
        after, response.after = response.after, None
        after()
