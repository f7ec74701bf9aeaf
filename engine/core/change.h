/* SPDX-License-Identifier: GPL-3.0-or-later */
/* change.h - which pieces a move takes off the board, and which it puts there: for state that is
 * updated move by move (keys, accumulators) without the rules of moving. Plain values. */
#pragma once
#include "engine/core/position.h"
#include "engine/core/variant_rules.h"
#include "engine/core/zobrist.h"

typedef struct {
    Piece piece;
    Square square;
} PieceOnSquare;

/* Of moves as chess has them: no drop, explosion or promotion to a king, change_describes().
 * What a move removes is one piece, or two with a capture or castling; what it adds is one, or two
 * with castling. In Chess960 a castling king or rook may be removed from and added to the same
 * square. A null move changes nothing. */
enum { CHANGE_PIECES_MAX = 2 };

typedef struct {
    uint8_t removed_count, added_count;
    PieceOnSquare removed[CHANGE_PIECES_MAX]; /* first the piece that moves */
    PieceOnSquare added[CHANGE_PIECES_MAX];   /* first the same, or what it is promoted to */
} Change;

/* Is a change all that the move does to the board? */
static inline bool change_describes(const Position *pos, Move m)
{
    return position_is_chess(pos) ||
           !(move_is_drop(m) || move_is_king_promotion(m) ||
             (move_is_capture(m) && variant_rules(pos)->captures_explode));
}

/* The change that a legal move makes to `pos`, which stands before it. */
static inline Change change_of(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m);
    Piece piece = pos->board[from];
    Change change = { .removed_count = 1, .added_count = 1 };
    change.removed[0] = (PieceOnSquare){ piece, from };
    change.added[0] = (PieceOnSquare){ piece, to };
    if (move_is_castling(m)) {
        change.removed[1] = (PieceOnSquare){ piece_make(us, ROOK), castling_rook_from(pos, m) };
        change.added[1] = (PieceOnSquare){ piece_make(us, ROOK), castling_rook_to(m) };
        change.removed_count = change.added_count = 2;
        return change;
    }
    if (move_is_promotion(m))
        change.added[0].piece = piece_make(us, move_promotion(m));
    if (move_is_capture(m)) {
        Square victim = move_captured_square(m);
        change.removed[1] = (PieceOnSquare){ pos->board[victim], victim };
        change.removed_count = 2;
    }
    return change;
}

static inline uint64_t change_key_of(PieceOnSquare at)
{
    return zobrist_piece(piece_colour(at.piece), piece_type(at.piece), at.square);
}

/* The key that `pos` has after a legal move of a piece, without what happens to castling rights and
 * en passant, and without what else castling, promotion and explosion do: cheap, and right most of
 * the time. A hint for prefetching. */
static inline uint64_t change_key_hint(const Position *pos, Move m)
{
    Square from = move_from(m), to = move_to(m);
    PieceOnSquare before = { pos->board[from], from }, after = { pos->board[from], to };
    PieceOnSquare victim = { pos->board[to], to };
    uint64_t key = pos->key ^ zobrist_side() ^ change_key_of(before) ^ change_key_of(after);
    return victim.piece == PIECE_NONE ? key : key ^ change_key_of(victim);
}
