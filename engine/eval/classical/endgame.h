/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endgame.h - how much of an advantage the endgame leaves, and how much is left to play for. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"
#include "engine/eval/classical/summing.h"

EVAL_INLINE bool endgame_opposite_bishops(const Position *pos)
{
    Bitboard white = pos->pieces[WHITE][BISHOP], black = pos->pieces[BLACK][BISHOP];
    return white && black && !bitboard_many(white) && !bitboard_many(black) &&
           !(white & BITBOARD_DARK) != !(black & BITBOARD_DARK);
}

/* How much of its endgame advantage `strong` keeps, in 128ths; SCALE_DRAW: nothing at all. */
static int endgame_scale(const Evaluation *ev, Colour strong)
{
    const Position *pos = ev->pos;
    int pawns = bitboard_count(pos->pieces[strong][PAWN]);
    int pieces = material_of_pieces(pos, strong), others = material_of_pieces(pos, !strong);
    if (material_cannot_win(pos, strong))
        return SCALE_DRAW;
    if (pawns == 0 && pieces - others <= 3)
        return pieces <= 5 ? 8 : others <= 3 ? 16 : 32;
    if (endgame_opposite_bishops(pos)) {
        if (pieces == 3 && others == 3)
            return 36 + 8 * bitboard_count(ev->passed & pos->pieces[strong][PAWN]);
        return 44 + 6 * bitboard_count(pos->occupied_by[strong]);
    }
    int scale = 72 + 14 * pawns;
    return scale < SCALE_NORMAL ? scale : SCALE_NORMAL;
}

EVAL_INLINE void endgame_complexity(Evaluation *ev)
{
    const Position *pos = ev->pos;
    Bitboard pawns = pos->pieces[WHITE][PAWN] | pos->pieces[BLACK][PAWN];
    Bitboard west = 0x0f0f0f0f0f0f0f0fULL;
    Square white = position_king(pos, WHITE), black = position_king(pos, BLACK);
    int outflanking =
        abs(square_file(white) - square_file(black)) - square_rank(black) + square_rank(white);
    bool pieces = pos->occupied ^ pawns ^ pos->pieces[WHITE][KING] ^ pos->pieces[BLACK][KING];
    evaluation_complicate(ev, TERM_COMPLEXITY_BASE, 1);
    evaluation_complicate(ev, TERM_COMPLEXITY_PAWNS, bitboard_count(pawns));
    evaluation_complicate(ev, TERM_COMPLEXITY_OUTFLANKING, outflanking);
    if ((pawns & west) && (pawns & ~west))
        evaluation_complicate(ev, TERM_COMPLEXITY_BOTH_WINGS, 1);
    if (!pieces)
        evaluation_complicate(ev, TERM_COMPLEXITY_PAWN_ENDING, 1);
}

/* PHASE_MAX with all pieces on the board, 0 without any. */
EVAL_INLINE int endgame_phase(const Position *pos)
{
    Bitboard minors = 0, rooks = 0, queens = 0;
    for (Colour us = WHITE; us <= BLACK; us++) {
        minors |= pos->pieces[us][KNIGHT] | pos->pieces[us][BISHOP];
        rooks |= pos->pieces[us][ROOK];
        queens |= pos->pieces[us][QUEEN];
    }
    int phase = bitboard_count(minors) + 2 * bitboard_count(rooks) + 4 * bitboard_count(queens);
    return phase < PHASE_MAX ? phase : PHASE_MAX;
}
