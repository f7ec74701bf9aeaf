# SPDX-License-Identifier: GPL-3.0-or-later
"""Lichess's variants, played by castled's own engine, and by others where the operator wants that."""
import asyncio
import os
import re
import unittest

from sim import board
from sim.judge import VARIANTS, engine_path
from sim.opponent import Idle, Random, Scripted

from .harness import ROOT, SLOWNESS, DaemonTest

FAKE = os.path.join(ROOT, "tests", "engines", "fake_engine.py")

# Each way in which a variant's game can end by its rules: position, castled's side, the opponent's
# moves if it is them who end it, status and winner.
ENDS = (
    ("crazyhouse", "6k1/5ppp/8/8/8/8/8/4K3[R] w - - 0 1", "white", "", "mate", "white"),
    ("crazyhouse", "7k/8/6K1/8/8/8/8/5Q2[] w - - 0 1", "black", "f1f7", "stalemate", None),
    ("crazyhouse", "6k1/5ppp/8/8/8/8/8/R3K3[] w - - 0 1", "black", "a1a8", "mate", "white"),
    ("antichess", "8/8/8/8/8/1p6/R7/8 b - - 0 1", "white", "b3a2", "variantEnd", "white"),
    ("antichess", "8/8/8/p7/8/P7/8/8 w - - 0 1", "white", "", "variantEnd", "black"),
    ("antichess", "8/8/8/p7/8/P7/8/8 w - - 0 1", "black", "a3a4", "variantEnd", "black"),
    ("antichess", "8/8/8/8/8/3b4/4N3/2B5 b - - 0 1", "white", "d3e2", "draw", None),
    ("antichess", "8/8/8/8/8/n7/8/7R w - - 99 90", "black", "h1h2", "draw", None),
    ("atomic", "4k3/3p4/8/8/8/8/8/3QK3 w - - 0 1", "white", "", "variantEnd", "white"),
    ("atomic", "3qk3/8/8/8/8/8/3P4/4K3 b - - 0 1", "white", "d8d2", "variantEnd", "black"),
    ("atomic", "7k/8/8/8/8/8/6R1/K4R2 w - - 0 1", "white", "", "mate", "white"),
    ("atomic", "8/8/8/8/8/8/pKp5/kb1R4 w - - 0 1", "black", "d1c1", "stalemate", None),
    ("atomic", "4k3/8/8/P7/8/1n6/8/6K1 b - - 0 1", "white", "b3a5", "draw", None),
    ("atomic", "4k2q/8/8/8/8/8/8/R3K3 w - - 99 90", "black", "e1d1", "draw", None),
    ("horde", "4k3/8/8/8/8/8/r7/P7 b - - 0 1", "white", "a2a1", "variantEnd", "black"),
    ("horde", "4k3/8/8/8/8/8/r7/P7 b - - 0 1", "black", "", "variantEnd", "black"),
    ("horde", "k7/8/PP6/8/8/8/8/7R w - - 0 1", "white", "", "mate", "white"),
    ("horde", "8/8/8/p7/P7/8/8/4k3 b - - 0 1", "white", "e1e2", "stalemate", None),
    ("horde", "k7/P7/1P6/P7/8/8/8/8 w - - 0 1", "black", "a5a6", "stalemate", None),
    ("horde", "4k3/8/8/p7/8/P7/8/8 w - - 0 1", "white", "", "draw", None),
    ("horde", "4k3/8/8/8/8/8/P7/R7 b - - 99 90", "white", "e8e7", "draw", None),
    ("kingOfTheHill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", "white", "", "variantEnd", "white"),
    ("kingOfTheHill", "7k/8/8/8/8/3K4/8/8 w - - 0 1", "black", "d3d4", "variantEnd", "white"),
    ("kingOfTheHill", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "white", "", "mate", "white"),
    ("kingOfTheHill", "7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "black", "g5g6", "stalemate", None),
    ("kingOfTheHill", "7k/8/8/8/8/8/8/K7 w - - 99 90", "black", "a1b1", "draw", None),
    ("racingKings", "8/7K/k7/8/8/8/8/8 w - - 0 1", "white", "", "variantEnd", "white"),
    ("racingKings", "8/k6K/8/8/8/8/8/8 w - - 0 1", "black", "h7h8", "draw", None),
    ("racingKings", "7K/k7/8/8/8/8/8/8 b - - 0 1", "white", "a7a6", "variantEnd", "white"),
    ("racingKings", "8/k7/8/8/8/8/7K/8 b - - 0 1", "white", "a7a8", "variantEnd", "black"),
    ("racingKings", "1Q6/8/8/8/8/8/7K/k7 w - - 0 1", "black", "b8b3", "stalemate", None),
    ("racingKings", "8/8/8/8/8/8/k6K/1r4R1 w - - 99 90", "black", "g1g3", "draw", None),
    ("threeCheck", "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1", "white", "", "variantEnd", "white"),
    ("threeCheck", "4k3/R7/8/8/8/8/8/4K2R w - - 1+3 0 1", "black", "h1h8", "mate", "white"),
    ("threeCheck", "7k/5Q2/8/6K1/8/8/8/8 w - - 3+3 0 1", "black", "g5g6", "stalemate", None),
    ("threeCheck", "4k3/8/8/8/8/8/4p3/4K3 w - - 3+1 0 1", "black", "e1e2", "draw", None),
    ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 99 90", "black", "e1d1", "draw", None),
)

KNIGHTS_OUT_AND_BACK = "g1f3 g8f6 f3g1 f6g8 "
# Games that a third repetition ends with their last move: position or None, and all moves. Castled
# has White.
REPEATED = (
    ("antichess", None, KNIGHTS_OUT_AND_BACK * 2),
    ("atomic", None, KNIGHTS_OUT_AND_BACK * 2),
    ("horde", "4k3/8/8/8/8/8/PP6/5R2 w - - 0 1", "f1g1 e8d8 g1f1 d8e8 " * 2),
    ("kingOfTheHill", None, KNIGHTS_OUT_AND_BACK * 2),
    ("racingKings", None, "e2f4 d2c4 f4e2 c4d2 " * 2),
    # The board of the beginning comes back twice, with another count of checks each time.
    ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1",
     "a1a8 e8e7 a8a1 e7e8 " * 2 + "a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1"),
    # Captures and drops repeat a position here,
    ("crazyhouse", "8/3k4/8/8/8/8/r7/K7[] w - - 0 1", "a1a2 d7d8 R@d7 d8d7 a2a1 R@a2 " * 2),
    # unless the pockets differ;
    ("crazyhouse", "8/8/4k3/8/8/p7/1K6/8[pppp] w - - 0 1",
     "b2a3 e6e7 a3b2 P@a3 b2a3 e7e6 a3b2 P@a3 " * 2
     + "b2a3 e6e7 a3a2 e7e6 a2a3 e6e7 a3a2 e7e6 a2a3"),
    # and nothing else draws, 50 moves least of all.
    ("crazyhouse", "7k/8/8/8/8/8/8/K7[] w - - 99 90", "a1b1 h8g8 b1a1 g8h8 " * 2),
)

