# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams that end, break, stutter and talk nonsense: no game may be lost, no move made twice."""
import asyncio
import time
import unittest

from sim.opponent import Random, Scripted

from .harness import SLOWNESS, DaemonTest


class StreamTest(DaemonTest):
    async def survives(self, fault, recovery_s=2.0):
        """Plays on after `fault(stream)` hits the game's stream in mid-game; returns the game."""
        await self.start()
        game = await self.game(Scripted(["h2h3", "a2a3", 0.3, "g1f3"]))
        await game.plies(4, 10)
        fault(await self.stream(game))
        began = time.monotonic()
        await game.plies(6, (recovery_s + 1) * SLOWNESS)
        self.assertLess(time.monotonic() - began, (recovery_s + 0.3) * SLOWNESS)
        self.each_move_was_made_once(game)
        return game

    async def test_a_reset_game_stream_is_reopened(self):
        game = await self.survives(lambda stream: stream.reset())
        self.assertEqual(self.sim.count("game_stream"), 2)
        await self.stream(game)

    async def test_a_game_stream_that_ends_cleanly_is_reopened(self):
        await self.survives(lambda stream: stream.end())

    async def test_a_game_stream_cut_in_mid_body_is_reopened(self):
        await self.survives(lambda stream: stream.drop())

    async def test_half_a_line_before_the_cut_does_no_harm(self):
        def fault(stream):
            stream.send_raw(b'{"type":"gameState","moves":"e2e4 e7')
            stream.reset()
        await self.survives(fault)

    async def test_lines_that_make_no_sense_are_skipped(self):
        def fault(stream):
            for line in (b"not json\n", b'{"type":"newThing","x":1}\n', b"{}\n", b"[]\n", b"null\n",
                         b'{"type":"chatLine"}\n', b'{"type":"opponentGone","gone":true}\n',
                         b'\xff\xfe\n', b'{"type":"chatLine","room":"player","username":"lichess",'
                         b'"text":""}\n', b"\n\n\n", b"\r\n"):
                stream.send_raw(line)
        await self.survives(fault)

    async def test_a_line_of_two_mebibytes_is_survived(self):
        def fault(stream):
            stream.send({"type": "chatLine", "room": "player", "username": "alba",
                         "text": "x" * (2 << 20)})
        await self.survives(fault)

    async def test_a_gameStart_for_a_finished_game_is_harmless(self):
        await self.start(games={"concurrency": 1})
        game = await self.game(Scripted(["h2h3"]))
        await game.plies(2, 10)
        start = {"type": "gameStart", "game": game.summary("black")}
        game.resign("white")
        await self.over(game)
        self.sim.send_event(self.bot, start)
        again = await self.game(Scripted(["h2h3"]))
        await again.plies(2, 10)

    async def test_several_lines_in_one_segment_are_all_read(self):
        def fault(stream):
            stream.hold()
            for text in ("one", "two", "three"):
                stream.send({"type": "chatLine", "room": "player", "username": "alba",
                             "text": text})
            asyncio.get_running_loop().call_later(0.5, stream.release)
        await self.survives(fault)

    async def test_lines_may_come_in_any_pieces(self):
        for size in (1, 7, 64):
            with self.subTest(size):
                self.sim.stream_split = size
                if self.daemon is None:
                    await self.start()
                game = await self.game(Random(size), limit=180)
                await game.plies(10, 20)
                game.finish("aborted")

    async def test_the_stream_may_break_while_we_think(self):
        await self.start(engine={"nodes": 0, "movetime": 500})
        game = await self.game(Scripted("h2h3 a2a3 g1f3"))
        for plies in (1, 3, 5):
            await game.plies(plies, 10)
            stream = await self.stream(game)
            await asyncio.sleep(0.1)
            stream.reset()
        await game.plies(6, 10)
        self.each_move_was_made_once(game)

    async def test_a_reset_event_stream_is_reopened_and_games_are_not_started_twice(self):
        await self.start()
        game = await self.game(Scripted(["h2h3", 0.8, "a2a3", "g1f3"]))
        await game.plies(2, 10)
        (await self.event_stream()).reset()
        await self.sim.until(lambda: self.sim.count("event_stream") == 2, 3)
        await game.plies(6, 10)
        self.assertEqual(self.sim.count("game_stream"), 1)
        self.each_move_was_made_once(game)

    async def test_a_cleanly_closed_event_stream_is_reopened(self):
        await self.start()
        (await self.event_stream()).end()
        await self.sim.until(lambda: self.sim.count("event_stream") == 2, 3)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)

    async def test_a_challenge_made_while_the_event_stream_was_down_is_answered(self):
        await self.start()
        self.sim.faults.order("event_stream", status=502, times=2)
        (await self.event_stream()).reset()
        await self.sim.until(lambda: not self.bot.is_online, 2)
        challenge = await self.challenge(Scripted("e2e4"))
        game = await challenge.started(15)
        await game.plies(2, 10)

    async def test_a_second_gameStart_starts_nothing(self):
        await self.start()
        game = await self.game(Scripted(["e2e4", 0.5, "d2d4"]))
        await game.plies(2, 10)
        for _ in range(3):
            self.sim.send_event(self.bot, {"type": "gameStart", "game": game.summary("black")})
        await game.plies(4, 10)
        self.assertEqual(self.sim.count("game_stream"), 1)
        self.each_move_was_made_once(game)

    async def test_garbage_on_the_event_stream_is_skipped(self):
        await self.start()
        stream = await self.event_stream()
        for line in (b"garbage\n", b'{"type":"gameStart"}\n', b'{"type":"gameStart","game":7}\n',
                     b'{"type":"challenge","challenge":{"id":"x"}}\n', b'{"type":null}\n',
                     b'{"type":"gameFinish","game":{"id":"nosuchid"}}\n', b'{"type":"challenge"}\n',
                     b"[" * 5000 + b"\n"):
            stream.send_raw(line)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 10)

if __name__ == "__main__":
    unittest.main()
