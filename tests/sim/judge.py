# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess, asked of an engine that is not ours: Debian's `stockfish`.

Legal moves come from `go perft 1`, the position after a move and whether it is check from `d`.
The engine runs with UCI_Chess960 set, so castling is king takes rook in every variant.
"""
from __future__ import annotations

import asyncio
import os
import shutil
from typing import NamedTuple

from . import board


def stockfish_path() -> str:
    """Debian installs games where root's PATH does not look."""
    path = shutil.which("stockfish") or "/usr/games/stockfish"
    if not os.access(path, os.X_OK):
        raise FileNotFoundError("stockfish is not installed (Debian: apt install stockfish)")
    return path


class Position(NamedTuple):
    fen: str                # as Stockfish prints it; castling rights are rook files
    legal: tuple[str, ...]  # UCI, castling as king takes rook
    check: bool

    @property
    def turn(self) -> str:
        return board.turn(self.fen)

    @property
    def identity(self) -> str:
        """What repetition compares: placement, side to move, rights, en passant."""
        return " ".join(self.fen.split()[:4])

    @property
    def halfmoves(self) -> int:
        return int(self.fen.split()[4])


class Uci:
    """One UCI process. `ask` keeps questions apart, so several games may share it."""

    def __init__(self, options: dict[str, object]):
        self._options = options
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
                stockfish_path(), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
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
                raise RuntimeError(f"stockfish died when asked: {commands}")
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
        self._uci = Uci({"UCI_Chess960": "true", "Hash": 1, "Threads": 1})

    async def position(self, fen: str, move: str = "") -> Position:
        """The position of `fen` after `move`, which must be legal there."""
        moves = f" moves {move}" if move else ""
        lines = await self._uci.ask(f"position fen {fen}{moves}\nd\ngo perft 1", "Nodes searched")
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
        return Position(found, tuple(legal), check)

    async def close(self) -> None:
        await self._uci.close()
