# SPDX-License-Identifier: GPL-3.0-or-later
"""Streams that fall silent without an end: the connection is there, nothing comes any more."""
import asyncio
import unittest

from sim.opponent import Scripted

from .harness import DaemonTest

# Two keep-alive periods of 7 s, and what a busy machine needs.
GIVEN_UP_S = 20


class SilenceTest(DaemonTest):
    async def test_silent_streams_are_given_up_and_opened_again(self):
        await self.start()
        game = await self.game(Scripted(["h2h3", 0.3, "a2a3", "g1f3"]), limit=180)
        await game.plies(2, 10)
        (await self.stream(game)).stalled = True
        (await self.event_stream()).stalled = True
        await asyncio.gather(game.plies(6, GIVEN_UP_S), self.sim.until(
            lambda: self.sim.count("event_stream") == 2, GIVEN_UP_S, "a second event stream"))
        self.each_move_was_made_once(game)

    async def test_streams_that_only_keep_alive_are_kept(self):
        await self.start()
        game = await self.game(Scripted(["h2h3"]), limit=180)
        await game.plies(2, 10)
        await asyncio.sleep(GIVEN_UP_S)
        self.assertEqual(self.sim.count("event_stream"), 1)
        self.assertEqual(self.sim.count("game_stream"), 1)


if __name__ == "__main__":
    unittest.main()
