# SPDX-License-Identifier: GPL-3.0-or-later
"""Refusals that look like the end of the account, and are not: 403 by proxies, bans, one bad 401."""
import unittest

from sim.faults import REFUSALS
from sim.opponent import Idle, Random, Scripted

from .harness import EX_REFUSED, SLOWNESS, TOKEN, DaemonTest

# Where the daemon's life must not hang on one answer.
FAMILIES = ("event_stream", "game_stream", "playing", "accept")
# The opponent's moves: the first ones of an alphabet can be mated in four.
QUIET = ("g1f3", "d2d3", "f1e2", "h2h3", "a2a3", "b2b3", "c2c3", "a3a4", "h3h4", "f3g1", "e1f1")


class DeniedTest(DaemonTest):
    async def lives(self, what, seconds):
        """That something happens in time, and the daemon has not gone."""
        await self.sim.until(lambda: what() or not self.daemon.is_running, seconds * SLOWNESS)
        self.assertTrue(self.daemon.is_running, f"it has gone with {self.daemon.status}")

    async def plays_on(self, game):
        """That the opponent's next move is answered."""
        count = len(game.moves)
        await game.move(next(move for move in QUIET if move in game.position.legal))
        await self.lives(lambda: len(game.moves) >= count + 2, 20)

    async def test_a_proxys_403_on_everything_for_5_s_is_survived_in_mid_game(self):
        await self.start()
        game = await self.game(Idle(), limit=600)
        await game.move("e2e4")
        await game.plies(2, 30 * SLOWNESS)
        self.sim.faults.order("", lasts_s=5, **REFUSALS["proxy 403"])
        self.sim.strike("close", game)
        self.sim.strike("close")
        await game.move("d2d4")
        await self.lives(lambda: len(game.moves) >= 4, 25)
        await self.lives(lambda: self.bot.has_stream, 30)
        await self.game(Idle(), name="Berta")

    async def one_answer(self, refusal):
        """The same refusal, once, on each family of requests."""
        await self.start(games={"concurrency": 8})
        game = await self.game(Idle(), limit=600)
        await game.move("e2e4")
        await game.plies(2, 30 * SLOWNESS)
        for family in FAMILIES:
            self.sim.faults.order(family, **REFUSALS[refusal])
            self.sim.strike("close", game)
            self.sim.strike("close")
            await self.challenge(Idle(), name=f"opponent-{family.replace('_', '-')}")
            await self.lives(lambda: self.bot.has_stream, 30)
            await self.plays_on(game)
            self.sim.faults.clear()

    async def test_one_html_403_ends_nothing(self):
        await self.one_answer("proxy 403")

    async def test_a_playban_is_no_failure_of_the_token(self):
        await self.one_answer("playban")

    async def test_a_marked_account_is_no_failure_of_the_token(self):
        await self.one_answer("restricted")

    async def test_one_401_that_a_second_look_does_not_confirm_ends_nothing(self):
        await self.one_answer("no such token")

    async def test_an_account_with_a_mark_is_warned_of_and_plays_on(self):
        """In mid-game, where a refusal makes castled look at the account, and after a restart."""
        await self.start()
        game = await self.game(Idle(), limit=600)
        await game.move("e2e4")
        await game.plies(2, 30 * SLOWNESS)
        self.bot.is_marked = True
        self.sim.faults.order("event_stream", **REFUSALS["no such token"])
        self.sim.strike("close")
        await self.lives(lambda: "account confirmed" in self.daemon.log(), 30)
        await self.plays_on(game)
        await self.stop_daemon()
        await self.start()
        await self.log_says("account marked advice=.*tosViolation")
        await self.plays_on(game)

    async def test_a_token_that_is_revoked_ends_it_after_a_second_look(self):
        await self.start()
        game = await self.game(Random(1), limit=600)
        await game.plies(2, 30 * SLOWNESS)
        del self.sim.tokens[TOKEN]
        self.sim.strike("close")
        self.assertEqual(await self.daemon.wait(60 * SLOWNESS), EX_REFUSED)

    async def test_a_scope_that_is_missing_once_is_looked_at_twice(self):
        await self.start()
        game = await self.game(Scripted("e2e4"), limit=600)
        await game.plies(2, 30 * SLOWNESS)
        self.sim.faults.order("event_stream", **REFUSALS["missing scope"])
        self.sim.strike("close")
        await self.lives(lambda: self.bot.has_stream, 30)
        await self.plays_on(game)


if __name__ == "__main__":
    unittest.main()
