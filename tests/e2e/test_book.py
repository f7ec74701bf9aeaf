# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books and endgame tables."""
import os
import signal
import struct
import unittest

from sim.opponent import Idle, Scripted

from .harness import SLOWNESS, DaemonTest

START_KEY = 0x463b96181691fc9c  # from the description of the format
H2H4 = 7 | 3 << 3 | 7 << 6 | 1 << 9
A2A4 = 0 | 3 << 3 | 0 << 6 | 1 << 9


class BookTest(DaemonTest):
    def book(self, *entries: tuple[int, int], name: str = "start.bin") -> str:
        """A book of moves with weights for the start position; 1.h4 alone unless told."""
        path = os.path.join(self.directory, name)
        with open(path, "wb") as file:
            for move, weight in entries or ((H2H4, 1),):
                file.write(struct.pack(">QHHI", START_KEY, move, weight, 0))
        return path

    async def first_move(self, name: str) -> str:
        """Of ours, in a game that we lose."""
        over = self.daemon.log().count("game over")
        game = await self.game(Scripted("e7e5"), colour="black", name=name)
        await game.plies(2, 30 * SLOWNESS)
        game.resign("white")
        await self.log_says(f"(?s)(game over.*){{{over + 1}}}")
        return game.moves[0]

    async def test_a_move_of_the_book_is_played(self):
        missing = os.path.join(self.directory, "missing.bin")
        await self.start(book={"files": f"{missing}:{self.book()}"},
                         **{"rule blind": {"when.opponent": "berta", "book.use": "no"}})
        await self.log_says("no-book file=.*missing.bin")
        await self.log_says("book file=.*start.bin entries=1")
        game = await self.game(Idle(), colour="black")
        await game.plies(1, 30 * SLOWNESS)
        self.assertEqual(game.moves, ["h2h4"])
        await self.log_says("move=h4 .*source=book")
        game = await self.game(Idle(), colour="black", name="Berta")
        await game.plies(1, 30 * SLOWNESS)
        self.assertNotEqual(game.moves, ["h2h4"])

    async def test_rules_and_variants_have_books_of_their_own(self):
        await self.start(book={"files": f"{self.book()}:atomic={self.book((A2A4, 1), name='atomic.bin')}"},
                         challenge={"variants": "standard,atomic,horde"},
                         **{"rule other": {"when.opponent": "berta", "book.files": self.book((A2A4, 1), name="berta.bin")}})
        await self.log_says("book file=.*berta.bin entries=1")
        self.assertEqual(await self.first_move("Alba"), "h2h4")
        self.assertEqual(await self.first_move("Berta"), "a2a4")
        game = await self.game(Idle(), colour="black", variant="atomic")
        await game.plies(1, 30 * SLOWNESS)
        self.assertEqual(game.moves, ["a2a4"])
        await self.log_says("move=a4 .*source=book")

    async def test_a_move_that_lost_is_given_up_for_one_nearly_as_good(self):
        wanted = {"book": {"files": self.book((H2H4, 10), (A2A4, 9)), "choice": "best", "learn": "yes"},
                  "rule stubborn": {"when.opponent": "berta", "book.learn": "no"}}
        await self.start(**wanted)
        self.assertEqual(await self.first_move("Alba"), "h2h4")
        self.assertEqual(await self.first_move("Alba"), "a2a4")
        self.assertEqual(await self.first_move("Alba"), "h2h4")  # the other lost as well
        self.assertEqual(await self.first_move("Berta"), "h2h4")
        self.assertEqual(await self.first_move("Alba"), "a2a4")
        await self.stop_daemon()
        await self.start(**wanted)
        await self.log_says("archive books-read book_moves=2")
        self.assertEqual(await self.first_move("Berta"), "h2h4")
        self.assertEqual(await self.first_move("Alba"), "a2a4")

    async def test_a_table_that_is_cut_short_is_no_silent_end(self):
        await self.start()
        self.daemon.signal(signal.SIGBUS)
        self.assertEqual(await self.daemon.wait(10 * SLOWNESS), -signal.SIGBUS)
        self.assertIn("Was an endgame table copied over?", self.daemon.log())

    async def test_tables_that_are_not_there_are_told_of_and_done_without(self):
        await self.start(engine={"syzygy": os.path.join(self.directory, "tables")})
        await self.log_says("no-tablebase why=.*tables")
        game = await self.game(Idle(), colour="black")
        await game.plies(1, 30 * SLOWNESS)


if __name__ == "__main__":
    unittest.main()
