# SPDX-License-Identifier: GPL-3.0-or-later
"""One game as Lichess plays it: moves, clocks, offers, every way to end.

Time is time.monotonic() in seconds inside and milliseconds on the wire. Moves are kept with
castling as king takes rook. A move is first made, then announced: who made it over HTTP decides
whether its echo goes out before or after the answer.
"""
from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Optional

from . import board, ends, opponent
from .answers import Refused, flags
from .http1 import Stream
from .judge import STARTS, Position

if TYPE_CHECKING:
    from .accounts import Account
    from .server import Simulator

STATUS_ID = {"created": 10, "started": 20, "aborted": 25, "mate": 30, "resign": 31,
             "stalemate": 32, "timeout": 33, "draw": 34, "outoftime": 35, "cheat": 36,
             "noStart": 37, "unknownFinish": 38, "insufficientMaterialClaim": 39,
             "variantEnd": 60}
VARIANTS = {"standard": ("Standard", "Std"), "chess960": ("Chess960", "960"),
            "fromPosition": ("From Position", "FEN"), "crazyhouse": ("Crazyhouse", "Crazy"),
            "antichess": ("Antichess", "Anti"), "atomic": ("Atomic", "Atom"),
            "horde": ("Horde", "Horde"), "kingOfTheHill": ("King of the Hill", "KotH"),
            "racingKings": ("Racing Kings", "Racing"), "threeCheck": ("Three-check", "3check")}
NO_CLOCK_MS = 2147483647
UCI_MOVE = re.compile("([a-h][1-8]){2}[qrbnk]?|[PNBRQ]@[a-h][1-8]")
MAX_PLIES = 600
DRAW_OFFER_GAP_PLIES = 20


@dataclass
class TimeControl:
    """Seconds; without `limit` a correspondence game, without `days` too an unlimited one."""
    limit: Optional[int] = None
    increment: int = 0
    days: Optional[int] = None

    @property
    def speed(self) -> str:
        if self.limit is None:
            return "correspondence"
        estimate = self.limit + 40 * self.increment
        for name, below in (("ultraBullet", 30), ("bullet", 180), ("blitz", 480), ("rapid", 1500)):
            if estimate < below:
                return name
        return "classical"

    @property
    def show(self) -> str:
        minutes = {15: "¼", 30: "½", 45: "¾", 90: "1.5"}.get(self.limit, f"{self.limit // 60}")
        return f"{minutes}+{self.increment}"

    def json(self) -> dict[str, Any]:
        if self.limit is not None:
            return {"type": "clock", "limit": self.limit, "increment": self.increment,
                    "show": self.show}
        if self.days is not None:
            return {"type": "correspondence", "daysPerTurn": self.days}
        return {"type": "unlimited"}


@dataclass
class Seat:
    account: "Account"
    player: opponent.Idle                 # who chooses this side's moves inside the simulator
    streams: list[tuple[Stream, str]] = field(default_factory=list)  # with their User-Agent
    left_s: float = 0.0
    offers_draw: bool = False
    offered_draw_at: int = -DRAW_OFFER_GAP_PLIES - 1
    proposes_takeback: bool = False
    may_claim: bool = False               # the other side has been gone for long enough


