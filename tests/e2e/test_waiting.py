# SPDX-License-Identifier: GPL-3.0-or-later
"""Challenges that wait: for a slot, for an owner who may have left, among hundreds of others."""
import asyncio
import time
import unittest

from sim.opponent import Idle, Scripted

from .harness import SLOWNESS, TOKEN, DaemonTest

FOUND_S = 23    # from the event stream's opening to the look for what no event told
LONG_S = 22     # longer than a challenge lasts that nobody sees
SERVED_S = 2    # from a slot's end to the game of whoever waited


class WaitingTest(DaemonTest):
    async def busy(self, **sections):
        """The daemon with its only slot taken."""
        await self.start(games={"concurrency": 1}, **sections)
        game = await self.game(Scripted("e2e4"), limit=600)
        await game.plies(2, 30 * SLOWNESS)
        return game

    async def served(self, challenge, seconds):
        """That a game comes of the challenge, with us in it, in time."""
        game = await challenge.started(seconds * SLOWNESS)
        await self.stream(game)
        return game

    async def test_of_two_who_wait_the_one_who_has_left_costs_nothing(self):
        self.sim.limits.challenge_unseen_s = 1
        game = await self.busy()
        gone = await self.challenge(Idle(), name="Berta")
        there = await self.challenge(Idle(), name="Cleo")
        gone.leave()
        await asyncio.sleep(LONG_S)
        game.resign("white")
        await self.served(there, 5)

    async def test_a_challenge_of_somebody_who_has_left_is_known_by_its_silence(self):
        """Without the scope to look, an accept starts a game in which nobody moves."""
        self.sim.tokens[TOKEN].scopes = ("bot:play",)
        self.sim.limits.challenge_unseen_s = 1
        game = await self.busy()
        gone = await self.challenge(Scripted("e2e4"), name="Berta")
        gone.leave()
        await asyncio.sleep(LONG_S)
        there = await self.challenge(Idle(), name="Cleo")
        game.resign("white")
        await self.served(there, 10)

    async def test_whoever_left_and_came_back_is_served(self):
        self.sim.limits.challenge_unseen_s = 0.5
        game = await self.busy()
        waiting = await self.challenge(Scripted("e2e4"), name="Berta")
        waiting.leave()
        await self.sim.until(lambda: waiting.status == "offline", 5)
        waiting.come_back()
        await asyncio.sleep(1)
        game.resign("white")
        again = await self.served(waiting, SERVED_S)
        await again.plies(2, 30 * SLOWNESS)

    async def test_who_is_back_after_the_event_stream_opened_is_found_and_served(self):
        """The server resends only challenges whose owners are there, and reports no return."""
        self.sim.limits.challenge_unseen_s = 0.2
        dormant = await self.challenge(Scripted("e2e4"), name="Berta", has_page=False)
        await self.sim.until(lambda: dormant.status == "offline", 5)
        await self.start(challenge={"block": "mallory"})
        self.sim.faults.order("decline", status=502, times=9)  # so that the list has it still
        await self.challenge(Idle(), name="Mallory")
        dormant.come_back()
        await self.served(dormant, FOUND_S)
        self.assertEqual((self.sim.count("challenge_list"), self.sim.count("decline")), (1, 1))

    async def test_a_look_that_fails_is_no_look_and_comes_again_soon(self):
        """Else whoever no event told of would wait three minutes more."""
        self.sim.limits.challenge_unseen_s = 0.2
        dormant = await self.challenge(Scripted("e2e4"), name="Berta", has_page=False)
        await self.sim.until(lambda: dormant.status == "offline", 5)
        self.sim.faults.order("challenge_list", status=502)
        await self.start()
        dormant.come_back()
        await self.served(dormant, 2 * FOUND_S)

    async def test_a_challenge_that_was_replaced_does_not_count_as_one_that_waits(self):
        game = await self.busy(challenge={"games_per_opponent": 1})
        first = await self.challenge(Idle(), name="Berta")
        await self.log_says(f"waits id={first.id}")
        second = await self.challenge(Idle(), name="Berta", limit=180)
        await self.log_says(f"replaced id={first.id} by={second.id}")
        await self.log_says(f"waits id={second.id}")
        game.resign("white")
        await self.served(second, SERVED_S)
        self.assertNotIn(f"/api/challenge/{first.id}/accept",
                         [r.path for r in self.sim.requests])

    async def test_a_second_challenge_takes_the_place_of_one_that_is_being_accepted(self):
        """The server has cancelled the first before the accept arrives, without a report."""
        await self.start(challenge={"games_per_opponent": 1})
        self.sim.faults.order("accept", delay_before_s=2)
        first = await self.challenge(Idle(), name="Berta")
        await self.log_says(f"accepting id={first.id}")
        second = await self.challenge(Idle(), name="Berta", limit=180)
        await self.served(second, 5)
        self.assertIsNone(first.game)

    async def test_a_second_challenge_follows_the_game_of_one_that_was_being_accepted(self):
        """The accept was first, and its answer and the game's start come late."""
        await self.start()
        self.sim.faults.order("accept", delay_after_s=2)
        first = await self.challenge(Idle(), name="Berta")
        await self.sim.until(lambda: first.game is not None, 5 * SLOWNESS)
        second = await self.challenge(Idle(), name="Berta", limit=180)
        await self.log_says(f"waits id={second.id}")
        game = await self.served(first, 5)
        await asyncio.sleep(1)
        self.assertIsNone(second.game)
        game.finish("aborted")
        await self.served(second, SERVED_S)

    async def test_a_429_on_an_accept_loses_no_challenge(self):
        await self.start()
        self.sim.faults.order("accept", status=429, body=(
            b'{"error":"Too many requests. Try again later.",'
            b'"ratelimit":{"key":"challenge.accept","seconds":3}}'))
        challenge = await self.challenge(Idle(), name="Berta")
        await self.served(challenge, 12)

    async def test_hundreds_of_challenges_delay_no_human(self):
        for number in range(200):
            self.sim.add_account(f"Machine{number}", title="BOT", is_present=True)
        await self.start(challenge={"opponents": "human"}, games={"concurrency": 1})
        began = time.monotonic()
        for number in range(200):
            await self.challenge(Idle(), name=f"Machine{number}")
            await asyncio.sleep(max(0.0, began + number / 20 - time.monotonic()))
        for name in ("Berta", "Cleo"):
            game = await self.served(await self.challenge(Idle(), name=name), 5)
            game.finish("aborted")
        within = [r for r in self.sim.requests if r.arrived > began]
        self.assertLessEqual(len(within), 180)  # what a proxy in front lets pass in a minute

    async def test_64_games_offered_at_once_are_all_played_within_a_minute(self):
        await self.start(games={"concurrency": 64}, engine={"nodes": 100})
        began = time.monotonic()
        challenges = [await self.challenge(Scripted("e2e4"), name=f"player{n}", limit=900)
                      for n in range(64)]
        for challenge in challenges:
            left_s = began + 60 * SLOWNESS - time.monotonic()
            game = await challenge.started(max(0.1, left_s))
            await game.plies(2, max(0.1, began + 60 * SLOWNESS - time.monotonic()))


if __name__ == "__main__":
    unittest.main()
