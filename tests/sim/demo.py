#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole game to watch: `castled run` against the simulated Lichess. scripts/demo calls it.

On a terminal the board is redrawn in place; otherwise (or with CI=true) each move is a line.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from typing import Optional

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from sim import board, pgn  # noqa: E402
from sim.accounts import Account  # noqa: E402
from sim.daemon import Daemon, write_config  # noqa: E402
from sim.game import Game  # noqa: E402
from sim.opponent import Engine  # noqa: E402
from sim.server import Simulator  # noqa: E402

TOKEN = "lip_demo"
BOT, RIVAL = "castled", "Alba"
GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟"))
RESULTS = {"mate": "checkmate", "outoftime": "time ran out", "draw": "draw",
           "stalemate": "stalemate", "resign": "resignation", "aborted": "aborted"}


class Failure(Exception):
    pass


class Thoughts:
    """What castled's log said about its own moves: ply (0 is the game's first) -> score, depth."""

    def __init__(self) -> None:
        self.at: dict[int, tuple[str, str]] = {}

    def read(self, log: str) -> None:
        for line in log.splitlines():
            found = dict(re.findall(r"\b(\w+)=(\S+)", line))
            if " move " in line and {"ply", "score", "depth"} <= found.keys():
                self.at[int(found["ply"]) - 1] = found["score"], found["depth"]

    def latest(self, plies: int) -> tuple[str, str]:
        known = [ply for ply in self.at if ply < plies]
        return self.at[max(known)] if known else ("-", "-")


def clock_text(seconds: float) -> str:
    tenths = max(0, int(seconds * 10))
    return f"{tenths // 600}:{tenths // 10 % 60:02}.{tenths % 10}"


def numbered(game: Game, ply: int) -> str:
    """12. Nf3 or 12... Nf6."""
    return f"{ply // 2 + 1}{'.' if ply % 2 == 0 else '...'} {pgn.san_move(game, ply)}"


class Screen:
    """The board with clocks, redrawn in place."""

    def __init__(self, game: Game, ours: str, thoughts: Thoughts, colours: bool):
        self._game, self._ours, self._thoughts, self._colours = game, ours, thoughts, colours
        self._lines = 0

    def _square(self, square: str, letter: Optional[str], lit: bool) -> str:
        if not self._colours:
            return f"{GLYPHS.get(letter or '', '·')} "
        light = (board.FILES.index(square[0]) + int(square[1])) % 2 == 0
        ground = (187 if light else 143) if lit else (180 if light else 137)
        ink = "1;38;5;231" if letter and letter.isupper() else "38;5;16"
        return f"\x1b[48;5;{ground};{ink}m {GLYPHS[letter.lower()] if letter else ' '} \x1b[0m"

    def _side(self) -> list[str]:
        game, ours = self._game, self._ours
        theirs = board.other(ours)
        moves = len(game.moves)
        score, depth = self._thoughts.latest(moves)

        def player(colour: str, name: str) -> str:
            mark = "▸" if game.is_running and game.turn == colour else " "
            return f"{mark} {name:<24}{clock_text(game.left_s(colour)):>8}"
        last = [numbered(game, ply) for ply in range(max(0, moves - 2), moves)]
        return [player(theirs, f"{RIVAL} (stockfish, weak)"), "",
                "  " + ("   ".join(last) or "the game begins"), "",
                f"  score {score}   depth {depth}", "", "", player(ours, BOT)]

    def draw(self) -> None:
        pieces = board.squares(self._game.position.fen)
        last = self._game.moves[-1] if self._game.moves else ""
        ranks, files = "87654321", board.FILES
        if self._ours == "black":
            ranks, files = ranks[::-1], files[::-1]
        lines = []
        for rank, side in zip(ranks, self._side()):
            row = "".join(self._square(f + rank, pieces.get(f + rank),
                                       f + rank in (last[:2], last[2:4])) for f in files)
            lines.append(f"  {rank} {row}   {side}\x1b[K")
        gap = "  " if self._colours else " "
        lines.append("    " + (" " if self._colours else "") + gap.join(files) + "\x1b[K")
        up = f"\x1b[{self._lines}A" if self._lines else ""
        sys.stdout.write(up + "\r" + "\n".join(lines) + "\n")
        sys.stdout.flush()
        self._lines = len(lines)


class Lines:
    """A line a move, for logs."""

    def __init__(self, game: Game, ours: str, thoughts: Thoughts):
        self._game, self._ours, self._thoughts = game, ours, thoughts
        self._shown = 0
        self._seen = time.monotonic()

    def draw(self) -> None:
        game = self._game
        while self._shown < len(game.moves):
            ply = self._shown
            thought = ""
            if game.positions[ply].turn == self._ours:
                if ply not in self._thoughts.at and time.monotonic() - self._seen < 0.5:
                    return  # its log line is still on the way
                score, depth = self._thoughts.at.get(ply, ("-", "-"))
                thought = f"  score {score:>6}  depth {depth:>2}"
            name = BOT if thought else RIVAL
            white, black = game.clocks[ply]
            print(f"{numbered(game, ply):<14}{name:<8} {clock_text(white)} - {clock_text(black)}"
                  f"{thought}", flush=True)
            self._shown += 1
            self._seen = time.monotonic()


