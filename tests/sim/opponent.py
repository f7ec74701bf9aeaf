# SPDX-License-Identifier: GPL-3.0-or-later
"""Who sits on the other side of the board: each answers `choose(game)` with a UCI move or None.

None means: no move now; the test moves for this side itself, or nobody does.
"""
from __future__ import annotations

import asyncio
import random
from typing import TYPE_CHECKING, Iterable, Optional, Union

from .judge import Uci

if TYPE_CHECKING:
    from .game import Game


class Idle:
    """Never moves by itself."""

    async def choose(self, game: "Game") -> Optional[str]:
        return None

    async def close(self) -> None:
        pass


class Random(Idle):
    """Any legal move, the same ones for the same seed; costs no search."""

    def __init__(self, seed: int = 1, delay: float = 0.0):
        self._random = random.Random(seed)
        self.delay = delay  # seconds

    async def choose(self, game: "Game") -> Optional[str]:
        if self.delay:
            await asyncio.sleep(self.delay)
        return self._random.choice(sorted(game.position.legal))


class Unsteady(Random):
    """Thinks for a random time, so that the moves of several games don't come in bursts."""

    def __init__(self, seed: int, mean_s: float):
        super().__init__(seed)
        self._mean_s = mean_s

    async def choose(self, game: "Game") -> Optional[str]:
        await asyncio.sleep(self._random.uniform(0, 2 * self._mean_s))
        return await super().choose(game)


class Engine(Idle):
    """Stockfish, held back by `skill` (0..20), `nodes` and `movetime_ms` as wanted."""

    def __init__(self, skill: int = 20, nodes: int = 0, movetime_ms: int = 0, delay: float = 0.0):
        limits = [f"nodes {nodes}"] if nodes else []
        limits += [f"movetime {movetime_ms}"] if movetime_ms else []
        self._go = "go " + (" ".join(limits) or "nodes 1000")
        self._delay = delay
        self._uci = Uci({"UCI_Chess960": "true", "Hash": 1, "Threads": 1, "Skill Level": skill})

    async def choose(self, game: "Game") -> Optional[str]:
        if self._delay:
            await asyncio.sleep(self._delay)
        lines = await self._uci.ask(f"position fen {game.position.fen}\n{self._go}", "bestmove")
        return lines[-1].split()[1]

    async def close(self) -> None:
        await self._uci.close()


class Scripted(Idle):
    """Plays the given moves, then hands over to `then`.

    A number in the list is a pause in seconds before the next move.
    """

    def __init__(self, moves: Union[str, Iterable[Union[str, float]]], then: Optional[Idle] = None):
        self._moves = list(moves.split() if isinstance(moves, str) else moves)
        self._then = then or Idle()

    async def choose(self, game: "Game") -> Optional[str]:
        while self._moves and not isinstance(self._moves[0], str):
            await asyncio.sleep(self._moves.pop(0))
        if self._moves:
            return self._moves.pop(0)
        return await self._then.choose(game)

    async def close(self) -> None:
        await self._then.close()
