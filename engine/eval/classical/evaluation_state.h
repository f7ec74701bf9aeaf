/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluation_state.h - what the parts of one evaluation share. Private to this folder: classical.c
 * includes it and the parts (pawns.h, pieces.h, king.h, threats.h, endgame.h) as they are; trace.c
 * does so with EVAL_TRACE defined, which makes the same code also write down how often each weight
 * was used. So the tuner always has the engine's evaluation, and the engine pays nothing for it. */
#pragma once
#include "engine/core/attacks.h"
#include "engine/core/position.h"
#include "engine/eval/classical/classical.h"
#include "engine/eval/classical/terms.h"
#include "engine/eval/material_rules.h"
#ifdef EVAL_TRACE
    #include "engine/eval/classical/trace.h"
#endif

/* Forced, so that each call has a constant colour and shifts and signs fold away. */
#define EVAL_INLINE static inline __attribute__((always_inline))

static const Tapered eval_weights[] = {
#define S(mg, eg) TAPERED(mg, eg)
#include "engine/eval/classical/weights.inc"
#undef S
};
static_assert(sizeof eval_weights / sizeof *eval_weights == TERM_COUNT,
              "weights.inc has a weight for each term");

typedef struct {
    const Position *pos;
    Tapered score;                /* White's good minus Black's */
    Tapered danger[COLOUR_COUNT]; /* that this side's king is in */
    Tapered complexity;
    Bitboard pawn_attacks[COLOUR_COUNT];
    Bitboard attacks[COLOUR_COUNT][PIECE_TYPE_COUNT]; /* by kind of piece, x-rays included */
    Bitboard attacked[COLOUR_COUNT];
    Bitboard attacked_twice[COLOUR_COUNT];
    Bitboard mobility_area[COLOUR_COUNT];
    Bitboard king_ring[COLOUR_COUNT];
    Bitboard pinned[COLOUR_COUNT]; /* own pieces that alone shield the own king */
    Bitboard attack_span[COLOUR_COUNT];
    Bitboard passed;
    int king_attackers[COLOUR_COUNT]; /* pieces of this side that attack the other king's ring */
#ifdef EVAL_TRACE
    EvalTrace *trace;
#endif
} Evaluation;

/* `us` has this feature `count` times. */
EVAL_INLINE void evaluation_add(Evaluation *ev, Colour us, int term, int count)
{
    Tapered value = eval_weights[term] * count;
    ev->score += us == WHITE ? value : -value;
#ifdef EVAL_TRACE
    ev->trace->count[us][term] = (int16_t)(ev->trace->count[us][term] + count);
#endif
}

/* Adds to the danger of the king of `us`. */
EVAL_INLINE void evaluation_endanger(Evaluation *ev, Colour us, int term, int count)
{
    ev->danger[us] += eval_weights[term] * count;
#ifdef EVAL_TRACE
    ev->trace->count[us][term] = (int16_t)(ev->trace->count[us][term] + count);
#endif
}

EVAL_INLINE void evaluation_complicate(Evaluation *ev, int term, int count)
{
    ev->complexity += eval_weights[term] * count;
#ifdef EVAL_TRACE
    ev->trace->count[WHITE][term] = (int16_t)(ev->trace->count[WHITE][term] + count);
#endif
}

/* Geometry from one side's point of view. */

EVAL_INLINE int rank_of(Colour us, Square square)
{
    return us == WHITE ? square_rank(square) : 7 - square_rank(square);
}

EVAL_INLINE int edge_of(Square square)
{
    int file = square_file(square);
    return file < 4 ? file : 7 - file;
}

EVAL_INLINE Bitboard forward(Colour us, Bitboard set)
{
    return us == WHITE ? set << 8 : set >> 8;
}

EVAL_INLINE Bitboard file_mask(int file)
{
    return BITBOARD_FILE_A << file;
}

EVAL_INLINE Bitboard neighbour_files(int file)
{
    Bitboard mask = file_mask(file);
    return (mask & ~BITBOARD_FILE_A) >> 1 | (mask & ~BITBOARD_FILE_H) << 1;
}

/* `low`..`high` counted from 0 for the side's own first rank. */
EVAL_INLINE Bitboard ranks_mask(Colour us, int low, int high)
{
    return us == WHITE ? ~0ULL << 8 * low & ~0ULL >> 8 * (7 - high)
                       : ~0ULL >> 8 * low & ~0ULL << 8 * (7 - high);
}

/* All ranks beyond the square's own. */
EVAL_INLINE Bitboard ranks_ahead(Colour us, Square square)
{
    int rank = square_rank(square);
    return us == WHITE ? ~0ULL << 8 * rank << 8 : ~0ULL >> 8 * (7 - rank) >> 8;
}

/* For the PLACE terms: kings on different wings have different plans. */
EVAL_INLINE int place_index(Colour us, Square square, Square enemy_king)
{
    bool other_wing = (square_file(square) ^ square_file(enemy_king)) & 4;
    return other_wing * 32 + rank_of(us, square) * 4 + edge_of(square);
}
