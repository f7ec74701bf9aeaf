# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books and endgame tables."""
import os
import struct
import unittest

from sim.opponent import Idle

from .harness import SLOWNESS, DaemonTest

START_KEY = 0x463b96181691fc9c  # from the description of the format
H2H4 = 7 | 3 << 3 | 7 << 6 | 1 << 9


class BookTest(DaemonTest):
    def book(self) -> str:
        path = os.path.join(self.directory, "start.bin")
        with open(path, "wb") as file:
            file.write(struct.pack(">QHHI", START_KEY, H2H4, 1, 0))
        return path

    async def test_a_move_of_the_book_is_played(self):
        missing = os.path.join(self.directory, "missing.bin")
        await self.start(book={"files": f"{missing}:{self.book()}"},
                         **{"rule blind": {"when.opponent": "berta", "book.use": "no"}})
        await self.log_says("no-book file=.*missing.bin")
        await self.log_says("book file=.*start.bin entries=1")
        game = await self.game(Idle(), colour="black")
        await game.plies(1, 10 * SLOWNESS)
        self.assertEqual(game.moves, ["h2h4"])
        game = await self.game(Idle(), colour="black", name="Berta")
        await game.plies(1, 10 * SLOWNESS)
        self.assertNotEqual(game.moves, ["h2h4"])

    async def test_tables_that_are_not_there_are_told_of_and_done_without(self):
        await self.start(engine={"syzygy": os.path.join(self.directory, "tables")})
        await self.log_says("no-tables why=.*tables")
        game = await self.game(Idle(), colour="black")
        await game.plies(1, 10 * SLOWNESS)


if __name__ == "__main__":
    unittest.main()
