# SPDX-License-Identifier: GPL-3.0-or-later
"""A human's pace: moves that take their time, and who does not want to wait for them."""
import unittest

from sim.opponent import Engine, Random

from .harness import SLOWNESS, DaemonTest

WEAK = {"elo": 1500, "nodes": 0}


class PaceTest(DaemonTest):
    def times(self, game):
        """From one move of ours to the next; the opponent answers almost at once."""
        arrivals = [r.arrived for r in self.sim.requests
                    if r.family == "move" and f"/{game.id}/" in r.path]
        return [after - before for before, after in zip(arrivals, arrivals[1:])]

    async def play(self, name, plies, **wanted):
        game = await self.game(Engine(nodes=500), name=name, limit=180, **wanted)
        await game.plies(plies, 120 * SLOWNESS)
        return game

    async def finish(self, game):
        game.resign("white")
        await self.over(game)

    async def test_weak_play_takes_a_humans_time_until_it_is_asked_not_to(self):
        for name in ("Berta", "Corvin"):
            self.sim.add_account(name)
        await self.start(engine=WEAK)
        game = await self.play("Alba", 8)
        times = self.times(game)
        self.assertGreater(sum(times), 0.5)  # one may be quick, not all
        self.assertGreater(max(times) - min(times), 0.05)
        game.chat("player", "Corvin", "go")  # is not the opponent
        game.chat("spectator", "Alba", "go")
        game.chat("player", "Alba", "Fast!")
        await game.plies(20, 30 * SLOWNESS)
        self.assertLess(max(self.times(game)[4:]), 0.7 * SLOWNESS)
        await self.finish(game)

        await self.stop_daemon()
        await self.start(engine=WEAK)  # it is remembered
        game = await self.play("Alba", 12)
        self.assertLess(max(self.times(game)), 0.7 * SLOWNESS)
        await self.finish(game)
        game = await self.play("Berta", 8)
        self.assertGreater(sum(self.times(game)), 0.5)

    async def test_full_strength_thinks_no_longer_than_a_human(self):
        await self.start(engine={"nodes": 0}, pace={"human": "yes"})
        game = await self.play("Alba", 8)
        times = self.times(game)
        self.assertGreater(sum(times), 0.5)
        self.assertLess(max(times), 45 * SLOWNESS)  # a quarter of the clock

    async def test_no_game_is_lost_on_time(self):
        await self.start(engine=WEAK, pace={"human": "yes"})
        game = await self.game(Random(5), limit=30, increment=0)
        status, winner = await self.over(game, 60)
        self.assertFalse(status == "outoftime" and winner == "white", (status, winner))
        self.assertNotIn("search-late", self.daemon.log())


if __name__ == "__main__":
    unittest.main()
