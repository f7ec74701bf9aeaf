# SPDX-License-Identifier: GPL-3.0-or-later
"""How the server ends games of variants: what comes besides mate and stalemate.

After: lichess-org/scalachess, which decides in this order: mate, the variant's own end, stalemate,
draw. Left out: of the horde that cannot win most cases of few men.
"""
from __future__ import annotations

from typing import Optional

from . import board

HILL = ("d4", "e4", "d5", "e5")
End = tuple[str, Optional[str]]  # status and winner


def _men(fen: str) -> dict[str, list[tuple[str, str]]]:
    """Of each colour (kind, square)."""
    men: dict[str, list[tuple[str, str]]] = {"white": [], "black": []}
    for square, letter in board.squares(fen).items():
        men["white" if letter.isupper() else "black"].append((letter.lower(), square))
    return men


def _shade(square: str) -> int:
    return (board.FILES.index(square[0]) + int(square[1])) % 2


def special(variant: str, fen: str, legal: tuple[str, ...]) -> Optional[End]:
    """The end by a rule of the variant's own; the side that has just moved is not to move."""
    turn, mover = board.turn(fen), board.other(board.turn(fen))
    squares = board.squares(fen)
    winner = None
    if variant == "antichess":
        winner = turn if not legal else None
    elif variant == "atomic":
        winner = mover if ("K" if turn == "white" else "k") not in squares.values() else None
    elif variant == "horde":
        winner = "black" if not any(p.isupper() for p in squares.values()) else None
    elif variant == "kingOfTheHill":
        king = "K" if mover == "white" else "k"
        winner = mover if any(squares.get(s) == king for s in HILL) else None
    elif variant == "threeCheck":
        left = fen.split()[4].split("+")
        winner = "white" if left[0] == "0" else "black" if left[1] == "0" else None
    elif variant == "racingKings":
        return _race(turn, squares, legal)
    return ("variantEnd", winner) if winner else None


def _race(turn: str, squares: dict[str, str], legal: tuple[str, ...]) -> Optional[End]:
    there = {letter for square, letter in squares.items() if letter in "Kk" and square[1] == "8"}
    if turn == "black" and "K" in there:
        follows = any(squares[move[:2]] == "k" and move[3] == "8" for move in legal)
        return None if follows else ("variantEnd", "white")
    if len(there) == 2:
        return "draw", None
    return ("variantEnd", "white" if "K" in there else "black") if there else None


def is_dead(variant: str, fen: str) -> bool:
    """Nobody can win any more."""
    if variant == "threeCheck":
        return len(board.squares(fen)) == 2
    if variant == "atomic":
        return _atomic_is_dead(fen)
    if variant == "antichess":
        return _antichess_is_dead(fen)
    return variant not in ("crazyhouse", "kingOfTheHill", "racingKings", "horde") \
        and board.is_dead(fen)


def _blocked(fen: str) -> set[str]:
    """Pawns with a pawn before them and nothing to take."""
    squares = board.squares(fen)
    blocked = set()
    for square, letter in squares.items():
        if letter not in "Pp":
            continue
        rank = str(int(square[1]) + (1 if letter == "P" else -1))
        file = board.FILES.index(square[0])
        takes = [board.FILES[f] + rank for f in (file - 1, file + 1) if 0 <= f < 8]
        if squares.get(square[0] + rank, "") in ("P", "p") \
                and not any(s in squares and squares[s].isupper() != letter.isupper()
                            for s in takes):
            blocked.add(square)
    return blocked if fen.split()[3] == "-" else set()


def _atomic_is_dead(fen: str) -> bool:
    men = _men(fen)
    everyone = men["white"] + men["black"]
    kinds = {kind for kind, _ in everyone}
    shades = {_shade(square) for kind, square in everyone if kind == "b"}
    if min(map(len, men.values())) >= 2:
        if kinds <= {"k", "b"} and len(everyone) <= 4 and len(shades) == 2:
            return True
    elif (kinds <= {"k", "n"} and len(everyone) <= 4) \
            or (kinds <= {"k", "r", "n", "b"} and len(everyone) <= 3 and len(shades) < 2):
        return True
    pawns = {square for kind, square in everyone if kind == "p"}
    if not kinds <= {"k", "b", "p"} or pawns != _blocked(fen):
        return False
    owners = {c for c in men if any(kind == "b" for kind, _ in men[c])}
    if len(owners) != 1 or len(shades) != 1:
        return not owners
    rival = board.other(owners.pop())
    return all(_shade(square) not in shades for kind, square in men[rival] if kind == "p")


def horde_may_be_stuck(fen: str, legal: tuple[str, ...]) -> bool:
    """Black is to move, and White has nothing but blocked pawns, of which the last is not attacked:
    dead if each move leaves White without one."""
    white = {square for _, square in _men(fen)["white"]}
    is_last_attacked = len(white) == 1 and any(move[2:4] in white for move in legal)
    return board.turn(fen) == "black" and white <= _blocked(fen) and not is_last_attacked


def _antichess_is_dead(fen: str) -> bool:
    men = _men(fen)
    if {kind for side in men.values() for kind, _ in side} - {"b", "p"}:
        return False
    shades = {c: {_shade(s) for kind, s in men[c] if kind == "b"} for c in men}
    pawns = {c: {s for kind, s in men[c] if kind == "p"} for c in men}
    if any(len(found) != 1 for found in shades.values()) or shades["white"] == shades["black"]:
        return False
    return pawns["white"] | pawns["black"] == _blocked(fen) \
        and all(_shade(s) in shades[c] for c in men for s in pawns[c])


def cannot_win(variant: str, fen: str, colour: str) -> bool:
    """Who can't does not win on time either."""
    men = _men(fen)
    own, rival = men[colour], men[board.other(colour)]
    if variant in ("threeCheck", "atomic"):
        return len(own) == 1
    if variant == "antichess":
        if [kind for kind, _ in own] != ["n"] or [kind for kind, _ in rival] != ["n"]:
            return False
        same = _shade(own[0][1]) == _shade(rival[0][1])
        return same == (board.turn(fen) != colour)
    if variant == "horde":
        kinds = sorted(kind for kind, _ in own)
        is_few = len(kinds) <= 1 or kinds in (["b", "b"], ["b", "n"], ["n", "n"], ["b", "r"])
        return colour == "white" and len(rival) == 1 and is_few
    return variant not in ("crazyhouse", "kingOfTheHill", "racingKings") \
        and board.cannot_mate(fen, colour)