# A flag falls where castled has as little as it can have: position with the other side to move, its
# move, and the winner.
FLAGS = (
    ("antichess", "8/8/8/8/8/n7/8/N7 w - - 0 1", "a1b3", None),
    ("atomic", "4k3/8/8/8/8/8/3P4/R3K3 w - - 0 1", "a1b1", None),
    ("crazyhouse", "4k3/8/8/8/8/8/8/R3K3[] w - - 0 1", "a1b1", "black"),
    ("horde", "4k3/8/8/8/8/8/8/N7 b - - 0 1", "e8e7", None),
    ("horde", "4k3/8/8/8/8/8/PP6/R7 w - - 0 1", "a1b1", "black"),
    ("kingOfTheHill", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b1", "black"),
    ("racingKings", "8/8/8/8/8/8/k6K/6R1 w - - 0 1", "g1g3", "black"),
    ("threeCheck", "4k3/8/8/8/8/8/8/R3K3 w - - 3+3 0 1", "a1b1", None),
)

# Castled has White and one legal move, which leaves one legal reply; then the game is open.
FORCED = (
    ("crazyhouse", "R4r1k/6pp/8/8/8/8/3PP1PP/4RKR1[n] w - - 0 1", "N@g8"),
    ("antichess", "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w - - 0 1", "d8d5"),
)


class VariantTest(DaemonTest):
    async def start_for_many(self, **sections):
        await self.start(**{"games": {"concurrency": 8}, **sections})

    async def test_a_whole_game_of_each_is_played_by_our_engine(self):
        await self.start_for_many()
        games = dict(zip(VARIANTS, await asyncio.gather(*(
            self.game(Random(seed), name=f"player{seed}", variant=variant, limit=300,
                      colour=("white", "black")[seed % 2])
            for seed, variant in enumerate(VARIANTS)))))
        await asyncio.gather(*(self.over(game, 300) for game in games.values()))
        for variant, game in games.items():
            with self.subTest(variant):
                self.assertIn(game.status, ("mate", "variantEnd"), game.moves)
                self.assertEqual(game.winner, game.colour_of(self.bot), game.moves)
                self.each_move_was_made_once(game)
                self.assertRegex(self.daemon.log(), f"move id={game.id} .* source=engine")
        self.assertNotRegex(self.daemon.log(), "desynced|last-resort|unplayable")
        for game in games.values():
            await self.log_says(f"game over id={game.id}")
        await self.stop_daemon()  # has everything in the archive
        status, output = await self.command("pgn", "--config",
                                            os.path.join(self.directory, "castled.conf"))
        self.assertEqual(status, 0, output)
        for title in ("Crazyhouse", "Antichess", "Atomic", "Horde", "King of the Hill",
                      "Racing Kings", "Three-check"):
            self.assertIn(f'[Variant "{title}"]', output)
        self.assertNotIn("is not legal here", output)
        self.assertNotRegex(output, r"\{ [a-h][1-8][a-h][1-8]")  # moves that no rules were known for
        status, output = await self.command("stats", "--by", "variant", "--format", "csv", "--config",
                                            os.path.join(self.directory, "castled.conf"))
        for variant in VARIANTS:
            self.assertIn(f'variant,"{variant}",1,1,0,0,', output)

    async def test_each_way_to_end_is_understood(self):
        await self.start_for_many()
        for first in range(0, len(ENDS), 5):
            rows = ENDS[first:first + 5]
            games = await asyncio.gather(*(
                self.game(Scripted(moves), name=f"player{number}", variant=variant, fen=fen,
                          limit=300, colour={"white": "black", "black": "white"}[ours])
                for number, (variant, fen, ours, moves, _, _) in enumerate(rows)))
            await asyncio.gather(*(self.over(game, 60) for game in games))
            for (variant, fen, _, _, status, winner), game in zip(rows, games):
                with self.subTest(f"{variant} {fen}"):
                    self.assertEqual((game.status, game.winner), (status, winner), game.moves)
                    await self.log_says(f"over id={game.id} .*{status}")

    async def test_a_position_is_repeated_as_the_variant_counts_it(self):
        rows = list(REPEATED)
        while rows:  # an engine of its own plays our moves, one for each variant at a time
            now = {variant: (fen, moves) for variant, fen, moves in reversed(rows)}
            rows = [row for row in rows if now[row[0]] != row[1:]]
            await self.start_for_many(**{f"engine.external {variant}": {
                "command": f"{FAKE} --option \"UCI_Variant type combo var {VARIANTS[variant]}\" "
                           + " ".join(moves.split()[::2]),
                "variants": variant} for variant, (_, moves) in now.items()})
            for variant in now:
                await self.log_says(f"ready engine={variant} ", 20)
            games = await asyncio.gather(*(
                self.game(Scripted(moves.split()[1::2]), name=f"player{number}", limit=300,
                          variant=variant, fen=fen, colour="black")
                for number, (variant, (fen, moves)) in enumerate(now.items())))
            for game in games:
                with self.subTest(game.variant):
                    self.assertEqual(await self.over(game, 60), ("draw", None))
                    self.assertEqual(game.moves, now[game.variant][1].split())
                    await self.log_says(f"over id={game.id} .*draw")
            await self.stop_daemon()

    async def test_a_flag_falls_before_who_cannot_win_in_the_variant(self):
        await self.start_for_many()
        colours = ["black" if fen.split()[1] == "w" else "white" for _, fen, _, _ in FLAGS]
        games = await asyncio.gather(*(
            self.game(Scripted(move), name=f"player{number}", variant=variant, fen=fen, limit=300,
                      colour=board.other(ours))
            for number, ((variant, fen, move, _), ours) in enumerate(zip(FLAGS, colours))))
        for (variant, fen, _, winner), game in zip(FLAGS, games):
            with self.subTest(f"{variant} {fen}"):
                await game.plies(2, 60 * SLOWNESS)
                game.add_time(game.turn, -300)
                self.assertEqual(await self.over(game, 60), ("outoftime", winner), game.moves)
                await self.log_says(f"over id={game.id} .*outoftime")

    async def test_a_forced_reply_is_pondered(self):
        """What pondering has found answers it, so with far more nodes than a move's own time holds."""
        for variant, fen, reply in FORCED:
            with self.subTest(variant):
                await self.start(engine={"ponder": "yes", "nodes": 0, "movetime": 50})
                game = await self.game(Idle(), variant=variant, fen=fen, limit=600, colour="black")
                await game.plies(1, 30 * SLOWNESS)
                self.assertEqual(game.position.legal, (reply,))
                began_s = self.daemon.cpu_s()
                await self.sim.until(lambda: self.daemon.cpu_s() > began_s + 0.5, 60 * SLOWNESS,
                                     "half a second of pondering")
                await game.move(reply)
                await game.plies(3, 30 * SLOWNESS)
                await game.move(sorted(game.position.legal)[0])
                await game.plies(5, 30 * SLOWNESS)
                nodes = [int(n) for n in re.findall(rf"move id={game.id} .* nodes=(\d+)",
                                                    self.daemon.log())]
                self.assertGreater(nodes[1], 3 * nodes[2], nodes)
                game.finish("aborted")
                await self.stop_daemon()

    async def test_castling_is_understood_in_both_notations(self):
        await self.start_for_many()
        for castling in ("king-to-target", "king-takes-rook"):
            with self.subTest(castling):
                self.sim.castling = castling
                game = await self.game(Scripted("g1f3 g2g3 f1g2 e1g1 b1c3", Random(4)),
                                       variant="kingOfTheHill", limit=300)
                await game.plies(8, 30)
                if game.is_running:
                    self.assertIn("e1h1", game.moves)
                    game.finish("aborted")

    async def test_a_game_is_resumed_in_its_middle(self):
        await self.start_for_many()
        game = await self.game(Random(6), variant="crazyhouse", limit=300)
        await game.plies(9, 30)
        await self.stop_daemon()
        await self.start_for_many()
        await self.over(game, 120)
        self.assertEqual((game.status, game.winner), ("mate", "black"))

    async def test_what_the_operator_does_not_name_is_declined(self):
        await self.start_for_many(challenge={"variants": "standard, atomic"})
        self.assertEqual(await (await self.challenge(Idle(), variant="horde")).declined(5),
                         "variant")
        await (await self.challenge(Idle(), variant="atomic")).started(10)

    async def test_another_engine_plays_what_it_is_named_for(self):
        await self.start(**{"engine.external fairy": {
            "command": engine_path("fairy-stockfish"), "variants": "horde", "nodes": 1000}})
        for variant, source in (("horde", "fairy"), ("antichess", "engine")):
            with self.subTest(variant):
                game = await self.game(Random(2), variant=variant, limit=300)
                await game.plies(8, 60)
                self.assertRegex(self.daemon.log(), f"move id={game.id} .* source={source}")
                game.finish("aborted")

    async def test_our_engine_goes_on_where_another_fails(self):
        for fault in (f"--backend {engine_path('fairy-stockfish')} --fault crash --at 3", "e2e5"):
            with self.subTest(fault):
                await self.start(**{"engine.external liar": {
                    "command": f"{FAKE} {fault}", "variants": "antichess", "nodes": 1000}})
                game = await self.game(Random(1), variant="antichess", limit=300)
                await self.over(game, 120)
                self.assertEqual((game.status, game.winner), ("variantEnd", "black"))
                self.each_move_was_made_once(game)
                self.assertRegex(self.daemon.log(), r"strike id=\w+ engine=liar strikes=1")
                self.assertRegex(self.daemon.log(), f"move id={game.id} .* source=engine")
                await self.stop_daemon()

    async def test_weak_play_and_a_humans_pace_work_in_variants(self):
        await self.start(engine={"elo": 1000}, pace={"human": "yes"})
        game = await self.game(Random(3), variant="atomic", limit=60)
        await game.plies(6, 60)
        self.assertNotIn("last-resort", self.daemon.log())
        game.finish("aborted")


if __name__ == "__main__":
    unittest.main()
