# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess, asked of an engine that is not ours: Debian's `stockfish`; those of the other
variants, of Debian's `fairy-stockfish`.

Legal moves come from `go perft 1`, the position after a move and whether it is check from `d`.
The engines run with UCI_Chess960 set, so castling is king takes rook in every variant.
Debian's fairy-stockfish 11.1 does not know atomic chess, which atomic.py does: told to play it, a
process goes on with the rules that it had. So each variant has a process of its own. How a game ends
is ends.py's business: the engines leave a race on after the winner has arrived, and call no position
dead.
"""
from __future__ import annotations

import asyncio
import os
import shutil
from typing import NamedTuple, Optional

from . import board, ends
from .atomic import Atomic


# Names as UCI_Variant has them, and initial positions that are not the usual one.
VARIANTS = {"antichess": "antichess", "atomic": "atomic", "crazyhouse": "crazyhouse",
            "horde": "horde", "kingOfTheHill": "kingofthehill", "racingKings": "racingkings",
            "threeCheck": "3check"}
# Where a variant's own end hides whether the last move has also mated, which comes first.
HIDES_MATE = ("kingOfTheHill", "threeCheck")
STARTS = {
    "antichess": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    "crazyhouse": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1",
    "horde": "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1",
    "racingKings": "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1",
    "threeCheck": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
}


def engine_path(name: str = "stockfish") -> str:
    """Debian installs games where root's PATH does not look."""
    path = shutil.which(name) or f"/usr/games/{name}"
    if not os.access(path, os.X_OK):
        raise FileNotFoundError(f"{name} is not installed (Debian: apt install {name})")
    return path


class Position(NamedTuple):
    fen: str                # as Stockfish prints it; castling rights are rook files
    legal: tuple[str, ...]  # UCI, castling as king takes rook
    check: bool
    end: Optional[ends.End] = None  # by rule, but for repetition and the clock of 50 moves

    @property
    def turn(self) -> str:
        return board.turn(self.fen)

    @property
    def identity(self) -> str:
        """What repetition compares: placement, side to move, rights, en passant, checks given."""
        return " ".join(self.fen.split()[:-2])

    @property
    def halfmoves(self) -> int:
        return int(self.fen.split()[-2])


class Uci:
    """One UCI process. `ask` keeps questions apart, so several games may share it."""

    def __init__(self, options: dict[str, object], program: str = "stockfish"):
        self._options = options
        self._program = program
        self._set: dict[str, object] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._killed: list[asyncio.subprocess.Process] = []  # not yet waited for
        self._is_closed = False
        self._lock = asyncio.Lock()

    async def ask(self, commands: str, last: str, options: dict[str, object] | None = None,
                  ) -> list[str]:
        """Sends `commands`; returns the lines up to the one that begins with `last`."""
        async with self._lock:
            try:
                return await self._ask(commands, last, {**self._options, **(options or {})})
            except BaseException:
                # A question given up half-way leaves answers in the pipe: start afresh.
                self.kill()
                raise

    async def _ask(self, commands: str, last: str, options: dict[str, object]) -> list[str]:
        if self._is_closed:
            raise asyncio.CancelledError  # whoever still asks is being stopped as well
        if self._process is None:
            self._set = {}
            self._process = await asyncio.create_subprocess_exec(
                engine_path(self._program), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                start_new_session=True)
        for name, value in options.items():
            if self._set.get(name) != value:
                commands = f"setoption name {name} value {value}\n{commands}"
                self._set[name] = value
        self._process.stdin.write(commands.encode() + b"\n")
        lines = []
        while True:
            line = (await self._process.stdout.readline()).decode()
            if not line:
                raise RuntimeError(f"{self._program} died when asked: {commands}")
            lines.append(line.rstrip())
            if line.startswith(last):
                return lines

    def kill(self) -> None:
        """The next question starts a new process."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            self._killed.append(self._process)
            self._process = None

    async def close(self) -> None:
        self._is_closed = True
        self.kill()
        while self._killed:
            await self._killed.pop().wait()


class Judge:
    def __init__(self) -> None:
        self._options = {"UCI_Chess960": "true", "Hash": 1, "Threads": 1}
        self._chess = Uci(self._options)
        self._fairies: dict[str, Uci] = {}  # one for each variant, as it needs them

    def _engine(self, name: Optional[str]) -> Uci:
        if name is None:
            return self._chess
        if name not in self._fairies:
            self._fairies[name] = Uci({**self._options, "UCI_Variant": name}, "fairy-stockfish")
        return self._fairies[name]

    async def position(self, fen: str, move: str = "", variant: str = "standard") -> Position:
        """The position of `fen` after `move`, which must be legal there."""
        if variant == "atomic":
            atomic = Atomic.read(fen)
            atomic = atomic.after(move) if move else atomic
            found, legal, check = atomic.fen(), atomic.legal(), atomic.in_check()
        else:
            found, legal, check = await self._ask(VARIANTS.get(variant), fen, move)
        return Position(found, legal, check, await self._end(variant, found, legal, check))

    async def _ask(self, name: Optional[str], fen: str, move: str = "",
                   ) -> tuple[str, tuple[str, ...], bool]:
        moves = f" moves {move}" if move else ""
        lines = await self._engine(name).ask(f"position fen {fen}{moves}\nd\ngo perft 1",
                                             "Nodes searched")
        legal = []
        found, check = "", False
        for line in lines:
            key, _, value = line.partition(": ")
            if key == "Fen":
                found = value
            elif line.startswith("Checkers:"):
                check = bool(line[len("Checkers:"):].strip())
            elif value == "1" and 4 <= len(key) <= 5:
                legal.append(key)
        return found, tuple(legal), check

    async def _end(self, variant: str, fen: str, legal: tuple[str, ...], check: bool,
                   ) -> Optional[ends.End]:
        special = ends.special(variant, fen, legal)
        left = legal
        if special and check and variant in HIDES_MATE:
            fields = fen.split()
            _, left, _ = await self._ask(None, " ".join(fields[:4] + fields[-2:]))
        if check and not left:
            return "mate", board.other(board.turn(fen))
        if special:
            return special
        if not legal:
            return "stalemate", None
        if variant == "horde" and ends.horde_may_be_stuck(fen, legal) \
                and not any([(await self._ask(VARIANTS[variant], fen, move))[1] for move in legal]):
            return "draw", None
        return ("draw", None) if ends.is_dead(variant, fen) else None

    async def close(self) -> None:
        for engine in (self._chess, *self._fairies.values()):
            await engine.close()
