# SPDX-License-Identifier: GPL-3.0-or-later
"""The matrix of faults: what is done to the daemon, what it may cost, and what it did cost.

A row is a coroutine that brings a FaultStage into play, strikes, and waits until the daemon has
recovered. Rows stand in tables of their own (rows_*.py); faults.py plays them, for ctest too.
"""
from __future__ import annotations

import asyncio
import os
import re
import statistics
import tempfile
import time
import traceback
from dataclasses import dataclass, field
from typing import Any, Awaitable, Callable, Iterable, Optional

from sim import certs
from sim.game import Game
from sim.judge import VARIANTS, Judge
from sim.opponent import Idle

from .harness import SLOWNESS, Stage

TURN_S = 10          # for a turn without a fault, on a slow machine
ONLINE_S = 30
VARIANT_EVERY = 4    # rows of a table: its games are of one of the other variants
# White's moves, as far as they are legal: nothing that gets anybody mated in a hurry.
QUIET_MOVES = "a2a3 h2h3 c2c3 d2d3 e2e3 b2b3 a3a4 h3h4 g2g3 f1g2 g1f3 c3c4 b3b4".split()


class FaultStage(Stage):
    excused_refusals = ".*"  # moves posted twice are counted, not forbidden
    struck_at: Optional[float] = None
    recovery_s: Optional[float] = None
    struck_index = 0        # of the first request after the strike
    variant = "standard"    # of new_game()
    fair_losses: tuple[str, ...] = ()  # ends that no fault is to blame for

    def struck(self) -> None:
        """The fault begins, or what recovery is measured from; the last call counts."""
        if self.struck_at is None:
            self.struck_index = len(self.sim.requests)
        self.struck_at = time.monotonic()

    def recovered(self) -> None:
        self.recovery_s = time.monotonic() - self.struck_at

    async def new_game(self, **wanted: Any) -> Game:
        """A game in which the opponent moves when turn() says so, and a first turn of it."""
        wanted = {"limit": 180, "variant": self.variant, **wanted}
        game = await self.game(Idle(), **wanted)
        await self.turn(game)
        return game

    async def opponent_moves(self, game: Game) -> None:
        legal = game.position.legal
        await game.move(next((m for m in QUIET_MOVES if m in legal), sorted(legal)[0]))

    async def turn(self, game: Game, timeout: float = TURN_S) -> None:
        """The opponent moves, if it is on, and our answer is awaited."""
        ours = game.colour_of(self.bot)
        if game.turn != ours:
            await self.opponent_moves(game)
        await self.our_move(game, timeout)

    async def our_move(self, game: Game, timeout: float = TURN_S) -> None:
        ours = game.colour_of(self.bot)
        await game.until(lambda g: g.turn != ours or not g.is_running, timeout * SLOWNESS)

    async def end_games(self) -> None:
        """Each game goes on and is won by resignation, and the daemon lets go of it."""
        for game in list(self.sim.games.values()):
            if not game.is_running:
                continue
            await self.turn(game)
            if game.is_running:
                game.resign("white" if game.colour_of(self.bot) == "black" else "black")
            await self.over(game)

    # What it cost

    def games_lost(self) -> list[str]:
        lost = []
        for game in self.sim.games.values():
            ours = game.colour_of(self.bot)
            if not game.is_running and game.winner != ours and \
                    (game.winner is not None or game.status == "aborted") and \
                    game.status not in self.fair_losses:
                lost.append(f"{game.id} {game.status}")
        lost += [r.path for r in self.sim.requests if r.family in ("resign", "abort")]
        return lost

    def wrong_moves(self) -> list[str]:
        """Refused by the rules of chess, and not because they came late or twice."""
        twice = self.moves_posted_twice()
        return [f"{r.path}: {r.error}" for r in self.sim.requests if r.family == "move"
                and re.match("Piece on|No piece|Invalid", r.error)
                and not r.was_held and r.path not in twice]

    def moves_posted_twice(self) -> list[str]:
        """POSTs of a move that were refused because another one of the same move was made."""
        made = {r.path for r in self.sim.requests if r.ply}
        return [r.path for r in self.sim.requests
                if r.family == "move" and r.error and not r.ply and r.path in made]

    def busiest_minute(self) -> int:
        """Most requests in any minute since the strike, moves that were made aside."""
        times = [r.arrived for r in self.sim.requests[self.struck_index:] if not r.ply]
        most, first = 0, 0
        for last, arrived in enumerate(times):
            while times[first] <= arrived - 60:
                first += 1
            most = max(most, last - first + 1)
        return most

    def streams_over_the_limit(self) -> list[str]:
        return [r.path for r in self.sim.requests
                if r.family == "event_stream" and r.error.startswith("Please don't poll")]


@dataclass
class Row:
    group: str
    name: str
    play: Callable[[FaultStage], Awaitable[None]]
    within_s: float           # recovery; on a slow machine too
    requests: int = 40        # most in a minute, moves that were made aside
    twice: int = 0            # moves that may be posted twice, where the server hides what it did
    is_slow: bool = False     # too long for the quick suite
    is_alone: bool = False    # it takes the simulator's whole process: no other row beside it
    protocols: tuple[str, ...] = ("HTTP/1.1", "HTTP/2")
    through: str = ""         # what stands before the server: see Stage.open()
    waits: str = ""           # a reason why it can't be played here
    variant: str = "standard"

    @property
    def word(self) -> str:
        """Its name as one word: fault_WORD for ctest."""
        return re.sub("[^a-z0-9]+", "_", self.name.lower()).strip("_")


