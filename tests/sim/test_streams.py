# SPDX-License-Identifier: GPL-3.0-or-later
"""The streams: what opens them, what they begin with, how they break."""
import asyncio
import json
import time
import unittest

from sim import faults
from sim.case import SimulatorTest
from sim.opponent import Idle, Scripted


class StreamTest(SimulatorTest):
    async def test_opening_the_event_stream_resends_games_and_challenges(self):
        game = await self.game(player=Idle())
        challenge = await self.sim.challenge(self.bot, "alba")
        lines = await self.first_lines("/api/stream/event", 3)
        self.assertEqual(lines[0]["game"]["id"], game.id)
        self.assertEqual(lines[1]["challenge"]["id"], challenge.id)
        self.assertNotIn("compat", lines[1])
        self.assertIsNone(lines[2])

    async def test_a_second_event_stream_closes_the_first(self):
        async def whole():
            return [line async for line in self.client.lines("/api/stream/event")]
        first = asyncio.ensure_future(whole())
        await self.sim.until(lambda: self.sim.count("event_stream") == 1, 5)
        second = asyncio.ensure_future(whole())
        self.assertEqual(await asyncio.wait_for(first, 5), [])
        second.cancel()

    async def test_the_31st_open_of_the_event_stream_is_429(self):
        self.sim.limits.stream_opens = 2
        for _ in range(2):
            await self.first_lines("/api/stream/event", 1)
        answer = await self.client.get("/api/stream/event")
        self.assertEqual(answer.status, 429)
        self.assertTrue(answer.json["error"].startswith("Please don't poll this endpoint"))

    async def test_lines_may_come_in_single_bytes(self):
        self.sim.stream_split = 1
        game = await self.game(player=Idle())
        lines = await self.first_lines(f"/api/bot/game/stream/{game.id}", 1)
        self.assertEqual(lines[0]["type"], "gameFull")

    async def test_every_fault_of_a_stream_can_be_struck(self):
        for what in faults.STREAM_FAULTS:
            with self.subTest(what):
                game = await self.game(player=Idle())
                stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
                await stream.__anext__()
                self.sim.strike(what, game)
                await asyncio.sleep(0.01)
                stays = what not in ("reset", "close", "cut", "half a line")
                self.assertEqual([s.is_open for s in game.streams("black")], [True] * stays)
                await stream.aclose()

    async def test_a_fault_for_a_family_that_no_route_has_is_an_error(self):
        with self.assertRaises(ValueError):
            self.sim.faults.order("challenge", status=429)

    async def test_a_stream_can_break_between_a_move_and_its_echo(self):
        game = await self.game(colour="black", player=Idle())
        stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
        self.assertEqual((await stream.__anext__())["type"], "gameFull")
        self.sim.faults.order("move", stream="reset")
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertEqual((answer.status, game.moves), (200, ["e2e4"]))
        with self.assertRaises((ConnectionError, asyncio.IncompleteReadError, ValueError)):
            while await stream.__anext__() is None:
                pass
        self.assertEqual(self.sim.requests[-1].ply, 1)

    async def test_lag_delays_requests_and_lines_alike(self):
        self.sim.lag = lambda: 0.1
        game = await self.game(colour="black", player=Scripted("e7e5"))
        began = time.monotonic()
        answer = await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        self.assertGreaterEqual(time.monotonic() - began, 0.2)
        self.assertEqual(answer.status, 200)
        lines = await self.first_lines(f"/api/bot/game/stream/{game.id}", 1)
        self.assertEqual(lines[0]["state"]["moves"], "e2e4 e7e5")

    async def test_nobody_pays_us_back_what_a_move_takes_on_its_way(self):
        game = await self.game(colour="black", limit=60, player=Scripted("e7e5"))
        await self.client.post(f"/api/bot/game/{game.id}/move/e2e4")
        await game.plies(2, 5)
        self.sim.lag = lambda: 0.4
        await self.client.post(f"/api/bot/game/{game.id}/move/g1f3")
        self.assertLessEqual(game.left_s("white"), 59.6)

    async def head_after_s(self, via, path="/api/stream/event"):
        client = self.new_client(via=via)
        began = time.monotonic()
        reader, writer = await client.open(path)
        await reader.readuntil(b"\r\n\r\n")
        writer.close()
        return time.monotonic() - began

    async def test_over_http2_the_head_of_an_idle_event_stream_waits_for_the_first_byte(self):
        self.sim.keepalive_s = 1
        self.assertLess(await self.head_after_s(""), 0.5)
        self.assertGreater(await self.head_after_s("2 nghttpx"), 0.8)
        game = await self.game(player=Idle())
        self.assertLess(await self.head_after_s("2 nghttpx"), 0.5)
        self.assertLess(await self.head_after_s("2 nghttpx",
                                                f"/api/bot/game/stream/{game.id}"), 0.5)

    async def test_of_more_than_32_lines_at_the_opening_the_oldest_are_lost(self):
        games = [await self.game(player=Idle()) for _ in range(3)]
        challenges = [await self.sim.challenge(self.bot, f"user{n}") for n in range(31)]
        lines = await self.first_lines("/api/stream/event", 32)
        self.assertEqual(lines[0]["game"]["id"], games[2].id)
        self.assertEqual([line["challenge"]["id"] for line in lines[1:]],
                         [challenge.id for challenge in challenges])

    async def test_a_slow_reader_loses_the_oldest_of_more_than_32_lines(self):
        self.sim.keepalive_s = 600  # an empty line is one more
        reader, writer = await self.client.open("/api/stream/event")
        self.addCleanup(writer.close)
        await self.sim.until(lambda: self.bot.has_stream, 2)
        (_, stream), = self.bot.event_streams
        for number in range(800):  # far more than sockets and readers take
            stream.send({"number": number, "filler": "x" * 20000})
        await asyncio.sleep(0.1)
        numbers = []
        while not numbers or numbers[-1] < 799:
            line = await reader.readuntil(b"\n")
            if b'"number"' in line:
                numbers.append(json.loads(line)["number"])
        self.assertEqual(numbers[-32:], list(range(768, 800)))
        self.assertLess(len(numbers), 800)
        self.assertEqual(numbers, sorted(numbers))

    async def test_what_a_stream_pours_is_taken_at_the_readers_pace(self):
        events = await self.online()
        (_, stream), = self.bot.event_streams
        poured = asyncio.ensure_future(stream.pour(b"\n" * 65536, 0.3))
        async def read():
            while True:
                await events.__anext__()
        reading = asyncio.ensure_future(read())
        self.assertGreater(await asyncio.wait_for(poured, 3), 65536)
        reading.cancel()

    async def test_a_deploy_resets_everything_answers_502_and_raises_the_clocks(self):
        game = await self.game(limit=60, player=Idle())
        for move in ("e2e4", "e7e5"):
            await game.move(move)
        stream = self.client.lines(f"/api/bot/game/stream/{game.id}")
        await stream.__anext__()
        self.sim.run(self.sim.deploy(0.5, adds_s=15))
        with self.assertRaises((ConnectionError, asyncio.IncompleteReadError, ValueError)):
            while True:
                await stream.__anext__()
        answer = await self.client.get("/api/account")
        self.assertEqual((answer.status, answer.headers["content-type"]), (502, "text/html"))
        await asyncio.sleep(0.6)
        self.assertEqual((await self.client.get("/api/account")).status, 200)
        self.assertGreater(game.left_s("white"), 70)
        self.assertEqual(game.left_s("black"), 75)

    async def test_after_a_deploy_a_flag_that_falls_aborts_a_game_last_moved_before(self):
        moved, unmoved = [await self.game(limit=0, increment=1, player=Idle()) for _ in range(2)]
        for game in (moved, unmoved):
            for move in ("e2e4", "e7e5"):
                await game.move(move)
        await self.sim.deploy(0.1, adds_s=-1.5)
        await moved.move("d2d4")
        self.assertEqual(await asyncio.wait_for(unmoved.over, 5), ("aborted", None))
        self.assertEqual(await asyncio.wait_for(moved.over, 5), ("outoftime", "white"))

    async def test_a_game_that_bots_must_leave_has_no_stream_for_them(self):
        game = await self.game(player=Idle())
        game.is_for_bots = False
        self.assertFalse(game.summary("black")["compat"]["bot"])
        await self.refused("GET", f"/api/bot/game/stream/{game.id}", 400,
                           "This game cannot be played with the Bot API.")


if __name__ == "__main__":
    unittest.main()
