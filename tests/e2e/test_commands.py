# SPDX-License-Identifier: GPL-3.0-or-later
"""Takebacks, draw offers, time and words from the opponent; acceptances that come to nothing."""
import asyncio
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import DaemonTest


class CommandTest(DaemonTest):
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
        ghost.withdraw()
        await asyncio.sleep(12)
        game = await self.game(Scripted("e2e4"))
        await game.plies(2, 20)

    async def test_a_yes_to_a_takeback_never_becomes_a_proposal_of_ours(self):
        self.bot.allows_takebacks, self.sim.limits.takeback_pause_s = True, 0
        await self.start(games={"takebacks": 1}, engine={"nodes": 0, "movetime": 700})
        game = await self.game(Scripted("h2h3 a2a3 b2b3"), limit=600)
        await game.plies(5, 20)
        # The yes is lost on its way, which we learn when we have moved.
        self.sim.faults.order("takeback", status=502, delay_before_s=1.5)
        game.takeback("white", True)
        await game.plies(6, 10)
        for _ in range(30):
            self.assertFalse(game.seats["black"].proposes_takeback)
            await asyncio.sleep(0.1)


if __name__ == "__main__":
    unittest.main()
