# SPDX-License-Identifier: GPL-3.0-or-later
"""Games that end by agreement, resignation or a claim."""
import unittest

from sim.opponent import Random, Scripted

from .harness import SLOWNESS, DaemonTest

# Locked for good, and level.
LOCKED = "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 60"
# Black, to move, is a queen and a rook up.
LOST = "3qk3/8/8/8/8/7r/8/4K3 b - - 0 40"


class OffersTest(DaemonTest):
    async def test_a_level_game_is_offered_as_a_draw_once(self):
        await self.start(draw={"moves": 2, "from_move": 1, "score": 300}, engine={"nodes": 200})
        game = await self.game(Random(4), limit=600, colour="white", fen=LOCKED)
        await game.until(lambda g: g.seats["black"].offers_draw, 20 * SLOWNESS)
        await game.plies(len(game.moves) + 8, 20)
        offers = [r for r in self.sim.requests if r.query.get("offeringDraw") == "true"]
        self.assertEqual(len(offers), 1)
        game.draw("white", True)
        await self.sim.until(lambda: not game.is_running or self.sim.count("draw") > 0, 10)

    async def test_a_draw_offer_in_a_level_game_is_accepted(self):
        await self.start(draw={"moves": 2, "from_move": 1, "score": 300,
                                "offer": "no"}, engine={"nodes": 200})
        game = await self.game(Scripted("e1d2 d2e2 e2f2"), limit=600, colour="white", fen=LOCKED)
        await game.plies(6, 20)  # and now it is the opponent's turn, for good
        game.draw("white", True)
        self.assertEqual(await self.over(game), ("draw", None))

    async def test_a_draw_offer_in_a_game_that_is_not_level_is_declined(self):
        await self.start(draw={"moves": 2, "from_move": 1}, resign={"enabled": "no"})
        game = await self.game(Scripted("e1f1 f1g1"), limit=600, colour="white",
                               fen="4k3/8/8/8/8/8/r7/4K3 w - - 0 60")
        await game.plies(2, 20)
        game.draw("white", True)
        await self.sim.until(lambda: "/draw/no" in "".join(self.posts("draw")), 5 * SLOWNESS)
        self.assertTrue(game.is_running)

    async def test_a_lost_game_is_resigned_where_that_is_wanted(self):
        await self.start(resign={"enabled": "yes", "moves": 1}, engine={"nodes": 500})
        game = await self.game(Scripted("e8e7"), limit=600, colour="black", fen=LOST)
        self.assertEqual(await self.over(game), ("resign", "black"))
        self.assertEqual(len(game.moves), 2)  # the move goes first

    async def test_victory_is_claimed_when_the_opponent_has_left(self):
        await self.start()
        game = await self.game(Scripted("e2e4 d2d4"), limit=600)
        await game.plies(4, 10)
        await game.leave("white", 1, 1)
        self.assertEqual(await self.over(game), ("timeout", "black"))

    async def test_a_draw_is_claimed_where_that_is_wanted(self):
        await self.start(games={"claim": "draw"})
        game = await self.game(Scripted("e2e4 d2d4"), limit=600)
        await game.plies(4, 10)
        await game.leave("white", 1, 1)
        self.assertEqual(await self.over(game), ("timeout", None))

    async def test_nothing_is_claimed_from_an_opponent_who_returns(self):
        await self.start()
        game = await self.game(Scripted("e2e4 d2d4"), limit=600)
        await game.plies(4, 10)
        game.opponent_gone("white" if game.turn == "black" else "black", 2)
        game.opponent_gone("white" if game.turn == "black" else "black", None)
        await self.quiet(3)
        self.assertEqual(self.sim.count("claim"), 0)
        self.assertTrue(game.is_running)


if __name__ == "__main__":
    unittest.main()
