# SPDX-License-Identifier: GPL-3.0-or-later
"""Start, stop, resume, and games that never begin."""
import asyncio
import re
import signal
import unittest

from sim.opponent import Engine, Idle, Random, Scripted

from .harness import SLOWNESS, DaemonTest


class LifeTest(DaemonTest):
    async def test_a_stopped_daemon_resumes_its_games(self):
        await self.start()
        games = await asyncio.gather(*(
            self.game(Scripted(["h2h3", "a2a3", 1.5, "g1f3"], Random(1)), name=f"player{n}",
                      limit=180)
            for n in range(3)))
        for game in games:
            await game.plies(4, 10)
        await self.stop_daemon()
        self.assertTrue(all(game.is_running for game in games))
        await self.start()
        for game in games:
            await game.plies(8, 15)
            self.each_move_was_made_once(game)
        for family in ("resign", "abort", "chat"):
            self.assertEqual(self.sim.count(family), 0)

    async def test_the_first_move_after_a_restart_knows_the_lines_lag(self):
        self.sim.lag = lambda: 0.15
        await self.start(engine={"move_overhead": "auto", "nodes": 1})
        game = await self.game(Scripted("e2e4 d2d4", Idle()), limit=600)
        await game.plies(4, 10)
        await self.log_says("confirmed id=.* ply=4")
        game.resign("white")
        await self.over(game)
        await self.stop_daemon()
        await self.start(engine={"move_overhead": "auto", "nodes": 1})
        await self.game(Scripted("e2e4"), limit=600)
        await self.log_says("search id=.* ply=2 ")
        lag_ms = int(re.search(r" ply=2 .* lag_ms=(\d+)", self.daemon.log()).group(1))
        self.assertGreaterEqual(lag_ms, 290)  # 100 is what is assumed of an unknown line

    async def test_a_stop_while_thinking_takes_less_than_two_seconds(self):
        await self.start(engine={"nodes": 0, "movetime": 20000})
        game = await self.game(Scripted("e2e4"), limit=600)
        await game.plies(1, 10)
        await asyncio.sleep(0.5)
        await self.stop_daemon()  # asserts both time and status
        self.assertTrue(game.is_running)

    async def test_an_interrupt_stops_like_a_termination(self):
        await self.start()
        self.daemon.signal(signal.SIGINT)
        self.assertEqual(await self.daemon.wait(2 * SLOWNESS), 0)

    async def test_a_stop_while_the_server_is_down_is_quick_too(self):
        await self.sim.down()
        await self.start(wait=False)
        await self.log_says("account unreachable")
        await self.stop_daemon()

    async def test_an_opponent_who_does_not_answer_our_first_move_is_not_awaited_either(self):
        await self.start(games={"abort_after": 5})
        game = await self.game(Idle(), colour="black")
        await game.plies(1, 10)
        await self.over(game, 10)
        self.assertEqual(game.status, "aborted")

    async def test_an_outage_is_told_once_and_ends_for_all_streams_together(self):
        await self.start()
        games = await asyncio.gather(*(self.game(Idle(), name=f"player{n}", limit=600)
                                       for n in range(3)))
        for game in games:
            await game.until(lambda g: g.streams("black"), 10 * SLOWNESS)
        opens = self.sim.count("event_stream")
        await self.sim.down()
        await asyncio.sleep(9)
        await self.sim.start()
        await self.log_says("info daemon online-again games=3 after_s=")
        await self.sim.until(lambda: self.sim.count("event_stream") > opens, 3 * SLOWNESS)
        log = self.daemon.log()
        self.assertEqual(len(re.findall(r"warning daemon offline since=\S+Z games=3 ", log)), 1)
        self.assertEqual(len(re.findall(r"info game stream-lost ", log)), 3)
        self.assertEqual(len(re.findall(r"info game .*(?:connect|retry)", log)), 3)

    async def test_an_organisers_pairing_waits_for_the_opponent_and_the_clocks(self):
        await self.start(games={"abort_after": 2})
        game = await self.sim.pair(self.bot, "Alba", limit=60, clocks_start_s=3)
        await game.until(lambda g: g.clock_runs, 10 * SLOWNESS)
        await asyncio.sleep(1)
        self.assertTrue(game.is_running, game.status)
        await game.move("e2e4")
        await game.plies(2, 10 * SLOWNESS)
        self.assertLess(game.left_s("white"), 60)

    async def test_games_that_began_without_us_are_played(self):
        challenge = await self.challenge(Scripted("e2e4"))
        challenge.accept()()
        await self.start(games={"concurrency": 1})
        await challenge.game.plies(2, 10)

    async def test_a_stream_that_the_server_has_forgotten_is_opened_again(self):
        """It stays open, so that only our own flag tells."""
        await self.start()
        self.bot.lose_sight()
        challenge = await self.challenge(Scripted("e2e4"))
        game = await challenge.started(30 * SLOWNESS)
        await game.plies(2, 30 * SLOWNESS)
        await self.log_says("account unseen")
        self.assertEqual(self.sim.count("event_stream"), 2)


if __name__ == "__main__":
    unittest.main()