class Game:
    def __init__(self, sim: "Simulator", game_id: str, variant: str, position: Position,
                 seats: dict[str, Seat], time_control: TimeControl, rated: bool, *,
                 source: str = "friend", rules: tuple[str, ...] = (), tournament: str = "",
                 first_move_s: float = 0):
        self.sim = sim
        self.id = game_id
        self.variant = variant
        self.seats = seats
        self.time_control = time_control
        self.rated = rated
        self.source = source
        self.rules = rules
        self.tournament = tournament  # its id
        self.first_move_s = first_move_s  # that each side has in an arena; else there is no limit
        self.rematch = ""             # the id of the game that follows
        self.is_for_bots = True       # False: a game by hand on the website that bots must leave
        self.positions = [position]
        self.moves: list[str] = []
        self.clocks: list[tuple[float, float]] = []  # left for (white, black) after each move
        self.status = "started"
        self.winner: Optional[str] = None
        self.ended_at = 0.0  # monotonic
        self.created_at = int(time.time() * 1000)
        self.lag: Optional[Callable[[], float]] = None  # in place of the simulator's
        self.clocks_started = False   # at a time, whatever was moved: start_clocks()
        self.unshown = 0              # so many states to come are on no stream
        self.announced_at: list[float] = []  # monotonic, when each move's line went out
        self.over: asyncio.Future = asyncio.get_running_loop().create_future()
        self._lock = asyncio.Lock()
        self._turn_began = 0.0
        self._flag: Optional[asyncio.TimerHandle] = None
        self._player_task: Optional[asyncio.Task] = None
        self._changed = asyncio.Event()
        self._is_closed = False
        self._departures: dict[str, object] = {}  # of who is away, by colour
        self._takebacks_declined = 0
        self._no_takebacks_until = 0.0
        if time_control.limit is not None:
            for seat in seats.values():
                seat.left_s = time_control.limit or max(3, time_control.increment)
        elif time_control.days is not None:
            for seat in seats.values():
                seat.left_s = self._days_s

    # What there is to know

    @property
    def position(self) -> Position:
        return self.positions[-1]

    @property
    def turn(self) -> str:
        return self.position.turn

    @property
    def has_bot(self) -> bool:
        return any(seat.account.title == "BOT" for seat in self.seats.values())

    @property
    def is_against_ai(self) -> bool:
        return any(seat.account.ai_level for seat in self.seats.values())

    @property
    def is_running(self) -> bool:
        return self.status == "started"

    @property
    def clock_runs(self) -> bool:
        if self.time_control.days is not None:
            return self.is_running
        return self.time_control.limit is not None and self.is_running \
            and (self.clocks_started or len(self.moves) >= 2)

    @property
    def _days_s(self) -> float:
        """What each side has for a move in a game of days."""
        return self.time_control.days * self.sim.day_s

    def colour_of(self, account: "Account") -> Optional[str]:
        return next((c for c, seat in self.seats.items() if seat.account is account), None)

    def left_s(self, colour: str) -> float:
        left = self.seats[colour].left_s
        if self.clock_runs and colour == self.turn:
            left -= time.monotonic() - self._turn_began
        return left

    def wire_move(self, ply: int) -> str:
        """The move as streams carry it: standard games may show castling as the king's way."""
        move = self.moves[ply]
        if (self.variant not in ("chess960", "fromPosition")
                and self.sim.castling == "king-to-target"
                and board.is_castling(board.squares(self.positions[ply].fen), move)):
            return board.castling_target(move)
        return move

    async def until(self, predicate: Callable[["Game"], bool], timeout: float) -> None:
        """Waits until `predicate(game)` holds; raises AssertionError after `timeout` seconds, and
        at once if one of the simulator's own players failed."""
        async def wait() -> None:
            while not predicate(self):
                assert not self.sim.failures, self.sim.failures
                self._changed.clear()
                await self._changed.wait()
        try:
            await asyncio.wait_for(wait(), timeout)
        except asyncio.TimeoutError:
            raise AssertionError(f"game {self.id}: not within {timeout} s; it is {self.status} "
                                 f"after {' '.join(self.moves) or 'no move'}") from None

    async def plies(self, count: int, timeout: float) -> None:
        await self.until(lambda game: len(game.moves) >= count, timeout)

    # JSON

    def initial_fen(self) -> str:
        """A test may begin a variant's game elsewhere than the server ever does."""
        fen = self.positions[0].fen
        is_usual = fen.split()[0] == STARTS.get(self.variant, board.START).split()[0]
        if is_usual and self.variant not in ("chess960", "fromPosition", "horde", "racingKings"):
            return "startpos"
        return board.server_fen(fen)

    def _wire_clock(self, colour: str) -> int:
        if self.time_control.limit is None and self.time_control.days is None:
            return NO_CLOCK_MS
        return max(0, round(self.left_s(colour) * 1000))

    @property
    def _expires(self) -> bool:
        """The side to move loses unless it makes its first move in time."""
        return bool(self.first_move_s) and self.is_running and len(self.moves) < 2

    def state(self) -> dict[str, Any]:
        increment = self.time_control.increment * 1000
        state: dict[str, Any] = {
            "type": "gameState", "moves": " ".join(map(self.wire_move, range(len(self.moves)))),
            "wtime": self._wire_clock("white"), "btime": self._wire_clock("black"),
            "winc": increment, "binc": increment, "status": self.status}
        if not self.sim.tells_clocks:
            del state["wtime"], state["btime"]
        if self.winner:
            state["winner"] = self.winner
        white, black = self.seats["white"], self.seats["black"]
        state.update(flags(self.sim, wdraw=white.offers_draw, bdraw=black.offers_draw,
                           wtakeback=white.proposes_takeback, btakeback=black.proposes_takeback))
        if self.rematch:
            state["rematch"] = self.rematch
        if self._expires:
            idle_s = time.monotonic() - self._turn_began
            state["expiration"] = {"idleMillis": round(idle_s * 1000),
                                   "millisToMove": round(self.first_move_s * 1000)}
        if self.sim.says_rare:
            state["newThing"] = {"of": ["the", "future"]}
        return state

    def full(self) -> dict[str, Any]:
        name, short = VARIANTS[self.variant]
        full: dict[str, Any] = {
            "type": "gameFull", "id": self.id,
            "variant": {"key": self.variant, "name": name, "short": short},
            "speed": self.time_control.speed, "perf": {"name": self._perf().capitalize()},
            "rated": self.rated, "createdAt": self.created_at}
        if self.time_control.limit is not None:
            full["clock"] = {"initial": self.time_control.limit * 1000,
                             "increment": self.time_control.increment * 1000}
        elif self.time_control.days is not None:
            full["daysPerTurn"] = self.time_control.days
        for colour in ("white", "black"):
            full[colour] = self.seats[colour].account.in_game(self.sim)
        full["initialFen"] = self.initial_fen()
        if self.tournament:
            full["tournamentId"] = self.tournament
        full["state"] = self.state()
        return full

    def _perf(self) -> str:
        return self.time_control.speed if self.variant in ("standard", "fromPosition") \
            else self.variant

    def summary(self, colour: str) -> dict[str, Any]:
        """The `game` object of gameStart, gameFinish and nowPlaying, as `colour` sees it."""
        rival = self.seats[board.other(colour)].account
        name = VARIANTS[self.variant][0]
        info: dict[str, Any] = {
            "fullId": self.id + "Seat" if colour == "white" else self.id + "seaT",
            "gameId": self.id, "fen": board.server_fen(self.position.fen), "color": colour,
            "lastMove": self.wire_move(len(self.moves) - 1) if self.moves else "",
            "source": self.source,
            "status": {"id": STATUS_ID[self.status], "name": self.status},
            "variant": {"key": self.variant, "name": name},
            "speed": self.time_control.speed, "perf": self._perf(), "rated": self.rated,
            "hasMoved": len(self.moves) > (0 if self.positions[0].turn == colour else 1),
            "opponent": rival.as_opponent(),
            "isMyTurn": self.is_running and self.turn == colour}
        if self.time_control.limit is not None or self.time_control.days is not None:
            info["secondsLeft"] = max(0, int(self.left_s(colour)))
        if self.winner:
            info["winner"] = self.winner
        if self.rated and self.status not in ("started", "aborted"):
            info["ratingDiff"] = self._rating_diff(colour)
            info["opponent"]["ratingDiff"] = self._rating_diff(board.other(colour))
        if self.tournament:
            info["tournamentId"] = self.tournament
        info["rating"] = self.seats[colour].account.rating
        info["compat"] = {"bot": self.is_for_bots, "board": True}
        info["id"] = self.id
        return info

    def _rating_diff(self, colour: str) -> int:
        """Elo's; the accounts keep their ratings, so that tests can count on them."""
        own, rival = (self.seats[c].account.rating for c in (colour, board.other(colour)))
        score = 0.5 if self.winner is None else float(self.winner == colour)
        return round(10 * (score - 1 / (1 + 10 ** ((rival - own) / 400))))

    # Streams

    async def attach(self, colour: str, stream: Stream, agent: str) -> None:
        """A new stream of one seat; an older one of the same User-Agent ends."""
        seat = self.seats[colour]
        for old, old_agent in list(seat.streams):
            if old_agent == agent:
                old.end()
        seat.streams = [(s, a) for s, a in seat.streams if s.is_open and a != agent]
        full = self.full()
        gap, self.sim.gap = self.sim.gap, None
        if gap is not None and not self.sim.gap_is_shown:
            await gap(self)
        if self.is_running:
            seat.streams.append((stream, agent))
        if gap is not None and self.sim.gap_is_shown:
            await gap(self)
        stream.send(full)
        if not self.is_running:
            stream.end()
        self._notify()

    def streams(self, colour: str) -> list[Stream]:
        return [stream for stream, _ in self.seats[colour].streams if stream.is_open]

    def send(self, value: dict[str, Any]) -> None:
        for colour in self.seats:
            for stream in self.streams(colour):
                stream.send(value)

    def send_state(self) -> None:
        if self.unshown > 0:
            self.unshown -= 1
        else:
            self.send(self.state())
        self._notify()

    def chat(self, room: str, username: str, text: str) -> None:
        self.send({"type": "chatLine", "room": room, "username": username, "text": text})

    # Moves

    def start(self) -> None:
        """Lets the simulator's own player move if it is its turn."""
        self._turn_began = time.monotonic()
        self._next_turn()

    def read_move(self, text: str) -> str:
        """`text` in the form that is kept; raises Refused if it is not a legal move."""
        if not UCI_MOVE.fullmatch(text):
            raise Refused(f"Invalid UCI: {text}")
        legal = self.position.legal
        if text in legal:
            return text
        pieces = board.squares(self.position.fen)
        if self.variant != "chess960" and text in ("e1g1", "e1c1", "e8g8", "e8c8") \
                and pieces.get(text[:2], " ") in "Kk":
            castling = text[:2] + ("h" if text[2] == "g" else "a") + text[3]
            if castling in legal:
                return castling
        if text + "q" in legal:
            return text + "q"
        if text[:2] not in pieces:
            raise Refused(f"No piece on {text[:2]}")
        raise Refused(f"Piece on {text[:2]} cannot move to {text[2:4]}")

    async def make(self, colour: str, text: str, offers_draw: bool = False,
                   now: Optional[float] = None) -> Callable[[], None]:
        """Plays a move that came in at `now`; returns the function that announces it.

        Raises Refused if it is not this side's turn or the move is not legal.
        """
        now = time.monotonic() if now is None else now
        if self.is_against_ai and not self.seats[colour].account.ai_level:
            await asyncio.sleep(self.sim.limits.ai_hold_s)  # on our clock
            now += self.sim.limits.ai_hold_s
        async with self._lock:
            if not self.is_running or colour != self.turn:
                raise Refused("Not your turn, or game already over")
            seat, rival = self.seats[colour], self.seats[board.other(colour)]
            ends = self._offer(colour) if offers_draw else None
            if ends:  # the offer is read before the move that it comes with
                return lambda: self.finish(ends)
            move = self.read_move(text)
            if self.clock_runs:
                left = seat.left_s - (now - self._turn_began)
                if left <= 0:
                    return lambda: self._flag_fallen(colour)
                seat.left_s = left + self.time_control.increment
                if self.time_control.days is not None:
                    seat.left_s = self._days_s
            position = await self.sim.judge.position(self.position.fen, move, self.variant)
            if not self.is_running:
                raise Refused("Not your turn, or game already over")
            self._stop_waiting()
            rival.offers_draw = rival.offers_draw and self.sim.echo_keeps_offer
            seat.may_claim = rival.may_claim = False
            self._departures.pop(colour, None)  # nothing else says that somebody has returned
            self.moves.append(move)
            self.positions.append(position)
            self.clocks.append((self.seats["white"].left_s, self.seats["black"].left_s))
            self._turn_began = time.monotonic()
            ply = len(self.moves)
        return lambda: self._announce(ply)

    async def move(self, text: str) -> None:
        """Plays and announces a move for the side to move: for tests and the own players."""
        announce = await self.make(self.turn, text)
        announce()

    def _announce(self, ply: int) -> None:
        if not self.is_running or ply != len(self.moves):
            return
        status, winner = self._end_by_rule()
        claimed = status is None and self._is_repeated(3 if self.has_bot else 5)
        if status is None:
            self.send_state()
            self._decline_what_was_offered(self.turn)
        if claimed:  # the server claims for the bot, so the move itself went out first
            status = "draw"
        self.announced_at = self.announced_at[:ply - 1] + [time.monotonic()]
        if status is not None:
            self.finish(status, winner)
        else:
            self._next_turn()
        self._notify()

    def _decline_what_was_offered(self, colour: str) -> None:
        """The other side has moved instead: an offer vanishes, a takeback's end is told."""
        seat = self.seats[colour]
        seat.offers_draw = False
        if seat.proposes_takeback:
            self._takeback_declined()
            self.send(self.state())

    def _end_by_rule(self) -> tuple[Optional[str], Optional[str]]:
        now = self.position
        if now.end is not None:
            return now.end
        is_drawn = now.halfmoves >= 100 and self.variant != "crazyhouse"
        return ("draw", None) if is_drawn or len(self.moves) >= MAX_PLIES else (None, None)

    def _is_repeated(self, times: int) -> bool:
        return sum(p.identity == self.position.identity for p in self.positions) >= times

    def _next_turn(self) -> None:
        self._stop_waiting()
        if self._is_closed:  # a move that was on its way then
            return
        self._arm_flag()
        self._player_task = asyncio.get_running_loop().create_task(self._play_own(self.turn))

    def _arm_flag(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self.clock_runs:
            left_s, fall = self.left_s(self.turn), self._flag_fallen
        elif self._expires:
            left_s, fall = self._turn_began + self.first_move_s - time.monotonic(), self._no_start
        else:
            return
        self._flag = asyncio.get_running_loop().call_later(max(0.0, left_s), fall, self.turn)

    def start_clocks(self) -> None:
        """An organiser does, or the time that a bulk pairing names; no line tells of it."""
        if self.is_running and not self.clock_runs:
            self.clocks_started = True
            self._turn_began = time.monotonic()
            self._arm_flag()
            self._notify()

    def sit_down(self, colour: str, player: opponent.Idle) -> None:
        """Somebody who was away is there now."""
        self.seats[colour].player = player
        if self.is_running and self.turn == colour:
            self._next_turn()

    async def _play_own(self, colour: str) -> None:
        try:
            move = await self.seats[colour].player.choose(self)
            self._player_task = None  # announcing a move stops whoever is still thinking
            if move is not None and self.is_running:
                await self.move(move)
        except Refused as error:
            if self.is_running:  # else it ended while the move was on its way
                self._failed(error)
        except Exception as error:  # a simulated player that fails must fail the test
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        self.sim.failed(f"game {self.id}: {error!r} after {' '.join(self.moves)}")
        self._notify()

    def _stop_waiting(self) -> None:
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        if self._player_task is not None:
            self._player_task.cancel()
            self._player_task = None

    # Ends

    def _flag_fallen(self, colour: str) -> None:
        rival = board.other(colour)
        if self.sim.is_deploying:
            return  # the flag is armed again afterwards
        dead = ends.cannot_win(self.variant, self.position.fen, rival)
        if self._turn_began < self.sim.restarted_at and time.monotonic() \
                < self.sim.restarted_at + self.sim.limits.restart_grace_s:
            self.finish("aborted")
        elif self.seats[rival].offers_draw:  # the offer of the side that would win
            self.chat("player", "lichess", "Draw offer accepted")
            self.finish("draw")
        else:
            self.finish("outoftime", None if dead else rival)

    def _no_start(self, colour: str) -> None:
        self.finish("noStart", board.other(colour))

    def finish(self, status: str, winner: Optional[str] = None) -> None:
        if not self.is_running:
            return
        for colour in self.seats:
            self.seats[colour].left_s = self.left_s(colour)
        self._stop_waiting()
        self.status, self.winner = status, winner
        self.ended_at = time.monotonic()
        for seat in self.seats.values():
            seat.offers_draw = seat.proposes_takeback = False
        if self.sim.finish_event_first:
            self.sim.game_finished(self)
        self.send_state()
        if self.sim.final_state_twice:
            self.send_state()
        for colour in self.seats:
            for stream in self.streams(colour):
                stream.end()
        if not self.sim.finish_event_first:
            self.sim.game_finished(self)
        self.over.set_result((status, winner))
        self._notify()

    def abort(self, colour: str) -> None:
        if not self.is_running or len(self.moves) >= 2 or self.tournament \
                or "noAbort" in self.rules:
            raise Refused("This game can no longer be aborted")
        self.finish("aborted")

    def resign(self, colour: str) -> None:
        is_early = len(self.moves) < 2 and not self.tournament
        if not self.is_running or (is_early and "noAbort" in self.rules):
            raise Refused("This game cannot be resigned")
        if is_early:
            self.finish("aborted")
        else:
            self.finish("resign", board.other(colour))

    def claim(self, colour: str, status_winner: Optional[str], text: str) -> None:
        if not self.seats[colour].may_claim:
            raise Refused(text)
        if colour != self.turn:
            self.finish("timeout", status_winner)

    # Offers: a 200 says "received"; the stream alone says what became of them

    def _offer(self, colour: str) -> Optional[str]:
        """One offers, or accepts: the status with which the game then ends, if it does."""
        seat, rival = self.seats[colour], self.seats[board.other(colour)]
        if len(self.moves) < 2 or self.is_against_ai:
            return None
        if rival.offers_draw:
            return "draw"
        if ends.cannot_win(self.variant, self.position.fen, board.other(colour)):
            return "insufficientMaterialClaim"
        if len(self.moves) - seat.offered_draw_at > DRAW_OFFER_GAP_PLIES:
            seat.offers_draw = True
            seat.offered_draw_at = len(self.moves)
        return None

    def draw(self, colour: str, yes: bool) -> None:
        """Offers or accepts a draw, or declines one."""
        seat, rival = self.seats[colour], self.seats[board.other(colour)]
        if not self.is_running or len(self.moves) < 2:
            return
        if not yes:
            rival.offers_draw = False
            return
        before = seat.offers_draw
        ends = self._offer(colour)
        if ends:
            self.finish(ends)
        elif seat.offers_draw and not before:
            self.chat("player", "lichess", f"{colour.capitalize()} offers draw")
            self.send_state()

    def takeback(self, colour: str, yes: bool) -> None:
        """Proposes or accepts a takeback, or declines or withdraws one."""
        seat, rival = self.seats[colour], self.seats[board.other(colour)]
        if not self.is_running or len(self.moves) < 2 or self.tournament:
            return
        if not yes:
            if rival.proposes_takeback:
                self._takeback_declined()
                self.chat("player", "lichess", "Takeback declined")
                self.send_state()
            elif seat.proposes_takeback:
                seat.proposes_takeback = False
                self.chat("player", "lichess", "Takeback cancelled")
                self.send_state()
        elif rival.proposes_takeback:
            # One ply if the proposer's move is still unanswered, else two.
            self.take_back(1 if self.turn == colour else 2)
        elif all(s.account.allows_takebacks for s in self.seats.values()) \
                and time.monotonic() >= self._no_takebacks_until:
            seat.proposes_takeback = True
            self.chat("player", "lichess", "Takeback sent")
            self.send_state()

    def _takeback_declined(self) -> None:
        for seat in self.seats.values():
            seat.proposes_takeback = False
        self._takebacks_declined = min(10, self._takebacks_declined + 1)
        self._no_takebacks_until = time.monotonic() \
            + self.sim.limits.takeback_pause_s * self._takebacks_declined ** 2

    def take_back(self, plies: int) -> None:
        """Removes the last moves and says so."""
        self._stop_waiting()
        del self.moves[-plies:], self.positions[-plies:], self.clocks[-plies:]
        del self.announced_at[-plies:]
        for seat in self.seats.values():
            seat.offers_draw = seat.proposes_takeback = False
            if self.time_control.days is not None:
                seat.left_s = self._days_s
        self._turn_began = time.monotonic()
        self.send_state()
        self._next_turn()

    def add_time(self, colour: str, seconds: float) -> None:
        """Time that the other side gave, without a move."""
        self.seats[colour].left_s += seconds
        self._arm_flag()
        self.send_state()

    def add_time_to_both(self, seconds: float) -> None:
        """What a restart of the server gives."""
        for seat in self.seats.values():
            seat.left_s += seconds
        self._arm_flag()
        self.send_state()

    def opponent_gone(self, colour: str, seconds_to_claim: Optional[int]) -> None:
        """Tells `colour` that the other side is gone (claim in so many seconds), or is back."""
        line: dict[str, Any] = {"type": "opponentGone", "gone": seconds_to_claim is not None}
        if seconds_to_claim is not None:
            line["claimWinInSeconds"] = seconds_to_claim
        self.seats[colour].may_claim = seconds_to_claim == 0
        for stream in self.streams(colour):
            stream.send(line)

    async def leave(self, colour: str, seconds: int, step_s: int = 5) -> None:
        """`colour` leaves: the other side is told every few seconds, and may claim at 0."""
        departure = self._departures[colour] = object()
        while self._departures.get(colour) is departure:
            self.opponent_gone(board.other(colour), seconds)
            if seconds <= 0:
                break
            await asyncio.sleep(min(step_s, seconds))
            seconds = max(0, seconds - step_s)

    def come_back(self, colour: str) -> None:
        """Told only if the countdown had reached 0, and only to a stream that is open then."""
        self._departures.pop(colour, None)
        if self.seats[board.other(colour)].may_claim:
            self.opponent_gone(board.other(colour), None)

    def _notify(self) -> None:
        self._changed.set()
        self.sim.notify()

    async def close(self) -> None:
        self._is_closed = True
        self._stop_waiting()
        for seat in self.seats.values():
            await seat.player.close()
