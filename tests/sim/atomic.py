# SPDX-License-Identifier: GPL-3.0-or-later
"""Atomic chess, which Debian's fairy-stockfish does not know: legal moves and the position after one.

Written from the rules alone, without castled's code, so that a game has a referee. Moves are UCI with
castling as king takes rook. After: lichess.org/variant/atomic and lichess-org/scalachess.
"""
from __future__ import annotations

from typing import Iterator, Optional

from .board import FILES

Board = dict[str, str]  # square to letter

STEPS = {"n": [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
         "b": [(1, 1), (1, -1), (-1, -1), (-1, 1)], "r": [(1, 0), (0, 1), (-1, 0), (0, -1)]}
STEPS["q"] = STEPS["k"] = STEPS["b"] + STEPS["r"]


def _at(square: str, step: tuple[int, int], times: int = 1) -> Optional[str]:
    file, rank = FILES.index(square[0]) + step[0] * times, int(square[1]) + step[1] * times
    return FILES[file] + str(rank) if 0 <= file < 8 and 1 <= rank <= 8 else None


def _is_white(letter: str) -> bool:
    return letter.isupper()


def _reach(board: Board, square: str, kind: str) -> Iterator[str]:
    """The squares that a piece of this kind attacks from there."""
    for step in STEPS[kind]:
        for times in range(1, 2 if kind in "nk" else 8):
            to = _at(square, step, times)
            if to is None:
                break
            yield to
            if to in board:
                break


def _pawn_targets(square: str, white: bool) -> Iterator[str]:
    for side in (1, -1):
        to = _at(square, (side, 1 if white else -1))
        if to is not None:
            yield to


def _is_attacked(board: Board, square: str, by_white: bool) -> bool:
    """By another man than the king: kings capture nothing."""
    for kind in "nbrq":
        letter = kind.upper() if by_white else kind
        if any(board.get(to) == letter for to in _reach(board, square, kind)):
            return True
    pawn = "P" if by_white else "p"
    return any(board.get(to) == pawn for to in _pawn_targets(square, not by_white))


def _king(board: Board, white: bool) -> Optional[str]:
    letter = "K" if white else "k"
    return next((square for square, other in board.items() if other == letter), None)


def _touch(a: str, b: str) -> bool:
    return max(abs(ord(a[0]) - ord(b[0])), abs(int(a[1]) - int(b[1]))) <= 1


def _is_threatened(board: Board, square: str, white: bool) -> bool:
    """Would a king of this side be in check there? Not beside the other king."""
    rival = _king(board, not white)
    return not (rival and _touch(square, rival)) and _is_attacked(board, square, not white)


def _in_check(board: Board, white: bool) -> bool:
    king = _king(board, white)
    return king is not None and _is_threatened(board, king, white)


class Atomic:
    def __init__(self, board: Board, white: bool, rooks: set[str], passed: Optional[str],
                 halfmoves: int, number: int):
        self.board, self.white = board, white
        self.rooks = rooks    # that may castle, by their squares
        self.passed = passed  # by a pawn that has just moved two
        self.halfmoves, self.number = halfmoves, number

    @classmethod
    def read(cls, fen: str) -> "Atomic":
        fields = fen.split()
        board: Board = {}
        for row, rank in zip(fields[0].split("/"), "87654321"):
            file = 0
            for letter in row:
                if not letter.isdigit():
                    board[FILES[file] + rank] = letter
                file += int(letter) if letter.isdigit() else 1
        rooks = set()
        for letter in fields[2].replace("-", ""):
            rank = "1" if letter.isupper() else "8"
            row = [f for f in FILES if board.get(f + rank) == ("R" if letter.isupper() else "r")]
            file = {"k": row[-1:], "q": row[:1]}.get(letter.lower(), [letter.lower()])
            rooks.update(f + rank for f in file)
        passed = None if fields[3] == "-" else fields[3]
        return cls(board, fields[1] == "w", rooks, passed, int(fields[4]), int(fields[5]))

    def fen(self) -> str:
        rows = []
        for rank in "87654321":
            row = "".join(self.board.get(f + rank, "1") for f in FILES)
            for empty in range(8, 1, -1):
                row = row.replace("1" * empty, str(empty))
            rows.append(row)
        rights = "".join(sorted((r[0].upper() if r[1] == "1" else r[0] for r in self.rooks),
                                key=lambda letter: (letter.islower(), -ord(letter))))
        return (f"{'/'.join(rows)} {'w' if self.white else 'b'} {rights or '-'} "
                f"{self.passed or '-'} {self.halfmoves} {self.number}")

    # Moves

    def _is_ours(self, square: str) -> bool:
        return square in self.board and _is_white(self.board[square]) == self.white

    def _is_theirs(self, square: str) -> bool:
        return square in self.board and _is_white(self.board[square]) != self.white

    def _pawn_moves(self, square: str) -> Iterator[str]:
        forward = (0, 1 if self.white else -1)
        targets = [to for to in _pawn_targets(square, self.white)
                   if self._is_theirs(to) or to == self.passed]
        ahead = _at(square, forward)
        if ahead and ahead not in self.board:
            targets.append(ahead)
            further = _at(square, forward, 2)
            if square[1] == ("2" if self.white else "7") and further not in self.board:
                targets.append(further)
        for to in targets:
            for promotion in "qrbn" if to[1] in "18" else [""]:
                yield square + to + promotion

    def _castlings(self, king: str) -> Iterator[str]:
        rank = "1" if self.white else "8"
        if king[1] != rank or _in_check(self.board, self.white):
            return
        for rook in self.rooks:
            if rook[1] != rank:
                continue
            is_king_side = rook > king
            king_to, rook_to = ("g", "f") if is_king_side else ("c", "d")
            way = self._row(king, king_to + rank)
            squares = {*way, *self._row(rook, rook_to + rank)} - {king, rook}
            if any(square in self.board for square in squares):
                continue
            without = {s: letter for s, letter in self.board.items() if s != king}
            if not any(_is_threatened(without, s, self.white) for s in way):
                yield king + rook

    @staticmethod
    def _row(a: str, b: str) -> list[str]:
        first, last = sorted((FILES.index(a[0]), FILES.index(b[0])))
        return [FILES[i] + a[1] for i in range(first, last + 1)]

    def _pseudo_legal(self) -> Iterator[str]:
        for square in list(self.board):
            if not self._is_ours(square):
                continue
            kind = self.board[square].lower()
            if kind == "p":
                yield from self._pawn_moves(square)
                continue
            for to in _reach(self.board, square, kind):
                if not self._is_ours(to) and not (kind == "k" and to in self.board):
                    yield square + to
            if kind == "k":
                yield from self._castlings(square)

    def legal(self) -> tuple[str, ...]:
        """None after a king has exploded."""
        if _king(self.board, self.white) is None or _king(self.board, not self.white) is None:
            return ()
        return tuple(sorted(move for move in self._pseudo_legal() if self._is_legal(move)))

    def _is_legal(self, move: str) -> bool:
        after = self.after(move).board
        if _king(after, self.white) is None:
            return False
        return _king(after, not self.white) is None or not _in_check(after, self.white)

    def in_check(self) -> bool:
        return _in_check(self.board, self.white)

    def after(self, move: str) -> "Atomic":
        board, start, to = dict(self.board), move[:2], move[2:4]
        letter = board.pop(start)
        is_pawn, is_castling = letter in "Pp", self._is_ours(to)
        is_capture = self._is_theirs(to) or (is_pawn and to == self.passed)
        if is_castling:
            rook = board.pop(to)
            board[("g" if to > start else "c") + to[1]] = letter
            board[("f" if to > start else "d") + to[1]] = rook
        elif is_capture:
            board.pop(to if self._is_theirs(to) else to[0] + start[1])
            for square in _reach({}, to, "k"):
                if board.get(square, "p") not in "Pp":
                    del board[square]
        else:
            promoted = move[4:].upper() if self.white else move[4:]
            board[to] = promoted or letter
        rooks = {rook for rook in self.rooks
                 if board.get(rook) == self.board[rook] and not (is_castling and rook[1] == to[1])}
        for rank, king in (("1", "K"), ("8", "k")):
            if letter == king or king not in board.values():
                rooks = {rook for rook in rooks if rook[1] != rank}
        passed = None
        if is_pawn and abs(int(to[1]) - int(start[1])) == 2:
            behind = start[0] + ("3" if self.white else "6")
            taker = "p" if self.white else "P"
            passed = behind if any(board.get(s) == taker
                                   for s in _pawn_targets(behind, self.white)) else None
        return Atomic(board, not self.white, rooks, passed,
                      0 if is_pawn or is_capture else self.halfmoves + 1,
                      self.number + (not self.white))
