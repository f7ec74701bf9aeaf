# SPDX-License-Identifier: GPL-3.0-or-later
"""A scenario is played in its time, and what comes otherwise is told with the file's line."""
import asyncio
import json
import os
import unittest

from sim.case import SimulatorTest
from sim.scenario import Scenario

GAME = "game/Qw8rTy2u"
ACCOUNT = {"t_ms": 0, "stream": "account", "line": {"id": "castled-bot", "username": "Castled-Bot-2"}}
START = {"t_ms": 0, "stream": "event", "line": {"type": "gameStart", "game": {"gameId": "Qw8rTy2u", "color": "white"}}}
OPEN = {"t_ms": 0, "stream": GAME, "expect": "open"}
FULL = {"type": "gameFull", "id": "Qw8rTy2u", "initialFen": "startpos", "state": {"type": "gameState", "moves": ""}}
STATE = {"type": "gameState", "moves": "e2e4"}
MOVE = {"t_ms": 100, "stream": GAME, "expect": "move/e2e4?offeringDraw=true", "score_cp": 7}


class ScenarioTest(SimulatorTest):
    def scenario(self, *records):
        path = os.path.join(self.sim.directory, "some.ndjson")
        with open(path, "w", encoding="utf-8") as file:
            file.write("# A comment.\n\n")
            file.writelines(json.dumps(record) + "\n" for record in (ACCOUNT, *records))
        scenario = Scenario(self.sim, path)
        self.sim.add_token("lip_good", scenario.account)
        return scenario

    async def meet(self, *posts):
        """A client that opens the streams, makes its requests, and tells what it heard of the game."""
        events = self.client.lines("/api/stream/event")
        self.addAsyncCleanup(events.aclose)
        await self.next_event(events)
        lines = self.client.lines("/api/bot/game/stream/Qw8rTy2u")
        self.addAsyncCleanup(lines.aclose)
        heard = [await lines.__anext__()]
        statuses = [(await self.client.post(f"/api/bot/game/Qw8rTy2u/{post}")).status for post in posts]
        return statuses, heard + [line async for line in lines if line is not None]

    async def wrong(self, scenario, *posts):
        meeting = asyncio.ensure_future(self.meet(*posts))
        await self.sim.until(lambda: scenario.account.is_online, 10)
        with self.assertRaises(AssertionError) as caught:
            await scenario.play(slack_s=0.3)
        meeting.cancel()
        await asyncio.gather(meeting, return_exceptions=True)
        return str(caught.exception).rpartition("some.ndjson:")[2]

    async def test_requests_have_the_answers_of_the_file(self):
        scenario = self.scenario(
            START, OPEN, {"t_ms": 0, "stream": GAME, "line": FULL}, {**MOVE, "answer": 502}, MOVE,
            {"t_ms": 100, "stream": GAME, "line": STATE}, {"t_ms": 150, "stream": GAME, "ended": True})
        meeting = asyncio.ensure_future(self.meet(*["move/e2e4?offeringDraw=true"] * 2))
        await self.sim.until(lambda: scenario.account.is_online, 10)
        await scenario.play(slack_s=10)
        self.assertEqual(await meeting, ([502, 200], [FULL, STATE]))
        self.assertEqual(scenario.answers(), {"": ("e2e4", 7)})

    async def test_another_request_is_told(self):
        scenario = self.scenario(START, OPEN, {"t_ms": 0, "stream": GAME, "line": FULL}, MOVE)
        self.assertEqual(await self.wrong(scenario, "resign"), "7: castled asks something else: resign")

    async def test_a_request_that_does_not_come_is_told(self):
        scenario = self.scenario(START, OPEN, {"t_ms": 0, "stream": GAME, "line": FULL}, MOVE)
        self.assertEqual(await self.wrong(scenario), f"7: castled has not asked {MOVE['expect']}")

    async def test_a_request_that_comes_early_is_told(self):
        scenario = self.scenario(START, OPEN, {"t_ms": 0, "stream": GAME, "line": FULL},
                                 {"t_ms": 1000, "quiet": True}, {**MOVE, "t_ms": 1000})
        self.assertEqual(await self.wrong(scenario, "move/e2e4"),
                         "7: nothing is expected before this, and castled asks move/e2e4")

    async def test_a_wrong_file_is_told(self):
        with self.assertRaisesRegex(ValueError, r"some\.ndjson:4: KeyError\('t_ms'\)"):
            self.scenario({"stream": GAME, "expect": "open"})


if __name__ == "__main__":
    unittest.main()
