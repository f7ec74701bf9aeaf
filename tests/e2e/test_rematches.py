# SPDX-License-Identifier: GPL-3.0-or-later
"""Rematches that are offered to us."""
import unittest

from .harness import SLOWNESS, DaemonTest


class RematchTest(DaemonTest):
    async def played(self, challenge=None):
        """A game that the opponent resigns after a move of each side."""
        challenge = challenge or await self.challenge(limit=600)
        game = await challenge.started(10 * SLOWNESS)
        await self.stream(game)
        if game.colour_of(self.bot) == "black":
            await game.move("e2e4")
        await game.plies(1, 20 * SLOWNESS)
        game.finish("draw")
        await self.over(game)
        return game

    async def test_a_rematch_is_played_with_the_colours_changed_over(self):
        await self.start()
        first = await self.played()
        second = await self.played(await self.sim.rematch(first))
        self.assertEqual(second.colour_of(self.bot), "white")
        self.assertEqual(first.colour_of(self.bot), "black")

    async def test_so_many_rematches_in_a_row_and_no_more(self):
        await self.start(challenge={"rematches": 2})
        game = await self.played()
        game = await self.played(await self.sim.rematch(game))
        await self.stop_daemon()  # they count over a restart
        await self.start(challenge={"rematches": 2})
        game = await self.played(await self.sim.rematch(game))
        declined = await self.sim.rematch(game)
        self.assertEqual(await declined.declined(10 * SLOWNESS), "later")
        await self.log_says(f"declined id={declined.id} .*why=\"?rematches reached")
        await self.played()  # anew, which is no rematch

    async def test_rules_tell_rematches_from_other_games(self):
        await self.start(**{"rule rematches": {"when.rematch": "yes", "engine.depth": 2},
                            "rule others": {"when.rematch": "no", "engine.depth": 1}})
        first = await self.played()
        await self.log_says(f"rules id={first.id} names=others")
        second = await self.played(await self.sim.rematch(first))
        await self.log_says(f"rules id={second.id} names=rematches")


if __name__ == "__main__":
    unittest.main()
