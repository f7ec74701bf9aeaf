# SPDX-License-Identifier: GPL-3.0-or-later
"""What the machine around us does: files that their owner replaces, clocks, limits, disks, names."""
from __future__ import annotations

import asyncio
import os
import sqlite3
import struct
import time

from sim.daemon import free_port
from sim.faults import REFUSALS
from sim.opponent import Idle

from .harness import SLOWNESS
from .matrix import FaultStage, Table, shim

table = Table("Environment")

UNSHIMMED = "" if shim() else "not with a sanitizer"

SLEEP_S = 600
YEAR_S = 365 * 86400
TEN_DAYS_S = 10 * 86400
TIDY_S = 4  # after the last write expired facts go
BOOK_ENTRIES = 3000
START_KEY = 0x463b96181691fc9c  # from the description of the book format
H2H4 = 7 | 3 << 3 | 7 << 6 | 1 << 9


def write_book(path: str, entries: int) -> None:
    """1.h4, and positions that nobody knows."""
    keys = [START_KEY + number for number in range(entries)]
    with open(path, "wb") as file:
        file.writelines(struct.pack(">QHHI", key, H2H4, 1, 0) for key in keys)


def set_clock(stage: FaultStage, ahead_s: int, slept_s: int = 0) -> dict[str, str]:
    """What the clock is ahead of the simulator's, and what of that was a sleep; the variables with
    which the daemon is to be started."""
    path = os.path.join(stage.directory, "clock")
    with open(path, "wb") as file:
        file.write(struct.pack("qq", ahead_s, slept_s))
    return {"LD_PRELOAD": shim(), "SHIM_CLOCK_OFFSET": path}


@table.row("a limit was remembered by a clock a year ahead", 75, is_slow=True)
async def limit_of_a_wrong_clock(stage: FaultStage) -> None:
    """Of the families that sign on: without a bound castled would stay away for the year."""
    archive = os.path.join(stage.directory, "games.sqlite")
    await stage.start(archive={"file": archive})
    await stage.stop_daemon()
    with sqlite3.connect(archive) as database:
        until_ms = int((time.time() + YEAR_S) * 1000)
        database.executemany("INSERT INTO fact VALUES (?, 'blocked', ?)",
                             [("limit/account", until_ms), ("limit/event-stream", until_ms)])
    stage.struck()
    await stage.start(archive={"file": archive}, wait=False)
    await stage.log_says("warning clock was-wrong .*family=event-stream")
    await stage.online(75)
    await stage.new_game()
    stage.recovered()


@table.row("the clock is ten days ahead at the start, then is set", 15, waits=UNSHIMMED)
async def clock_ahead(stage: FaultStage) -> None:
    """What is remembered until tomorrow must not be forgotten for it."""
    archive = os.path.join(stage.directory, "games.sqlite")
    await stage.start(archive={"file": archive})
    await stage.stop_daemon()
    with sqlite3.connect(archive) as database:
        database.execute("INSERT INTO fact VALUES ('declined/berta', 'yes', ?)",
                         (int((time.time() + 86400) * 1000),))
    await stage.start(archive={"file": archive},
                      process={"variables": set_clock(stage, TEN_DAYS_S)})
    await stage.log_says(r"warning clock wrong ahead_s=86[34]\d{3} ")
    game = await stage.new_game()
    await asyncio.sleep(TIDY_S)
    stage.struck()
    set_clock(stage, 0)
    await stage.turn(game)
    await stage.log_says(r"clock jumped by_s=-86[34]\d{3}")
    stage.recovered()
    with sqlite3.connect(archive) as database:
        assert database.execute("SELECT value FROM fact WHERE key = 'declined/berta'").fetchall()


@table.row("the clock is set, and one answer says that the token is none", 15, waits=UNSHIMMED)
async def clock_set_and_denied(stage: FaultStage) -> None:
    """castled asks for its account because of the clock; one bad answer must not end it."""
    await stage.start(process={"variables": set_clock(stage, 0)})
    game = await stage.new_game()
    stage.sim.faults.order("account", **REFUSALS["no such token"])
    stage.struck()
    set_clock(stage, TEN_DAYS_S)
    await stage.log_says("warning account denied status=401")
    await stage.log_says("account confirmed")
    await stage.turn(game)
    stage.recovered()


@table.row("the machine sleeps, and its connections die meanwhile", 5, waits=UNSHIMMED)
async def asleep(stage: FaultStage) -> None:
    """A silent stream alone would take 15 s to be noticed."""
    await stage.start(process={"variables": set_clock(stage, 0)})
    ours = await stage.new_game()
    theirs = await stage.new_game(name="Berta")
    for game in (ours, theirs, None):
        stage.sim.strike("silence", game)
    await stage.opponent_moves(ours)
    stage.struck()
    set_clock(stage, SLEEP_S, SLEEP_S)
    await stage.our_move(ours, 5)
    await stage.turn(theirs, 5)
    await stage.new_game(name="Cleo")
    stage.recovered()
    await stage.log_says(" slept for_s=")


@table.row("no descriptor is left while clients wait at the page and the socket", 10)
async def no_descriptors(stage: FaultStage) -> None:
    """The limit that a shell sets is raised; one that is reached all the same must not make the loop
    spin, in which no move would go out."""
    page = free_port()
    socket_path = os.path.join(stage.directory, "castled.sock")
    await stage.start(status={"http": page, "socket": socket_path}, process={"descriptors": 30})
    ours = await stage.new_game()
    theirs = await stage.new_game(name="Berta")
    usual = stage.daemon.limit_descriptors(3)
    assert usual > 30, f"{usual} descriptors"
    _, at_page = await asyncio.open_connection("127.0.0.1", page)
    _, at_socket = await asyncio.open_unix_connection(socket_path)
    stage.struck()
    before = stage.daemon.cpu_s()
    await stage.opponent_moves(ours)
    await asyncio.sleep(2)
    used = stage.daemon.cpu_s() - before
    assert used < 1 * SLOWNESS, f"{used:.1f} s of the processor"
    stage.struck()
    stage.daemon.limit_descriptors(usual)
    await stage.our_move(ours)
    await stage.turn(theirs)
    stage.recovered()
    for writer in (at_page, at_socket):
        writer.close()
    status, output = await stage.command("status", "--config",
                                         os.path.join(stage.directory, "castled.conf"), token=None)
    assert status == 0, output
    log = stage.daemon.log()
    assert log.count(" control paused ") == log.count(" control listens-again") == 1, log


@table.row("a book is copied over while we play", 10)
async def replaced_book(stage: FaultStage) -> None:
    """As cp does: the file is cut to nothing, then written."""
    book = os.path.join(stage.directory, "book.bin")
    write_book(book, BOOK_ENTRIES)
    await stage.start(book={"files": book})
    running = await stage.new_game()
    stage.struck()
    with open(book, "wb"):
        game = await stage.game(Idle(), colour="black", name="Berta")
        await stage.our_move(game)
    write_book(book, BOOK_ENTRIES // 2)
    await stage.turn(running)
    stage.recovered()
