# SPDX-License-Identifier: GPL-3.0-or-later
"""All requests take turns; none makes a move wait; limits outlive the process."""
import asyncio
import os
import time
import unittest

from sim.opponent import Engine, Idle, Scripted

from .harness import SLOWNESS, DaemonTest

DAY_LIMIT = b'{"error":"Too many requests","ratelimit":{"key":"bot.vsBot.day","seconds":40000}}'


class PacingTest(DaemonTest):
    async def asks_for_a_game(self, name):
        config = os.path.join(self.directory, "castled.conf")
        return await self.command("challenge", name, "3+2", "--config", config, token=None)

    async def test_a_list_that_hangs_delays_no_move(self):
        self.sim.faults.order("playing", hang=True, times=3)
        await self.start()
        began = time.monotonic()
        game = await self.game(Engine(nodes=50))
        await game.plies(8, 6 * SLOWNESS)
        self.assertLess(time.monotonic() - began, 6 * SLOWNESS)

    async def test_declines_are_sent_one_after_the_other(self):
        await self.start(challenge={"variants": "standard"})
        await asyncio.sleep(0.5)
        self.sim.faults.order("decline", delay_after_s=0.3, times=4)
        challenges = [await self.challenge(Idle(), name=f"player{n}", variant="chess960")
                      for n in range(4)]
        for challenge in challenges:
            await challenge.declined(10)
        times = [r.arrived for r in self.sim.requests if r.family == "decline"]
        for before, after in zip(times, times[1:]):
            self.assertGreater(after - before, 0.28)

    async def test_moves_go_beside_slow_declines(self):
        await self.start(challenge={"variants": "standard"})
        game = await self.game(Engine(nodes=50))
        await game.plies(2, 10)
        self.sim.faults.order("decline", delay_after_s=1.5, times=4)
        for number in range(4):
            await self.challenge(Idle(), name=f"player{number}", variant="chess960")
        began, plies = time.monotonic(), len(game.moves)
        await game.plies(plies + 6, 5 * SLOWNESS)
        self.assertLess(time.monotonic() - began, 3 * SLOWNESS)

    async def test_acceptances_go_before_declines(self):
        await self.start(challenge={"variants": "standard"}, games={"concurrency": 8})
        await asyncio.sleep(0.5)
        self.sim.faults.order("decline", delay_after_s=0.5, times=1)
        for number in range(3):
            await self.challenge(Idle(), name=f"player{number}", variant="chess960")
        game = await self.game(Scripted("e2e4"), name="Alba")
        await game.plies(2, 10)
        order = [r.family for r in self.sim.requests if r.family in ("accept", "decline")]
        self.assertEqual(order[:2], ["decline", "accept"])

    async def test_a_limited_list_is_left_alone_for_its_minute(self):
        self.sim.faults.order("playing", status=429, body=DAY_LIMIT.replace(b"bot.vsBot.day", b"x"),
                              times=100)
        await self.start()
        await self.log_says("rate-limited family=other")
        game = await self.game(Engine(nodes=50))
        await game.plies(6, 30 * SLOWNESS)
        await asyncio.sleep(2)
        self.assertEqual(self.sim.count("playing"), 1)

    async def test_the_days_limit_on_bots_leaves_humans_alone_and_outlives_a_restart(self):
        self.sim.add_account("OtherBot", title="BOT", rating=2000)
        self.sim.faults.order("accept", status=429, body=DAY_LIMIT)
        await self.start()
        await self.challenge(Idle(), name="OtherBot")
        await self.log_says("rate-limited family=create-bot retry_in_s=(39999|40000)")
        game = await self.game(Scripted("e2e4"), name="Alba")
        await game.plies(2, 10)
        await self.stop_daemon()
        await self.start()
        await self.log_says("still-limited family=create-bot retry_in_s=399")

    async def test_challenges_of_ours_that_are_limited_hold_up_nobody_elses(self):
        self.sim.faults.order("create", status=429)
        self.sim.account("Berta")
        await self.start()
        await self.asks_for_a_game("Berta")
        await self.log_says("rate-limited family=create retry_in_s=60")
        challenge = await self.challenge(Idle(), name="Alba")
        await challenge.started(5 * SLOWNESS)
        _, output = await self.asks_for_a_game("Berta")
        self.assertIn("no more challenges for", output)

    async def test_the_days_limit_on_bots_is_none_on_challenges_to_humans(self):
        self.sim.add_account("Rival", title="BOT", rating=2000)
        self.sim.account("Berta")
        self.bot.bot_games = self.sim.limits.bot_games_a_day
        await self.start()
        await self.asks_for_a_game("Rival")
        await self.log_says("rate-limited family=create-bot")
        status, output = await self.asks_for_a_game("Berta")
        self.assertEqual(status, 0, output)

    async def test_a_minutes_limit_on_challenges_outlives_a_restart(self):
        self.sim.faults.order("accept", status=429)
        await self.start()
        await self.challenge(Idle(), name="Alba")
        await self.log_says("rate-limited family=challenge")
        await asyncio.sleep(1)
        await self.daemon.kill()
        await self.sim.until(lambda: not self.bot.is_online, 5)
        await self.start()
        await self.log_says("still-limited family=challenge retry_in_s=5")
        await self.challenge(Idle(), name="Berta")
        await asyncio.sleep(1)
        self.assertEqual(self.sim.count("accept"), 1)


if __name__ == "__main__":
    unittest.main()
