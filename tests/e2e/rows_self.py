# SPDX-License-Identifier: GPL-3.0-or-later
"""What happens to ourselves: stopped, killed, suspended, short of memory or disk, clocks that jump."""
from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import struct

from .matrix import FaultStage, Table, shim

table = Table("Ourselves")

UNSHIMMED = "" if shim() else "not with a sanitizer"

SUSPENDED_S = 20
JUMP_S = 3600
GAMES_ENDING = 12
SYNC_MS = 150
KILLS = 50


async def _comes_back(stage: FaultStage, leave) -> None:
    """Stops in one game at our turn, in another at the opponent's, and starts again."""
    await stage.start(engine={"nodes": 0, "movetime": 500})
    theirs = await stage.new_game()
    ours = await stage.new_game(name="Berta")
    await stage.opponent_moves(ours)
    await asyncio.sleep(0.1)
    await leave()
    stage.struck()
    await stage.start(engine={"nodes": 2000})
    await stage.our_move(ours, 15)
    await stage.turn(theirs, 15)
    stage.recovered()


@table.row("SIGTERM, then a new start", 15)
async def terminated(stage: FaultStage) -> None:
    await _comes_back(stage, stage.stop_daemon)


@table.row("SIGKILL, then a new start", 15)
async def killed(stage: FaultStage) -> None:
    await _comes_back(stage, lambda: stage.daemon.kill())


def _let_minutes_pass(stage: FaultStage) -> None:
    """For the limits of the event stream and the account, in the memory of both sides."""
    for token in stage.sim.tokens.values():
        token.opens.forget()
        token.account.looks.forget()
    shutil.rmtree(os.path.join(stage.directory, "castled"), ignore_errors=True)


@table.row(f"SIGKILL at any moment, {KILLS} times", 15, requests=700, is_slow=True)
async def killed_again_and_again(stage: FaultStage) -> None:
    """The moments sweep a turn: before the move, in the search, around the POST, after it."""
    longest = 0.0
    for number in range(KILLS):
        await stage.start(engine={"nodes": 0, "movetime": 100})
        game = await stage.new_game(name=f"player{number}")
        await stage.opponent_moves(game)
        await asyncio.sleep(0.15 * number / KILLS)
        await stage.daemon.kill()
        _let_minutes_pass(stage)
        stage.struck()
        await stage.start(engine={"nodes": 0, "movetime": 100})
        await stage.our_move(game, 15)
        await stage.turn(game, 15)
        stage.recovered()
        longest = max(longest, stage.recovery_s)
        game.resign("white")
        await stage.over(game)
        await stage.daemon.kill()
        _let_minutes_pass(stage)
    stage.recovery_s = longest


@table.row(f"suspended for {SUSPENDED_S} s (SIGSTOP, SIGCONT)", 10)
async def suspended(stage: FaultStage) -> None:
    await stage.start()
    theirs = await stage.new_game()
    ours = await stage.new_game(name="Berta")
    stage.daemon.signal(signal.SIGSTOP)
    try:
        await stage.opponent_moves(ours)
        await asyncio.sleep(SUSPENDED_S)
    finally:
        stage.daemon.signal(signal.SIGCONT)
    stage.struck()
    await stage.our_move(ours, 10)
    await stage.turn(theirs, 10)
    stage.recovered()


async def _reloads(stage: FaultStage, says: str, concurrency: int) -> None:
    """SIGHUP while we think in one game and the opponent in another."""
    engine = {"nodes": 0, "movetime": 500}
    await stage.start(engine=engine, games={"concurrency": 2})
    theirs = await stage.new_game()
    ours = await stage.new_game(name="Berta")
    await stage.opponent_moves(ours)
    await asyncio.sleep(0.1)
    stage.write_config(engine=engine, games={"concurrency": concurrency})
    stage.struck()
    stage.daemon.signal(signal.SIGHUP)
    await stage.our_move(ours, 10)
    await stage.turn(theirs, 10)
    stage.recovered()
    await stage.log_says(says)
    assert stage.sim.count("game_stream") == 2, "a stream was given up"


@table.row("SIGHUP in mid-game, the configuration is right", 10)
async def reloaded(stage: FaultStage) -> None:
    await _reloads(stage, " reloaded file=", 3)
    await stage.new_game(name="Cleo")  # there is a third slot now


