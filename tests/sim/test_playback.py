# SPDX-License-Identifier: GPL-3.0-or-later
"""Recorded traffic is played back line by line, in its time."""
import json
import os
import time
import unittest

from sim.case import SimulatorTest
from sim.playback import Playback

START = {"type": "gameStart", "game": {"gameId": "Qw8rTy2u", "isMyTurn": True}}
FINISH = {"type": "gameFinish", "game": {"gameId": "Qw8rTy2u"}}
FULL = {"type": "gameFull", "id": "Qw8rTy2u", "state": {"type": "gameState", "moves": ""}}
STATE = {"type": "gameState", "moves": "e2e4", "status": "started"}
RECORDS = (
    {"t_ms": 0, "stream": "account", "line": {"id": "recorded-bot", "username": "Recorded-Bot"}},
    {"t_ms": 0, "stream": "event", "line": START},
    {"t_ms": 100, "stream": "game/Qw8rTy2u", "line": FULL},
    {"t_ms": 1000, "stream": "game/Qw8rTy2u", "line": STATE},
    {"t_ms": 4000, "stream": "event", "line": FINISH},
    {"t_ms": 4000, "stream": "game/Qw8rTy2u", "ended": True},
)


class PlaybackTest(SimulatorTest):
    async def asyncSetUp(self):
        await super().asyncSetUp()
        path = os.path.join(self.sim.directory, "recording.ndjson")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(record) + "\n" for record in RECORDS)
        self.playback = Playback(self.sim, path, speed=4)
        self.sim.add_token("lip_good", self.playback.account)

    async def told(self, path):
        return [line async for line in self.client.lines(path) if line is not None]

    async def playing(self):
        answer = await self.client.get("/api/account/playing")
        return [game["gameId"] for game in answer.json["nowPlaying"]]

    async def test_lines_come_in_their_time_and_posts_change_nothing(self):
        self.assertEqual((await self.client.get("/api/account")).json["username"], "Recorded-Bot")
        events = self.client.lines("/api/stream/event")
        self.addAsyncCleanup(events.aclose)
        began = time.monotonic()
        self.assertEqual(await self.next_event(events), START)
        self.assertEqual(await self.playing(), ["Qw8rTy2u"])
        answer = await self.client.post("/api/bot/game/Qw8rTy2u/move/d2d4")
        self.assertEqual((answer.status, answer.json), (200, {"ok": True}))
        self.assertEqual(await self.told("/api/bot/game/stream/Qw8rTy2u"), [FULL, STATE])
        self.assertEqual(await self.next_event(events), FINISH)
        self.assertAlmostEqual(time.monotonic() - began, 1.0, delta=0.5)
        self.assertEqual((self.playback.is_over, await self.playing()), (True, []))
        self.assertEqual(self.playback.posts, ["/api/bot/game/Qw8rTy2u/move/d2d4"])

    async def test_a_game_stream_that_is_opened_again_begins_with_the_state_of_the_moment(self):
        events = self.client.lines("/api/stream/event")
        self.addAsyncCleanup(events.aclose)
        await self.next_event(events)
        first = self.client.lines("/api/bot/game/stream/Qw8rTy2u")
        while await first.__anext__() != STATE:
            pass
        await first.aclose()
        again = await self.told("/api/bot/game/stream/Qw8rTy2u")
        self.assertEqual(again, [{**FULL, "state": STATE}])

    async def test_nobody_else_may_listen(self):
        await self.online_with("lip_bad", 401)
        await self.refused("GET", "/api/bot/game/stream/AnOtherX", 404, "No such game")

    async def online_with(self, token, status):
        answer = await self.new_client(token).get("/api/stream/event")
        self.assertEqual(answer.status, status)


if __name__ == "__main__":
    unittest.main()
