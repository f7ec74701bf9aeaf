# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts read off a FEN, SAN, and what the judge says."""
import os
import unittest

from sim import board
from sim.atomic import Atomic
from sim.judge import Judge

DATA = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")


class BoardTest(unittest.TestCase):
    def test_x_fen_names_only_inner_rooks_by_file(self):
        for shredder, expected in (
                ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq"),
                ("bqnb1rkr/8/8/8/8/8/8/BQ1BNRKR w HFhf - 0 1", "KQkq"),
                ("4k3/8/8/8/8/8/8/R1R1K2R w CH - 0 1", "CK"),
                ("4k3/8/8/8/8/8/8/R1R1K2R w A - 0 1", "Q"),
                ("r1r1k3/8/8/8/8/8/8/4K3 b c - 0 1", "c"),
                ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "-")):
            with self.subTest(shredder):
                self.assertEqual(board.x_fen(shredder).split()[2], expected)

    def test_the_960_start_positions_are_numbered_as_usual(self):
        self.assertEqual(board.chess960(518), board.START)
        self.assertTrue(board.chess960(0).startswith("bbqnnrkr/"))
        self.assertTrue(board.chess960(959).startswith("rkrnnqbb/"))
        self.assertEqual(len({board.chess960(n) for n in range(960)}), 960)

    def test_dead_positions_are_those_where_nobody_can_mate(self):
        for fen, dead in (("8/8/4k3/8/8/3K4/8/8 w - - 0 1", True),
                          ("8/8/4k3/8/8/3KN3/8/8 w - - 0 1", True),
                          ("8/8/4kb2/8/8/3KN3/8/8 w - - 0 1", False),
                          ("8/8/4kb2/8/8/3KB3/8/8 w - - 0 1", True),
                          ("8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1", False),
                          ("8/8/4k3/8/8/3KP3/8/8 w - - 0 1", False),
                          ("8/8/4k3/8/8/3KR3/8/8 w - - 0 1", False)):
            with self.subTest(fen):
                self.assertEqual(board.is_dead(fen), dead)

    def test_a_bare_king_cannot_mate(self):
        self.assertTrue(board.cannot_mate("8/8/4k3/8/8/3KR3/8/8 w - - 0 1", "black"))
        self.assertFalse(board.cannot_mate("8/8/4k3/8/8/3KR3/8/8 w - - 0 1", "white"))


class AtomicTest(unittest.TestCase):
    """Against the counts on which two independent programs agree."""

    def count(self, position, depth):
        legal = position.legal()
        if depth == 1:
            return len(legal)
        return sum(self.count(position.after(move), depth - 1) for move in legal)

    def test_as_many_moves_as_published(self):
        lines = open(os.path.join(DATA, "variants", "atomic.epd"), encoding="ascii")
        with lines:
            for line in lines:
                fen, *counts = line.strip().split(";")
                for depth, leaves in (count.split() for count in counts):
                    if int(leaves) <= 400:
                        with self.subTest(f"{fen} {depth}"):
                            self.assertEqual(self.count(Atomic.read(fen), int(depth[1:])),
                                             int(leaves))

    def test_a_position_is_written_as_it_was_read(self):
        for fen in ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 3 9",
                    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 3"):
            self.assertEqual(Atomic.read(fen).fen(), fen)
        self.assertEqual(Atomic.read(board.START).fen().split()[2], "HAha")


