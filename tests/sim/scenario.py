# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays a scenario in real time; data/scenarios/README.md has the format.

    scenario = Scenario(sim, "data/scenarios/lost_move_is_sent_again.ndjson")
    sim.add_token("lip_test", scenario.account)
    ...                        # the daemon is started, with scenario.config and scenario.answers()
    await scenario.play(slack_s=5)

A request that is not expected, and one that is expected and does not come, raise AssertionError with
the file's line. Requests that only look are answered by what the lines have told.
"""
from __future__ import annotations

import asyncio
import json
import time
import urllib.parse
from dataclasses import dataclass, field
from typing import Any, NoReturn, Optional

from .accounts import Account
from .answers import OK, Refused
from .http1 import Response, Stream, json_response
from .routes import Call, route
from .server import Simulator


@dataclass
class _Asked:
    """A request that waits for its answer."""
    what: str
    status: asyncio.Future = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    taken: asyncio.Event = field(default_factory=asyncio.Event)  # the answer has gone, the stream is open


class Scenario:
    def __init__(self, sim: Simulator, path: str):
        self.sim, self.path = sim, path
        self.config: dict[str, dict[str, Any]] = {}
        self._records: list[tuple[int, dict[str, Any]]] = []  # with the numbers of their lines
        facts: dict[str, Any] = {}
        with open(path, encoding="utf-8") as file:
            for self._number, text in enumerate(file, 1):
                if not text.strip() or text.startswith("#"):
                    continue
                try:
                    record = json.loads(text)
                    if record.get("stream") == "account":
                        facts = record["line"]
                    elif record.get("stream") == "config":
                        self.config = record["line"]
                    else:
                        self._records.append((self._number, {**record, "t_ms": int(record["t_ms"])}))
                except (ValueError, KeyError) as wrong:
                    raise ValueError(f"{path}:{self._number}: {wrong!r}") from wrong
        self.account: Account = sim.add_account(facts["username"], title=facts.get("title", "BOT"))
        self._asked: asyncio.Queue[_Asked] = asyncio.Queue()
        self._events: Optional[Stream] = None
        self._game: Optional[Stream] = None
        self._info: Optional[dict[str, Any]] = None  # of the game that runs, as the lines have it
        self._black_begins, self._move_count = False, 0
        for method, pattern, handler in (
                ("GET", "/api/stream/event", self._event_stream),
                ("GET", r"/api/bot/game/stream/\w+", self._game_stream),
                ("GET", "/api/account/playing", self._playing),
                ("POST", r"/api/bot/game/\w+/(?P<what>.+)", self._post)):
            sim.routes.insert(0, route(method, pattern, "scenario", handler, ("bot:play",)))

    def answers(self) -> dict[str, tuple[str, int]]:
        """What an engine is to find: by the list of moves, the move and its score."""
        found, moves = {}, ""
        for _, record in self._records:
            line = record.get("line", {})
            moves = line.get("state", line).get("moves", moves)
            kind, _, rest = record.get("expect", "").partition("/")
            if kind == "move":
                found[moves] = rest.partition("?")[0], record.get("score_cp", 0)
        return found

    async def play(self, slack_s: float) -> None:
        """`slack_s`: how much later than the file says a request may come."""
        began = time.monotonic()
        for self._number, record in self._records:
            due = began + record["t_ms"] / 1000
            if "expect" in record:
                await self._expect(record, due, slack_s)
                began += max(0.0, time.monotonic() - due)  # what comes after keeps its distance
                continue
            await self._silence(due)
            if record.get("stream") == "event":
                self._send_event(record["line"])
            elif "ended" in record:
                self._game.end()
            elif "line" in record:
                self._send_line(record["line"])

    def _fail(self, what: str) -> NoReturn:
        raise AssertionError(f"{self.path}:{self._number}: {what}")

    async def _expect(self, record: dict[str, Any], due: float, slack_s: float) -> None:
        try:
            asked = await asyncio.wait_for(self._asked.get(), max(0.0, due - time.monotonic()) + slack_s)
        except asyncio.TimeoutError:
            self._fail(f"castled has not asked {record['expect']}")
        if asked.what != record["expect"]:
            self._fail(f"castled asks something else: {asked.what}")
        asked.status.set_result(record.get("answer", 200))
        await asyncio.wait_for(asked.taken.wait(), slack_s)

    async def _silence(self, until: float) -> None:
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        if not self._asked.empty():
            self._fail(f"nothing is expected before this, and castled asks {self._asked.get_nowait().what}")

    def _send_event(self, line: dict[str, Any]) -> None:
        self._info = line["game"] if line["type"] == "gameStart" else None
        self._events.send(line)

    def _send_line(self, line: dict[str, Any]) -> None:
        if self._game is None or not self._game.is_open:
            self._fail("the game's stream is not open")
        if line["type"] == "gameFull":
            self._black_begins = " b " in line["initialFen"]
        self._move_count = len(line.get("state", line).get("moves", "").split()) \
            if line["type"] in ("gameFull", "gameState") else self._move_count
        self._game.send(line)

    # Requests

    async def _ask(self, call: Call, what: str) -> _Asked:
        """Waits for its turn in the file; a refusal leaves from here."""
        if call.request.query:
            what += "?" + urllib.parse.urlencode(call.request.query)
        asked = _Asked(what)
        self._asked.put_nowait(asked)
        status = await asked.status
        if status == 0:
            call.connection.reset()
            call.connection.reusable = False
        if status != 200:
            asked.taken.set()
        if status not in (0, 200):
            raise Refused("as the scenario says", status)
        return asked

    async def _event_stream(self, call: Call) -> None:
        self._events = call.stream(self.sim.keepalive_s)
        self.account.event_streams = [(call.token.text, self._events)]
        self.sim.notify()
        await self._events.wait()

    async def _game_stream(self, call: Call) -> None:
        asked = await self._ask(call, "open")
        if not asked.taken.is_set():
            stream = self._game = call.stream(self.sim.keepalive_s)
            asked.taken.set()
            await stream.wait()

    async def _post(self, call: Call, what: str) -> Optional[Response]:
        asked = await self._ask(call, what)
        if asked.taken.is_set():
            return None
        asked.taken.set()
        return json_response(OK)

    async def _playing(self, _call: Call) -> Response:
        games = []
        if self._info is not None:
            is_white_to_move = self._black_begins == (self._move_count % 2 == 1)
            games = [{**self._info, "isMyTurn": is_white_to_move == (self._info["color"] == "white")}]
        return json_response({"nowPlaying": games, "nbMyTurn": sum(game["isMyTurn"] for game in games)})
