# SPDX-License-Identifier: GPL-3.0-or-later
"""What the machine around us does: files that their owner replaces, clocks, limits, disks, names."""
from __future__ import annotations

import os
import struct

from sim.opponent import Idle

from .matrix import FaultStage, Table

table = Table("Environment")

BOOK_ENTRIES = 3000
START_KEY = 0x463b96181691fc9c  # from the description of the book format
H2H4 = 7 | 3 << 3 | 7 << 6 | 1 << 9


def _write_book(path: str, entries: int) -> None:
    """1.h4, and positions that nobody knows."""
    keys = [START_KEY + number for number in range(entries)]
    with open(path, "wb") as file:
        file.writelines(struct.pack(">QHHI", key, H2H4, 1, 0) for key in keys)


@table.row("a book is copied over while we play", 10)
async def replaced_book(stage: FaultStage) -> None:
    """As cp does: the file is cut to nothing, then written."""
    book = os.path.join(stage.directory, "book.bin")
    _write_book(book, BOOK_ENTRIES)
    await stage.start(book={"files": book})
    running = await stage.new_game()
    stage.struck()
    with open(book, "wb"):
        game = await stage.game(Idle(), colour="black", name="Berta")
        await stage.our_move(game)
    _write_book(book, BOOK_ENTRIES // 2)
    await stage.turn(running)
    stage.recovered()