class JudgeTest(unittest.IsolatedAsyncioTestCase):
    async def test_the_judge_lists_legal_moves_and_sees_check(self):
        judge = Judge()
        position = await judge.position(board.START)
        self.assertEqual(len(position.legal), 20)
        self.assertFalse(position.check)
        mated = await judge.position(
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4")
        self.assertEqual((mated.legal, mated.check), ((), True))
        await judge.close()

    async def test_variants_are_judged_by_their_own_rules(self):
        judge = Judge()
        try:
            for variant, fen, moves, end in (
                    ("antichess", "8/8/8/8/8/8/8/R3k3 b - - 0 1", None, None),
                    ("antichess", "8/8/8/8/8/8/8/4k3 w - - 0 1", 0, ("variantEnd", "white")),
                    ("antichess", "8/8/8/p7/P7/8/8/8 b - - 0 1", 0, ("variantEnd", "black")),
                    ("antichess", "8/8/8/8/8/3b4/8/2B5 w - - 0 1", None, ("draw", None)),
                    ("atomic", board.START, 20, None),
                    ("atomic", "8/8/8/8/8/8/8/4K3 b - - 0 1", 0, ("variantEnd", "white")),
                    ("atomic", "7k/8/8/8/8/8/6R1/K6R b - - 0 1", 0, ("mate", "white")),
                    ("atomic", "8/8/8/8/8/8/pKp5/kbR5 b - - 0 1", 0, ("stalemate", None)),
                    ("atomic", "4k3/8/8/8/8/8/8/3RK3 w - - 0 1", None, ("draw", None)),
                    ("atomic", "4k3/8/8/p7/P7/8/8/3BK3 w - - 0 1", None, ("draw", None)),
                    ("atomic", "4k3/8/8/p7/P7/8/8/2B1K3 w - - 0 1", None, None),
                    ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[P] w - - 0 1", 5 + 48, None),
                    ("crazyhouse", "4k3/8/8/8/8/8/8/4K3[] w - - 0 1", 5, None),
                    ("horde", "4k3/8/8/8/8/8/8/8 w - - 0 1", 0, ("variantEnd", "black")),
                    ("horde", "8/8/8/p7/P7/8/8/4k3 w - - 0 1", 0, ("stalemate", None)),
                    ("horde", "4k3/8/8/p7/P7/8/8/8 b - - 0 1", None, ("draw", None)),
                    ("horde", "8/8/8/pk6/P7/8/8/8 b - - 0 1", None, None),
                    ("horde", "4k3/1p6/8/p7/P7/8/8/8 b - - 0 1", None, None),
                    ("kingOfTheHill", "4k3/8/8/8/3K4/8/8/8 b - - 0 1", 0, ("variantEnd", "white")),
                    ("kingOfTheHill", "4k3/R7/8/8/3K3B/8/8/4RR2 b - - 0 1", 0, ("mate", "white")),
                    ("racingKings", "7K/8/8/k7/8/8/8/8 w - - 0 1", 0, ("variantEnd", "white")),
                    ("racingKings", "7K/8/k7/8/8/8/8/8 b - - 0 1", 5, ("variantEnd", "white")),
                    ("racingKings", "7K/k7/8/8/8/8/8/8 b - - 0 1", None, None),
                    ("racingKings", "k6K/8/8/8/8/8/8/8 w - - 0 1", 0, ("draw", None)),
                    ("racingKings", "k7/8/7K/8/8/8/8/8 w - - 0 1", None, ("variantEnd", "black")),
                    ("threeCheck", "4k3/8/8/8/3K4/8/8/4R3 b - - 0+3 0 1", 0,
                     ("variantEnd", "white")),
                    ("threeCheck", "4k2R/R7/8/8/8/8/8/4K3 b - - 0+3 0 1", 0, ("mate", "white")),
                    ("threeCheck", "4k3/8/8/8/8/8/8/4K3 w - - 1+3 0 1", None, ("draw", None))):
                with self.subTest(f"{variant} {fen}"):
                    position = await judge.position(fen, variant=variant)
                    self.assertEqual(position.end, end)
                    if moves is not None:
                        self.assertEqual(len(position.legal), moves)
        finally:
            await judge.close()

    async def test_moves_are_written_as_in_the_standard(self):
        judge = Judge()
        try:
            for fen, move, expected in (
                    (board.START, "g1f3", "Nf3"),
                    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", "O-O"),
                    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O"),
                    ("3k4/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O+"),
                    ("8/P1k5/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N+"),
                    ("1r6/P1k5/8/8/8/8/8/K7 w - - 0 1", "a7b8q", "axb8=Q+"),
                    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
                    ("4k3/8/8/8/8/8/8/R3K2R w - - 0 1", "a1a8", "Ra8+"),
                    ("7k/8/8/8/8/4K3/8/R6R w - - 0 1", "a1f1", "Raf1"),
                    ("8/R6k/8/8/R7/8/8/4K3 w - - 0 1", "a4a6", "R4a6"),
                    ("7k/8/8/Q2Q4/8/8/8/Q3K3 w - - 0 1", "a5d2", "Qad2"),
                    ("8/7k/8/Q2Q4/8/8/8/Q3K3 w - - 0 1", "a1d4", "Qad4"),
                    ("8/7k/Q1Q5/8/Q7/8/8/4K3 w - - 0 1", "a6c4", "Qa6c4"),
                    ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#")):
                with self.subTest(f"{fen} {move}"):
                    before = await judge.position(fen)
                    after = await judge.position(fen, move)
                    self.assertIn(move, before.legal)
                    self.assertEqual(board.san(fen, before.legal, move, after.check,
                                               after.check and not after.legal), expected)
        finally:
            await judge.close()


if __name__ == "__main__":
    unittest.main()
