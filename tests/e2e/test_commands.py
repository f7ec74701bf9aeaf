# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests that get lost, refused or answered late, and what the opponent may do meanwhile."""
import asyncio
import time
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import SLOWNESS, DaemonTest


class CommandTest(DaemonTest):
    async def plays_on(self, recovery_s=3.0, clock_s=60, **fault):
        """The second move of ours meets the fault, and the game goes on in time."""
        await self.start()
        self.sim.faults.order("move", skip=1, **fault)
        game = await self.game(Engine(nodes=300), limit=clock_s)
        await game.plies(3, 10)
        began = time.monotonic()
        await game.plies(6, (recovery_s + 1) * SLOWNESS)
        self.assertLess(time.monotonic() - began, recovery_s * SLOWNESS)
        self.each_move_was_made_once(game)

    async def test_a_move_answered_502_that_was_made_is_not_made_again(self):
        await self.plays_on(status=502, applied=True)

    async def test_a_move_answered_502_that_was_not_made_is_made(self):
        await self.plays_on(status=502)

    async def test_a_move_answered_503_three_times_is_made(self):
        await self.plays_on(recovery_s=10, status=503, times=3)

    async def test_a_move_whose_connection_is_reset_before_it_was_made_is_made(self):
        await self.plays_on(reset=True)

    async def test_a_move_whose_connection_is_reset_after_it_was_made_is_not_made_again(self):
        await self.plays_on(reset=True, applied=True)

    async def test_a_move_that_is_never_answered_but_made_is_settled_by_the_stream(self):
        await self.plays_on(hang=True, applied=True)

    async def test_a_move_that_is_never_answered_and_not_made_is_made(self):
        await self.plays_on(recovery_s=12, hang=True)

    async def test_a_late_answer_does_no_harm(self):
        await self.plays_on(delay_after_s=4)

    async def test_a_429_on_a_move_does_not_lose_a_short_game(self):
        for html in (False, True):
            with self.subTest(html=html):
                self.sim.faults.clear()
                if self.daemon is not None:
                    await self.stop_daemon()
                await self.plays_on(recovery_s=12, clock_s=50, status=429, html=html)

    async def test_a_lost_answer_and_a_lost_stream_at_once_are_survived(self):
        await self.start()
        game = await self.game(Engine(nodes=300))
        await game.plies(2, 10)
        self.sim.faults.order("move", reset=True, applied=True)
        self.sim.faults.order("game_stream", status=502)
        (await self.stream(game)).reset()
        await game.plies(8, 20)
        self.each_move_was_made_once(game)

    async def test_chat_that_is_refused_does_not_matter(self):
        await self.start()
        self.sim.faults.order("chat", status=400, times=100)
        game = await self.game(Engine(nodes=300))
        game.chat("player", "Alba", "hello")
        game.chat("spectator", "Alba", "\x1b[31m!eval")
        await game.plies(6, 10)
        self.assertNotIn("\x1b", self.daemon.log())

    async def test_a_takeback_by_the_opponent_is_followed(self):
        self.bot.allows_takebacks = True
        await self.start(games={"takebacks": 1})
        game = await self.game(Engine(nodes=300))
        await game.plies(6, 10)
        game.take_back(2)
        await game.plies(8, 10)
        self.assertTrue(game.is_running)

    async def test_a_takeback_that_the_rules_allow_is_granted_once(self):
        await self.start(games={"takebacks": 1})
        game = await self.game(Scripted("h2h3 a2a3 b2b3"))
        await game.plies(6, 10)
        game.takeback("white", True)
        await game.until(lambda g: len(g.moves) == 4, 5)
        await game.move("g1f3")
        await game.plies(6, 10)
        game.takeback("white", True)
        await self.sim.until(lambda: "/takeback/no" in "".join(self.posts("takeback")), 5)
        self.assertEqual(len(game.moves), 6)

    async def test_a_takeback_while_we_think_stops_the_search(self):
        await self.start(engine={"nodes": 0, "movetime": 1500})
        game = await self.game(Scripted("h2h3 a2a3"), limit=180)
        await game.plies(3, 10)
        await asyncio.sleep(0.3)
        game.take_back(1)
        await asyncio.sleep(0.1)
        self.assertEqual(len(game.moves), 2)
        await game.move("g1f3")
        await game.plies(4, 10)
        self.assertEqual(game.moves[2], "g1f3")

    async def test_time_given_and_draw_offers_start_no_second_search(self):
        await self.start()
        game = await self.game(Scripted("h2h3 a2a3"))
        await game.plies(4, 10)
        game.add_time("black", 15)
        game.draw("white", True)
        game.send_state()
        await asyncio.sleep(0.5)
        self.assertEqual(self.sim.count("move"), 2)
        await game.move("g1f3")
        await game.plies(6, 10)

    async def test_a_429_on_an_accept_does_not_hold_back_the_moves_of_a_game(self):
        await self.start()
        game = await self.game(Scripted(["h2h3", 0.5, "a2a3", "g1f3"]))
        await game.plies(2, 10)
        self.sim.faults.order("accept", status=429)
        await self.challenge(Idle(), name="late")
        await game.plies(6, 10)
        self.assertEqual(self.sim.count("accept"), 2)

    async def test_an_accept_that_fails_leaves_the_place_free(self):
        await self.start(games={"concurrency": 1})
        self.sim.faults.order("accept", status=404)
        await self.challenge(Idle(), name="ghost")
        await self.sim.until(lambda: self.sim.count("accept") == 1, 5)
        await asyncio.sleep(0.3)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 20)

    async def test_an_accepted_challenge_without_a_game_frees_its_place(self):
        await self.start(games={"concurrency": 1})
        self.sim.faults.order("accept", status=200, body=b'{"ok":true}')
        ghost = await self.challenge(Idle(), name="ghost")
        await self.sim.until(lambda: self.sim.count("accept") == 1, 5)
        self.sim.cancel(ghost)
        await asyncio.sleep(12)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 20)

if __name__ == "__main__":
    unittest.main()
