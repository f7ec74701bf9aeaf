# SPDX-License-Identifier: GPL-3.0-or-later
"""A finished (or running) game as PGN."""
from __future__ import annotations

import textwrap
import time
from typing import TYPE_CHECKING

from . import board

if TYPE_CHECKING:
    from .game import Game


def san_move(game: "Game", ply: int) -> str:
    """The move that was made at `ply` (0 is the first)."""
    before, after = game.positions[ply], game.positions[ply + 1]
    return board.san(before.fen, before.legal, game.moves[ply], after.check,
                     after.end is not None and after.end[1] is not None)


def result(game: "Game") -> str:
    if game.status in ("created", "started", "aborted", "unknownFinish"):
        return "*"
    return {"white": "1-0", "black": "0-1", None: "1/2-1/2"}[game.winner]


def _clock(seconds: float) -> str:
    seconds = max(0, round(seconds))
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def write(game: "Game") -> str:
    control = game.time_control
    tags = {
        "Event": f"{'Rated' if game.rated else 'Casual'} {control.speed} game",
        "Site": f"{game.sim.url}/{game.id}",
        "Date": time.strftime("%Y.%m.%d", time.gmtime(game.created_at / 1000)),
        "Round": "-",
        "White": game.seats["white"].account.name, "Black": game.seats["black"].account.name,
        "Result": result(game),
        "TimeControl": "-" if control.limit is None else f"{control.limit}+{control.increment}",
        "Termination": game.status,
    }
    if game.variant != "standard":
        tags["Variant"] = {"chess960": "Chess960",
                           "fromPosition": "From Position"}.get(game.variant, game.variant)
    if game.initial_fen() != "startpos":
        tags["SetUp"], tags["FEN"] = "1", game.initial_fen()
    fields = game.positions[0].fen.split()
    number, white = int(fields[5]), fields[1] == "w"
    words = []
    for ply in range(len(game.moves)):
        if white or ply == 0:
            words.append(f"{number}." if white else f"{number}...")
        words.append(san_move(game, ply))
        if control.limit is not None:
            words.append(f"{{[%clk~{_clock(game.clocks[ply][0 if white else 1])}]}}")
        number += not white
        white = not white
    words.append(result(game))
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    body = textwrap.fill(" ".join(words), 80, break_long_words=False, break_on_hyphens=False)
    return head + "\n" + body.replace("~", " ") + "\n"  # comments are never broken
