# SPDX-License-Identifier: GPL-3.0-or-later
"""The variants that our own rules don't know, played by Debian's fairy-stockfish."""
import asyncio
import os
import unittest

from sim.judge import VARIANTS, engine_path
from sim.opponent import Idle, Random, Scripted

from .harness import ROOT, DaemonTest

FAKE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")


class VariantTest(DaemonTest):
    async def start_fairy(self, **more):
        keys = {"command": engine_path("fairy-stockfish"), "variants": ", ".join(VARIANTS),
                "nodes": 3000, **more}
        await self.start(**{"engine.external fairy": keys, "games": {"concurrency": 8}})

    async def test_a_whole_game_of_each_is_played(self):
        await self.start_fairy()
        games = dict(zip(VARIANTS, await asyncio.gather(*(
            self.game(Random(seed), name=f"player{seed}", variant=variant, limit=300,
                      colour=("white", "black")[seed % 2])
            for seed, variant in enumerate(VARIANTS)))))
        await asyncio.gather(*(self.over(game, 200) for game in games.values()))
        for variant, game in games.items():
            with self.subTest(variant):
                self.assertIn(game.status, ("mate", "variantEnd"), game.moves)
                self.assertEqual(game.winner, game.colour_of(self.bot), game.moves)
                self.each_move_was_made_once(game)
                self.assertRegex(self.daemon.log(), f"move id={game.id} .* source=fairy")
        self.assertTrue(any("@" in move for move in games["crazyhouse"].moves))
        self.assertNotRegex(self.daemon.log(), "strike|bad-move|desynced|no-move")

    async def test_castling_is_understood_in_both_notations(self):
        await self.start_fairy()
        for castling in ("king-to-target", "king-takes-rook"):
            with self.subTest(castling):
                self.sim.castling = castling
                game = await self.game(Scripted("g1f3 g2g3 f1g2 e1g1 b1c3", Random(4)),
                                       variant="kingOfTheHill", limit=300)
                await game.plies(14, 30)
                self.assertIn("e1h1", game.moves)
                game.finish("aborted")

    async def test_a_game_is_resumed_in_its_middle(self):
        await self.start_fairy()
        game = await self.game(Random(6), variant="crazyhouse", limit=300)
        await game.plies(9, 30)
        await self.stop_daemon()
        await self.start_fairy()
        await self.over(game, 120)
        self.assertIn(game.status, ("mate", "variantEnd"))

    async def test_without_an_engine_for_it_a_variant_is_declined(self):
        await self.start_fairy(variants="atomic")
        self.assertEqual(await (await self.challenge(Idle(), variant="horde")).declined(5),
                         "variant")
        await (await self.challenge(Idle(), variant="atomic")).started(10)

    async def test_an_engine_that_dies_is_replaced_in_mid_game(self):
        await self.start(**{"engine.external fairy": {
            "command": f"{FAKE} --backend {engine_path('fairy-stockfish')} --fault crash --at 4",
            "variants": "antichess", "nodes": 1000}})
        game = await self.game(Random(1), variant="antichess", limit=300)
        await self.over(game, 120)
        self.assertEqual((game.status, game.winner), ("variantEnd", "black"))
        self.assertRegex(self.daemon.log(), r"strike id=\w+ engine=fairy strikes=2")

    async def test_an_engine_that_plays_by_other_rules_makes_no_flood(self):
        self.excused_refusals = "cannot move|finished"
        await self.start(**{"engine.external liar": {"command": f"{FAKE} e2e5",
                                                     "variants": "horde"}})
        game = await self.game(Idle(), variant="horde", colour="black", limit=60)
        await self.log_says("bad-move id=.* refusals=3", 60)
        before = self.sim.count("move")
        self.assertLessEqual(before, 4)
        self.assertEqual(await self.quiet(3), 0)
        game.finish("aborted")


if __name__ == "__main__":
    unittest.main()