async def watch(game: Game, view, daemon: Daemon, thoughts: Thoughts, bound_s: float) -> None:
    deadline = time.monotonic() + bound_s
    while game.is_running:
        if not daemon.is_running:
            raise Failure(f"castled ended with status {daemon.status}")
        if time.monotonic() > deadline:
            raise Failure(f"the game did not end within {bound_s:.0f} s")
        thoughts.read(daemon.log())
        view.draw()
        await asyncio.sleep(0.1)
    await asyncio.sleep(0.3)  # for the last move's line in the log
    thoughts.read(daemon.log())
    view.draw()


async def play(wanted: argparse.Namespace, directory: str) -> None:
    sim = Simulator(directory)
    bot = sim.add_account(BOT, title="BOT", rating=2000)
    sim.add_account(RIVAL, rating=1500)
    sim.add_token(TOKEN, bot)
    await sim.start()
    config = os.path.join(directory, "castled.conf")
    write_config(config, {
        "account": {"url": sim.url, "ca_file": sim.ca_file},
        "engine": {"hash": 64, "move_overhead": 50, "nodes": 5000 if wanted.fast else None}})
    daemon = await Daemon.start(wanted.castled, config, os.path.join(directory, "castled.log"),
                                {**os.environ, "CASTLED_TOKEN": TOKEN})
    try:
        await play_game(wanted, sim, bot, daemon)
    except (Failure, AssertionError, asyncio.TimeoutError) as error:
        sys.stderr.write("\n".join(daemon.log().splitlines()[-20:]) + "\n")
        raise Failure(str(error) or "timed out") from error
    finally:
        if daemon.is_running:
            await daemon.stop()
        await sim.stop()


async def play_game(wanted: argparse.Namespace, sim: Simulator, bot: Account,
                    daemon: Daemon) -> None:
    await sim.until(lambda: bot.is_online or not daemon.is_running, 15, "castled's event stream")
    if not daemon.is_running:
        raise Failure(f"castled ended with status {daemon.status}")
    clock = "10+0" if wanted.fast else "1+0"
    print(f"{RIVAL} challenges {BOT} to a game of {clock}.\n", flush=True)
    ours = random.choice(("white", "black"))
    challenge = await sim.challenge(
        bot, RIVAL, limit=600 if wanted.fast else 60, colour=board.other(ours),
        player=Engine(skill=1, nodes=500, delay=0 if wanted.fast else 0.4))
    game = await challenge.started(10)
    thoughts = Thoughts()
    plain = (os.environ.get("CI") == "true" or not sys.stdout.isatty()
             or os.environ.get("TERM", "dumb") == "dumb")
    view = Lines(game, ours, thoughts) if plain else Screen(game, ours, thoughts,
                                                            "NO_COLOR" not in os.environ)
    await watch(game, view, daemon, thoughts, 60 if wanted.fast else 150)
    if sim.failures or game.status == "aborted":
        raise Failure("; ".join(sim.failures) or "the game was aborted")
    os.makedirs(wanted.pgn_dir, exist_ok=True)
    path = os.path.join(wanted.pgn_dir, f"demo-{game.id}.pgn")
    shutil.copy(sim.pgn_path(game), path)
    print(f"\n{pgn.result(game)}, {RESULTS.get(game.status, game.status)}: "
          f"{'castled wins' if game.winner == ours else f'{RIVAL} wins' if game.winner else 'draw'}"
          f" in {(len(game.moves) + 1) // 2} moves.\nThe game as PGN: {path}")


NEXT = """
To play on Lichess itself:
  1. create a new account there (one that has never played), and stay logged in as it;
  2. castled login gets a token for it, by your consent in the browser;
  3. castled upgrade makes it a BOT account, which cannot be undone;
  4. castled check, then castled run. All with --config config/castled.conf.example, or a copy of
     it; README.md has the systemd way.
"""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Plays a game on a simulated Lichess.")
    parser.add_argument("--castled", required=True, help="the program")
    parser.add_argument("--pgn-dir", default=".", help="where the game is kept")
    parser.add_argument("--fast", action="store_true", help="a few seconds, for tests")
    return parser.parse_args()


async def main() -> int:
    task = asyncio.current_task()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    wanted = arguments()
    with tempfile.TemporaryDirectory(prefix="castled-demo-") as directory:
        try:
            await play(wanted, directory)
        except asyncio.CancelledError:
            print("\nstopped")
            return 130
        except Failure as failure:
            print(f"\nscripts/demo: {failure}", file=sys.stderr)
            return 1
    print(NEXT, end="")
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