@table.row("SIGHUP in mid-game, the configuration is wrong", 10)
async def not_reloaded(stage: FaultStage) -> None:
    await _reloads(stage, " not-reloaded file=", 99)


@table.row("no memory for the hash", 15, waits=UNSHIMMED)
async def no_memory(stage: FaultStage) -> None:
    stage.struck()
    await stage.start(engine={"hash": 1024}, process={"address_space_mib": 256})
    game = await stage.new_game()
    await stage.turn(game)
    stage.recovered()
    await stage.log_says("(?i)hash")


@table.row("the log's disk is full", 10)
async def full_log(stage: FaultStage) -> None:
    stage.struck()
    await stage.start(process={"output": "/dev/full"})
    game = await stage.new_game()
    await stage.turn(game)
    stage.recovered()


@table.row("the archive cannot be written", 10)
async def no_archive(stage: FaultStage) -> None:
    stage.struck()
    await stage.start(archive={"file": "/proc/castled/games.sqlite"})
    game = await stage.new_game()
    game.resign("white")
    await stage.over(game)
    await stage.new_game(name="Berta")
    stage.recovered()


@table.row("the disk is full for two games, then has room again", 10, waits=UNSHIMMED)
async def full_disk(stage: FaultStage) -> None:
    archive = os.path.join(stage.directory, "games.sqlite")
    full = os.path.join(stage.directory, "full")
    await stage.start(archive={"file": archive},
                      process={"variables": {"LD_PRELOAD": shim(), "SHIM_DISK_FULL": full}})
    game = await stage.new_game()
    stage.struck()
    with open(full, "wb"):
        pass
    for name in ("Berta", "Cleo"):
        await stage.turn(game)
        game.resign("white")
        await stage.over(game)
        game = await stage.new_game(name=name)
    stage.recovered()
    os.remove(full)
    game.resign("white")
    await stage.over(game)
    await stage.log_says(f"over id={game.id}")
    await stage.stop_daemon()
    with sqlite3.connect(archive) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        kept = [row[0] for row in database.execute("SELECT id FROM game")]
        assert game.id in kept, f"the last game is not among {kept}"


@table.row(f"SIGTERM as {GAMES_ENDING} games end and the disk takes {SYNC_MS} ms for a commit", 15,
           waits=UNSHIMMED)
async def slow_disk(stage: FaultStage) -> None:
    archive = os.path.join(stage.directory, "games.sqlite")
    await stage.start(games={"concurrency": GAMES_ENDING}, archive={"file": archive},
                      process={"variables": {"LD_PRELOAD": shim(),
                                             "SHIM_SYNC_MS": str(SYNC_MS)}})
    games = [await stage.new_game(name=f"player{number}") for number in range(GAMES_ENDING)]
    for game in games:
        game.resign("white")
    for game in games:
        await stage.log_says(f"over id={game.id}")
    stage.struck()
    await stage.stop_daemon()  # within what a SIGTERM may take
    stage.recovered()
    with sqlite3.connect(archive) as database:
        kept = {row[0] for row in database.execute("SELECT id FROM game")}
    assert kept == {game.id for game in games}, "a game is not in the archive"


def _add_jump(words: str, seconds: int) -> None:
    @table.row(f"the wall clock jumps {words} by an hour", 5,
               waits=UNSHIMMED)
    async def clock_jump(stage: FaultStage) -> None:
        offset = os.path.join(stage.directory, "clock")
        with open(offset, "wb") as file:
            file.write(struct.pack("q", 0))
        await stage.start(engine={"nodes": 0, "movetime": 400},
                          process={"variables": {"LD_PRELOAD": shim(),
                                                 "SHIM_CLOCK_OFFSET": offset}})
        thinking = await stage.new_game()
        waiting = await stage.new_game(name="Berta")
        await stage.opponent_moves(thinking)
        await asyncio.sleep(0.1)
        stage.struck()
        with open(offset, "r+b") as file:
            file.write(struct.pack("q", seconds))
        await stage.our_move(thinking, 5)
        await stage.turn(waiting, 5)
        stage.recovered()
        assert stage.sim.count("event_stream") == 1, "a stream was given up"
        assert stage.sim.count("game_stream") == 2, "a stream was given up"


_add_jump("forward", JUMP_S)
_add_jump("back", -JUMP_S)