@dataclass
class Result:
    row: Row
    protocol: str
    recovery_s: Optional[float] = None
    requests: int = 0
    lost: int = 0
    twice: int = 0
    variants: set[str] = field(default_factory=set)  # that were played
    wrong: list[str] = field(default_factory=list)  # all that must not be, in words
    story: str = ""


class Table:
    """The rows of a group."""

    def __init__(self, group: str):
        self.group = group
        self.rows: list[Row] = []

    def row(self, name: str, within_s: float, **facts: Any) -> Callable:
        """A decorator for the coroutine that plays the row."""
        def add(play: Callable[[FaultStage], Awaitable[None]]) -> Callable:
            turn, is_due = divmod(len(self.rows), VARIANT_EVERY)
            if is_due == VARIANT_EVERY - 1:
                facts.setdefault("variant", list(VARIANTS)[turn % len(VARIANTS)])
            self.rows.append(Row(self.group, name, play, within_s, **facts))
            return play
        return add


class Shared:
    """What all stages of a process have in common, because it takes time to make."""

    def __init__(self) -> None:
        self.judge = Judge()
        self._directory = tempfile.TemporaryDirectory(prefix="castled-faults-")
        self.files = certs.make(self._directory.name)

    async def close(self) -> None:
        await self.judge.close()
        self._directory.cleanup()


async def play(row: Row, protocol: str, shared: Shared, through: str = "") -> Result:
    """Plays a row once, and judges it. `through`: see Stage.open()."""
    result = Result(row, protocol)
    with tempfile.TemporaryDirectory(prefix="castled-fault-") as directory:
        stage = FaultStage()
        stage.directory, stage.variant = directory, row.variant
        try:
            await stage.open(protocol == "HTTP/2", through=through or row.through, certificate_files=shared.files,
                             judge=shared.judge)
            try:
                await row.play(stage)
                await stage.end_games()
            finally:
                await stage.close()
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            result.wrong.append(f"{type(error).__name__}: {error} ({where.name}:{where.lineno})")
        judge(result, stage)
        if result.wrong:
            result.story = stage.what_happened()
    return result


def judge(result: Result, stage: FaultStage) -> None:
    row, wrong = result.row, result.wrong
    result.variants = {game.variant for game in stage.sim.games.values()}
    lost, twice = stage.games_lost(), stage.moves_posted_twice()
    result.lost, result.twice = len(lost), len(twice)
    result.requests, result.recovery_s = stage.busiest_minute(), stage.recovery_s
    wrong += [f"lost: {game}" for game in lost]
    wrong += [f"not a move: {move}" for move in stage.wrong_moves()]
    wrong += [f"refused: {path}" for path in stage.streams_over_the_limit()]
    if len(twice) > row.twice:
        wrong.append(f"{len(twice)} moves posted twice, at most {row.twice}: {twice}")
    if result.requests > row.requests:
        wrong.append(f"{result.requests} requests in a minute, at most {row.requests}")
    if result.recovery_s is None:
        wrong.append("never recovered")
    elif result.recovery_s > row.within_s * SLOWNESS:
        wrong.append(f"recovered in {result.recovery_s:.1f} s, not within {row.within_s} s")


async def play_all(rows: Iterable[Row], protocol: str, at_once: int, times: int = 1,
                   told: Callable[[Result], None] = lambda result: None,
                   through: str = "") -> list[Result]:
    """Plays the rows that the protocol can show, `at_once` at a time."""
    places = asyncio.Semaphore(at_once)
    shared = Shared()

    async def one(row: Row) -> Result:
        async with places:
            result = await play(row, protocol, shared, through)
        told(result)
        return result
    wanted = [row for row in rows if protocol in row.protocols and not row.waits
              for _ in range(times)]
    try:
        results = list(await asyncio.gather(*(one(row) for row in wanted if not row.is_alone)))
        return results + [await one(row) for row in wanted if row.is_alone]
    finally:
        await shared.close()


def cells_by_row(results: Iterable[Result],
                 protocols: Iterable[str]) -> dict[tuple[str, str], list[str]]:
    """(group, name) -> what its results over all protocols say, in the table's columns."""
    by_row: dict[tuple[str, str], dict[str, list[Result]]] = {}
    for result in results:
        row = by_row.setdefault((result.row.group, result.row.name), {})
        row.setdefault(result.protocol, []).append(result)
    return {key: _cells(row, protocols) for key, row in by_row.items()}


def _cells(row: dict[str, list[Result]], protocols: Iterable[str]) -> list[str]:
    every = [r for results in row.values() for r in results]
    failed = sum(bool(r.wrong) for r in every)
    return [str(sum(r.lost for r in every)), str(sum(r.twice for r in every)),
            str(max(r.requests for r in every)), *(_times(row.get(p, [])) for p in protocols),
            f"**{failed} of {len(every)} failed**" if failed else "survived"]


def _times(results: list[Result]) -> str:
    times = [r.recovery_s for r in results if r.recovery_s is not None]
    if not times:
        return "–"
    return f"{_seconds(statistics.median(times))}, {_seconds(max(times))}"


def _seconds(value: float) -> str:
    return f"{value * 1000:.0f} ms" if value < 0.9995 else f"{value:.1f} s"


def shim() -> str:
    """The shared object with which a row spoils clock and disk; "" where it can't be preloaded."""
    return os.environ.get("CASTLED_SHIM", "")
