/* SPDX-License-Identifier: GPL-3.0-or-later */
/* endgame.h - what the sum of features gets wrong: bare kings that must be mated, material that
 * can't win, and how much is left to play for. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"
#include "engine/eval/classical/summing.h"

/* In pawns. */
EVAL_INLINE int endgame_pieces(const Position *pos, Colour us)
{
    return 3 * bitboard_count(pos->pieces[us][KNIGHT] | pos->pieces[us][BISHOP]) +
           5 * bitboard_count(pos->pieces[us][ROOK]) + 9 * bitboard_count(pos->pieces[us][QUEEN]);
}

/* The material of `us`, pawns aside, can mate a bare king by force. */
EVAL_INLINE bool endgame_can_mate(const Position *pos, Colour us)
{
    Bitboard bishops = pos->pieces[us][BISHOP];
    bool both_colours = (bishops & BITBOARD_DARK) && (bishops & ~BITBOARD_DARK);
    return pos->pieces[us][QUEEN] || pos->pieces[us][ROOK] || both_colours ||
           (bishops && pos->pieces[us][KNIGHT]) || bitboard_count(pos->pieces[us][KNIGHT]) > 2;
}

EVAL_INLINE bool endgame_is_mop_up(const Position *pos, Colour us)
{
    return pos->occupied_by[!us] == pos->pieces[!us][KING] && endgame_can_mate(pos, us);
}

/* A bare king is driven to the edge (with bishop and knight to a corner of the bishop's colour)
 * and the other king comes close: what the search needs to see progress. */
static int endgame_mop_up(const Position *pos, Colour us)
{
    enum { WON = 3000, STEP_TO_EDGE = 40, STEP_TO_KING = 10, STEP_TO_CORNER = 60 };
    Square king = position_king(pos, !us);
    int file = square_file(king), rank = square_rank(king);
    int material = 100 * (endgame_pieces(pos, us) + bitboard_count(pos->pieces[us][PAWN]));
    int value = WON + material;
    value += STEP_TO_KING * (7 - king_distance(king, position_king(pos, us)));
    if (pos->pieces[us][PAWN] || pos->pieces[us][QUEEN] || pos->pieces[us][ROOK] ||
        !pos->pieces[us][KNIGHT])
        return value + STEP_TO_EDGE * (abs(2 * file - 7) + abs(2 * rank - 7)) / 2;
    /* a1 and h8 are dark. */
    bool dark = pos->pieces[us][BISHOP] & BITBOARD_DARK;
    int to_a1_or_h8 =
        king_distance(king, A1) < king_distance(king, H8) ? file + rank : 14 - file - rank;
    int to_h1_or_a8 =
        king_distance(king, H1) < king_distance(king, A8) ? 7 - file + rank : 7 + file - rank;
    return value + STEP_TO_CORNER * (7 - (dark ? to_a1_or_h8 : to_h1_or_a8)) +
           STEP_TO_EDGE * (abs(2 * file - 7) + abs(2 * rank - 7)) / 8;
}

/* Only pawns on one rook file and at most bishops that don't own its last square, against a king
 * who stands there. */
EVAL_INLINE bool endgame_wrong_rook_pawn(const Position *pos, Colour us)
{
    Bitboard pawns = pos->pieces[us][PAWN];
    bool one_file = pawns && (!(pawns & ~BITBOARD_FILE_A) || !(pawns & ~BITBOARD_FILE_H));
    if (!one_file || pos->pieces[us][KNIGHT] || pos->pieces[us][ROOK] || pos->pieces[us][QUEEN])
        return false;
    Square goal =
        square_make(pawns & BITBOARD_FILE_A ? FILE_A : FILE_H, us == WHITE ? RANK_8 : RANK_1);
    return !(pos->pieces[us][BISHOP] & same_colour_squares(goal)) &&
           king_distance(position_king(pos, !us), goal) <= 1;
}

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
    int pieces = endgame_pieces(pos, strong), others = endgame_pieces(pos, !strong);
    if (pawns == 0 && !endgame_can_mate(pos, strong))
        return SCALE_DRAW;
    if (pawns == 0 && pieces - others <= 3)
        return pieces <= 5 ? 8 : others <= 3 ? 16 : 32;
    if (others == 0 && endgame_wrong_rook_pawn(pos, strong))
        return SCALE_DRAW;
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
