# SPDX-License-Identifier: GPL-3.0-or-later
"""Plays back what a server once sent to `castled run --record FILE`; README.md has the format.

    playback = Playback(sim, "first-day.ndjson", speed=20)
    sim.add_token("lip_test", playback.account)
    ...                                  # the daemon is started, and meets it all again
    await sim.until(lambda: playback.is_over, 60)

Time runs from the first opening of the event stream, `speed` times as fast as it did. A line waits
for its stream to be open. A game's stream that is opened again begins with a gameFull that has the
state of the moment, as a real one does. What is posted is answered with 200 and kept in `posts`;
it changes nothing, for the game goes on as it was recorded.
"""
from __future__ import annotations

import asyncio
import json
import time
from typing import Any, Optional

from .accounts import Account
from .answers import OK
from .http1 import Response, Stream, json_response
from .routes import Call, route
from .server import Simulator

EVENT, ACCOUNT, RECORDING = "event", "account", "recording"


class _Track:
    """What one stream carried."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, dict[str, Any]]] = []
        self.ends_ms: Optional[int] = None
        self.sent = 0
        self.stream: Optional[Stream] = None

    def state_of_the_moment(self) -> list[dict[str, Any]]:
        """What a game's stream begins with that is not the first one."""
        full = dict(next(line for _, line in self.lines if line["type"] == "gameFull"))
        for _, line in self.lines[:self.sent]:
            if line["type"] == "gameState":
                full["state"] = line
        return [full]


class Playback:
    def __init__(self, sim: Simulator, path: str, speed: float = 1.0):
        self.sim, self.speed = sim, speed
        self.posts: list[str] = []
        self._tracks: dict[str, _Track] = {}
        self._began: Optional[float] = None
        facts: dict[str, Any] = {}
        with open(path, encoding="utf-8") as file:
            for number, text in enumerate(file, 1):
                if not text.endswith("\n"):
                    break  # cut off when the process was killed
                record = json.loads(text)
                if record["stream"] == RECORDING:
                    break  # the file is full
                if record["stream"] == ACCOUNT:
                    facts = record["line"]
                    continue
                track = self._tracks.setdefault(record["stream"], _Track())
                if "line" in record:
                    track.lines.append((record["t_ms"], record["line"]))
                    track.ends_ms = None  # it was opened again
                elif "ended" in record:
                    track.ends_ms = record["t_ms"]
                else:
                    raise ValueError(f"{path}:{number}: neither a line nor an end")
        self.account: Account = sim.add_account(facts["username"], title=facts.get("title", "BOT"))
        for method, pattern, family, handler in (
                ("GET", "/api/stream/event", "event_stream", self._event_stream),
                ("GET", r"/api/bot/game/stream/(?P<game_id>\w+)", "game_stream", self._game_stream),
                ("GET", "/api/account/playing", "playing", self._playing),
                ("POST", r"/api/(bot/game|challenge)/\w+/.+", "playback", self._post)):
            sim.routes.insert(0, route(method, pattern, family, handler, ("bot:play",)))

    @property
    def is_over(self) -> bool:
        return all(track.sent == len(track.lines) for track in self._tracks.values())

    def _now_ms(self) -> float:
        return 0 if self._began is None else (time.monotonic() - self._began) * 1000 * self.speed

    async def _run(self, call: Call, track: _Track, first: list[dict[str, Any]]) -> None:
        """Carries the track's lines from where it stands, as they come due."""
        if track.stream is not None:
            track.stream.end()
        stream = track.stream = call.stream(self.sim.keepalive_s)
        stream.send_all(first)
        self.sim.run(self._feed(track, stream))
        await stream.wait()

    async def _feed(self, track: _Track, stream: Stream) -> None:
        while track.sent < len(track.lines):
            due_ms, line = track.lines[track.sent]
            await asyncio.sleep(max(0.0, (due_ms - self._now_ms()) / 1000 / self.speed))
            if not stream.is_open or stream is not track.stream:
                return
            stream.send(line)
            track.sent += 1
            self.sim.notify()
        if track.ends_ms is not None:
            await asyncio.sleep(max(0.0, (track.ends_ms - self._now_ms()) / 1000 / self.speed))
            stream.end()

    async def _event_stream(self, call: Call) -> None:
        if self._began is None:
            self._began = time.monotonic()
        track = self._tracks.setdefault(EVENT, _Track())
        waiting = asyncio.ensure_future(self._run(call, track, []))
        await asyncio.sleep(0)
        self.account.event_streams = [(call.token.text, track.stream)]
        self.sim.notify()
        await waiting

    async def _game_stream(self, call: Call, game_id: str) -> None:
        track = self._tracks.get(f"game/{game_id}")
        if track is None:
            raise LookupError("No such game")
        await self._run(call, track, track.state_of_the_moment() if track.sent else [])

    async def _playing(self, _call: Call) -> Response:
        """The games that have started and not finished, by what was told of them so far."""
        running: dict[str, dict[str, Any]] = {}
        track = self._tracks.get(EVENT, _Track())
        for _, line in track.lines[:track.sent]:
            if line.get("type") == "gameStart":
                running[line["game"]["gameId"]] = line["game"]
            elif line.get("type") == "gameFinish":
                running.pop(line["game"]["gameId"], None)
        games = list(running.values())
        return json_response({"nowPlaying": games,
                              "nbMyTurn": sum(bool(game.get("isMyTurn")) for game in games)})

    async def _post(self, call: Call) -> Response:
        self.posts.append(call.request.path)
        return json_response(OK)
