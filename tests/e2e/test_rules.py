# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules that break clients: castling in every form, en passant, promotion, odd starts."""
import unittest

from sim import board
from sim.opponent import Idle, Random, Scripted

from .harness import DaemonTest, mirrored, mirrored_move

# The one legal move is to castle, and the king stays where it is.
ONLY_CASTLING = (("1k3r2/8/8/8/8/7p/7P/6KR w K - 0 1", "g1h1"),
                 ("3r2k1/8/8/8/8/1p6/1P6/BRK5 w Q - 0 1", "c1b1"))
# The one move that mates is special; found by trying random positions with Stockfish.
ONLY_MATE = (("8/8/2P5/4Q3/3R4/5k1N/8/n3K2R w K - 0 1", "e1h1"),
             ("8/8/1p6/8/N1b1RP2/2Nk4/8/R3K3 w Q - 0 1", "e1a1"),
             ("8/1P6/2k1rP2/8/1RK4p/8/7B/8 w - - 0 1", "b7b8n"))
# Black's push, then the one move that mates.
PASSING = (("8/Rp5P/6Q1/P7/8/2K5/k6r/8 b - - 0 1", "b7b5", "a5b6"),
           ("8/1PpK4/8/RP1k4/6R1/8/8/8 b - - 0 1", "c7c5", "b5c6"))


def both_colours(table):
    for fen, *moves in table:
        yield "white", fen, moves
        yield "black", mirrored(fen), [mirrored_move(move) for move in moves]


class RulesTest(DaemonTest):
    async def test_castling_is_posted_when_it_is_the_only_move(self):
        await self.start()
        for variant in ("chess960", "fromPosition"):
            for colour, fen, (castling,) in both_colours(ONLY_CASTLING):
                with self.subTest(f"{variant} {fen}"):
                    game = await self.game(Idle(), variant=variant, fen=fen,
                                           colour=board.other(colour))
                    await game.plies(1, 10)
                    self.assertEqual(game.moves, [castling])
                    game.finish("aborted")

    async def test_the_mating_move_is_found_and_posted_whatever_its_kind(self):
        await self.start(engine={"nodes": 20000})
        for colour, fen, (mate,) in both_colours(ONLY_MATE):
            with self.subTest(fen):
                game = await self.game(Idle(), fen=fen, colour=board.other(colour))
                self.assertEqual(await self.over(game), ("mate", colour))
                self.assertEqual(game.moves, [mate])

    async def test_en_passant_is_played(self):
        await self.start(engine={"nodes": 20000})
        for rival, fen, (push, capture) in both_colours(PASSING):
            with self.subTest(fen):
                rival = board.other(rival)
                game = await self.game(Scripted(push), fen=fen, colour=rival)
                self.assertEqual(await self.over(game), ("mate", board.other(rival)))
                self.assertEqual(game.moves, [push, capture])

    async def test_en_passant_by_the_opponent_is_followed(self):
        await self.start()
        # The push is forced; the capture that follows is mate.
        game = await self.game(Scripted("e5d6"), fen="k7/3p4/NK6/4P3/8/8/8/7B b - - 0 1")
        self.assertEqual(await self.over(game), ("mate", "white"))
        self.assertEqual(game.moves, ["d7d5", "e5d6"])

    async def test_the_opponent_castles_on_both_wings_in_chess960(self):
        await self.start()
        for fen, castling in (("nqrkbbrn/pppppppp/8/8/8/8/PPPPPPPP/1QRK2RN w CGcg - 0 1", "d1g1"),
                              ("nqrkbbrn/pppppppp/8/8/8/8/PPPPPPPP/2RKBBRN w CGcg - 0 1", "d1c1"),
                              ("rk5r/pppppppp/8/8/8/8/PPPPPPPP/RK5R w HAha - 0 1", "b1h1"),
                              ("5rkr/pppppppp/8/8/8/8/PPPPPPPP/2R2KR1 w CG - 0 1", "f1c1")):
            with self.subTest(fen):
                position = await self.sim.judge.position(fen)
                if castling not in position.legal:
                    self.fail(f"{castling} is not legal in {fen}: {position.legal}")
                game = await self.game(Scripted([castling], Random(1)), variant="chess960",
                                       fen=fen)
                await game.plies(8, 10)
                game.finish("aborted")

    async def test_a_chess960_game_is_played_to_its_end(self):
        await self.start()
        for number in (0, 362, 959):
            with self.subTest(number):
                game = await self.game(Random(number), variant="chess960", limit=180,
                                       fen=board.chess960(number))
                self.assertEqual(await self.over(game, 60), ("mate", "black"))

    async def test_black_may_have_the_first_move(self):
        await self.start()
        fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"
        ours = await self.game(Idle(), fen=fen, colour="white")
        await ours.plies(1, 10)
        ours.finish("aborted")
        theirs = await self.game(Scripted("c7c5 d7d6"), fen=fen, colour="black")
        await theirs.plies(4, 10)
        self.assertEqual(self.sim.count("move"), 3)

    async def test_the_opponent_promotes_to_any_piece(self):
        await self.start()
        for letter in "qrbn":
            with self.subTest(letter):
                game = await self.game(Scripted([f"b7b8{letter}"], Random(2)),
                                       fen="8/1P4k1/8/8/8/8/6P1/6K1 w - - 0 1")
                await game.plies(4, 10)
                game.finish("aborted")

    async def test_fifty_moves_without_progress_are_a_draw(self):
        await self.start(engine={"nodes": 50})
        # The pawns are locked for good.
        game = await self.game(Random(4), limit=600, colour="white",
                               fen="4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1")
        self.assertEqual((await self.over(game, 60))[0], "draw")


if __name__ == "__main__":
    unittest.main()
