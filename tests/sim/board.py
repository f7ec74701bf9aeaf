# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain facts about a position that can be read off its FEN, and SAN from a list of legal moves.

Nothing here decides what is legal: that is the judge's business. Moves are UCI strings in which
castling is written as king takes rook, the one form that is never ambiguous.
"""
from __future__ import annotations

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FILES = "abcdefgh"


def squares(fen: str) -> dict[str, str]:
    """Square name to piece letter."""
    board = {}
    for row, rank in zip(fen.split()[0].partition("[")[0].split("/"), "87654321"):
        file = 0
        for letter in row.replace("~", ""):
            if letter.isdigit():
                file += int(letter)
            else:
                board[FILES[file] + rank] = letter
                file += 1
    return board


def turn(fen: str) -> str:
    return "white" if fen.split()[1] == "w" else "black"


def other(colour: str) -> str:
    return "black" if colour == "white" else "white"


def x_fen(fen: str) -> str:
    """Rook files in the castling field (HAha) become KQkq where the rook is the outermost."""
    fields = fen.split()
    board = squares(fen)
    rights = ""
    for letter in fields[2]:
        if letter.lower() not in FILES:
            rights += letter
            continue
        white = letter.isupper()
        rank, king, rook = ("1", "K", "R") if white else ("8", "k", "r")
        king_file = next(f for f in FILES if board.get(f + rank) == king)
        rooks = [f for f in FILES if board.get(f + rank) == rook]
        side = "k" if letter.lower() > king_file else "q"
        outermost = rooks[-1] if side == "k" else rooks[0]
        name = side if letter.lower() == outermost else letter.lower()
        rights += name.upper() if white else name
    fields[2] = rights
    return " ".join(fields)


def server_fen(fen: str) -> str:
    """As the server writes it: pockets behind a ninth slash, checks given behind the move number."""
    fields = x_fen(fen).split()
    fields[0] = fields[0].replace("[", "/").replace("]", "")
    if len(fields) == 7:
        left = fields.pop(4).split("+")
        fields.append("".join(f"+{3 - int(count)}" for count in left))
    return " ".join(fields)


def is_castling(board: dict[str, str], move: str) -> bool:
    """True if `move` is a king taking a rook of its own colour."""
    piece, target = board.get(move[:2]), board.get(move[2:4])
    return (piece, target) in (("K", "R"), ("k", "r"))


def castling_target(move: str) -> str:
    """The king's way in a castling move: e1h1 becomes e1g1."""
    return move[:2] + ("g" if move[2] > move[0] else "c") + move[3]


def san(fen: str, legal: tuple[str, ...], move: str, check: bool, mate: bool) -> str:
    """Standard algebraic notation; `check` and `mate` describe the position after the move."""
    if "@" in move:
        return move + ("#" if mate else "+" if check else "")
    board = squares(fen)
    start, target, promotion = move[:2], move[2:4], move[4:]
    piece = board[start].upper()
    if is_castling(board, move):
        text = "O-O" if target[0] > start[0] else "O-O-O"
    elif piece == "P":
        text = start[0] + "x" + target if start[0] != target[0] else target
        if promotion:
            text += "=" + promotion.upper()
    else:
        rivals = [m[:2] for m in legal if m[2:4] == target and m[:2] != start and "@" not in m
                  and board[m[:2]] == board[start] and not is_castling(board, m)]
        name = ""
        if rivals:
            if all(r[0] != start[0] for r in rivals):
                name = start[0]
            elif all(r[1] != start[1] for r in rivals):
                name = start[1]
            else:
                name = start
        text = piece + name + ("x" if target in board else "") + target
    return text + ("#" if mate else "+" if check else "")


def _material(fen: str) -> dict[str, list[tuple[str, int]]]:
    """For each colour the pieces other than the king, with the shade of their square."""
    pieces: dict[str, list[tuple[str, int]]] = {"white": [], "black": []}
    for square, letter in squares(fen).items():
        if letter.lower() != "k":
            shade = (FILES.index(square[0]) + int(square[1])) % 2
            pieces["white" if letter.isupper() else "black"].append((letter.lower(), shade))
    return pieces


def is_dead(fen: str) -> bool:
    """True if nobody can mate: kings with one minor piece, or with bishops of one shade only."""
    pieces = sum(_material(fen).values(), [])
    if len(pieces) <= 1:
        return all(kind in "nb" for kind, _ in pieces)
    return all(kind == "b" for kind, _ in pieces) and len({shade for _, shade in pieces}) == 1


def cannot_mate(fen: str, colour: str) -> bool:
    """True if `colour` has a bare king, or a lone minor piece against one."""
    pieces = _material(fen)
    mine = pieces[colour]
    return not mine or (not pieces[other(colour)] and len(mine) == 1 and mine[0][0] in "nb")


def chess960(number: int) -> str:
    """Start position 0..959 in Scharnagl's numbering; 518 is the usual one."""
    rank: list[str] = [""] * 8
    number, bishop = divmod(number, 4)
    rank[2 * bishop + 1] = "b"
    number, bishop = divmod(number, 4)
    rank[2 * bishop] = "b"
    number, queen = divmod(number, 6)
    rank[[i for i in range(8) if not rank[i]][queen]] = "q"
    free = [i for i in range(8) if not rank[i]]
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    for knight in pairs[number]:
        rank[free[knight]] = "n"
    for piece, place in zip("rkr", [i for i in range(8) if not rank[i]]):
        rank[place] = piece
    row = "".join(rank)
    return f"{row}/pppppppp/8/8/8/8/PPPPPPPP/{row.upper()} w KQkq - 0 1"
