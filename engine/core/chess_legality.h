/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chess_legality.h - attacks, legality and checks by the rules of chess alone, which position.c
 * asks under standard rules and variant_legality.c where a variant has the same. Inline, since hot
 * code asks for each move. For engine/core only: other code asks position.h. */
#pragma once
#include "engine/core/attacks.h"
#include "engine/core/position.h"

/* Pieces of `by` that attack `square` when `occupied` is what blocks sliders. */
static inline Bitboard chess_attackers(const Position *pos, Colour by, Square square,
                                       Bitboard occupied)
{
    const Bitboard *pieces = pos->pieces[by];
    return (attacks_pawn(by ^ 1, square) & pieces[PAWN]) |
           (attacks_knight(square) & pieces[KNIGHT]) | (attacks_king(square) & pieces[KING]) |
           (attacks_rook(square, occupied) & (pieces[ROOK] | pieces[QUEEN])) |
           (attacks_bishop(square, occupied) & (pieces[BISHOP] | pieces[QUEEN]));
}

/* The pawn that an en-passant capture on `square` takes. */
static inline Square en_passant_victim(Square square)
{
    return square ^ 8;
}

/* The capture from `from` leaves our king safe. */
static inline bool chess_en_passant_is_legal(const Position *pos, Square from)
{
    Colour us = pos->side_to_move;
    Bitboard victim = square_bit(en_passant_victim(pos->en_passant));
    Bitboard occupied = (pos->occupied ^ victim ^ square_bit(from)) | square_bit(pos->en_passant);
    return !(chess_attackers(pos, us ^ 1, position_king(pos, us), occupied) & ~victim);
}

/* `m` is pseudo-legal: does it leave our king safe? */
static inline bool chess_is_legal(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m), king = position_king(pos, us);
    if (move_is_castling(m))
        return true; /* pseudo-legal castling is fully checked */
    if (move_is_en_passant(m))
        return chess_en_passant_is_legal(pos, from);
    if (from == king)
        return !chess_attackers(pos, us ^ 1, to, pos->occupied ^ square_bit(king));
    if (bitboard_has(pos->pinned, from) && !bitboard_has(attacks_line(king, from), to))
        return false;
    if (!pos->checkers)
        return true;
    Bitboard answers = pos->checkers | attacks_between(king, bitboard_first(pos->checkers));
    return !bitboard_many(pos->checkers) && bitboard_has(answers, to);
}

/* `m` is legal: does it give check? */
static inline bool chess_gives_check(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m), king = position_king(pos, us ^ 1);
    const Bitboard *ours = pos->pieces[us];
    if (move_is_castling(m)) {
        Square rook_from = castling_rook_from(pos, m), rook_to = castling_rook_to(m);
        Bitboard occupied = pos->occupied ^ square_bit(from) ^ square_bit(rook_from);
        occupied |= square_bit(to) | square_bit(rook_to);
        Bitboard rooks = (ours[ROOK] ^ square_bit(rook_from)) | square_bit(rook_to);
        return (attacks_rook(king, occupied) & (rooks | ours[QUEEN])) ||
               (attacks_bishop(king, occupied) & (ours[BISHOP] | ours[QUEEN]));
    }
    Bitboard occupied = (pos->occupied & ~square_bit(from)) | square_bit(to);
    PieceType type = move_is_promotion(m) ? move_promotion(m) : piece_type(pos->board[from]);
    Bitboard direct = type == PAWN   ? attacks_pawn(us, to)
                      : type == KING ? 0
                                     : attacks_of(type, to, occupied);
    if (bitboard_has(direct, king))
        return true;
    Bitboard left = square_bit(from);
    if (move_is_en_passant(m)) {
        Bitboard victim = square_bit(move_captured_square(m));
        occupied ^= victim;
        left |= victim;
    }
    /* A discovered check: a slider of ours behind a square that was left. */
    Bitboard others = ~square_bit(from);
    return (left & attacks_rook_rays(king) &&
            attacks_rook(king, occupied) & (ours[ROOK] | ours[QUEEN]) & others) ||
           (left & attacks_bishop_rays(king) &&
            attacks_bishop(king, occupied) & (ours[BISHOP] | ours[QUEEN]) & others);
}
