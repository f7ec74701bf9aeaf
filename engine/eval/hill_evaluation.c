/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/hill_evaluation.h"

#include "engine/base/minmax.h"
#include "engine/core/attacks.h"
#include "engine/core/variant_rules.h"

#include <stdlib.h>

/* In centipawns, chosen by hand and judged by matches alone: with so many steps of the king left to
 * the hill; for each ring nearer to it, in the middlegame and in the endgame; for the move. */
enum { GOAL_STEPS = 5, APPROACH_MG = 10, APPROACH_EG = 25, TEMPO = 10, PHASE_MAX = 24 };
static const int goal[GOAL_STEPS] = { 800, 180, 75, 30, 10 };

static Bitboard around(Bitboard set)
{
    set |= (set & ~BITBOARD_FILE_A) >> 1 | (set & ~BITBOARD_FILE_H) << 1;
    return set | set << 8 | set >> 8;
}

static Bitboard attacked_by(const Position *pos, Colour us)
{
    Bitboard attacked = attacks_of_pawns(us, pos->pieces[us][PAWN]);
    for (PieceType type = KNIGHT; type < PIECE_TYPE_COUNT; type++)
        for (Bitboard set = pos->pieces[us][type]; set;)
            attacked |= attacks_of(type, bitboard_pop(&set), pos->occupied);
    return attacked;
}

/* For a king that comes to the hill in few moves over squares that the enemy does not attack. */
static int goal_points(const Position *pos, Colour us)
{
    Bitboard reached = pos->pieces[us][KING];
    Bitboard open = ~attacked_by(pos, us ^ 1) & ~pos->occupied_by[us];
    for (int steps = 0; steps < GOAL_STEPS; steps++) {
        if (reached & VARIANT_HILL)
            return goal[steps];
        reached |= around(reached) & open;
    }
    return 0;
}

/* Rings nearer to the hill than the edge of the board is, however safe. */
static int rings(const Position *pos, Colour us)
{
    Square king = position_king(pos, us);
    return 3 - int_max(abs(2 * square_file(king) - 7), abs(2 * square_rank(king) - 7)) / 2;
}

/* With all pieces of chess on the board; 0 without any. */
static int phase_of(const Position *pos)
{
    static const int weight[PIECE_TYPE_COUNT] = { 0, 1, 1, 2, 4, 0 };
    int phase = 0;
    for (Colour c = WHITE; c <= BLACK; c++)
        for (PieceType type = KNIGHT; type < KING; type++)
            phase += weight[type] * bitboard_count(pos->pieces[c][type]);
    return int_min(phase, PHASE_MAX);
}

int hill_evaluate(AccumulatorStack *accumulators, const Position *pos)
{
    Colour us = pos->side_to_move, them = us ^ 1;
    int points = goal_points(pos, us) - goal_points(pos, them) + TEMPO;
    int nearer = rings(pos, us) - rings(pos, them), phase = phase_of(pos);
    int mg = points + APPROACH_MG * nearer, eg = points + APPROACH_EG * nearer;
    return accumulator_evaluate(accumulators, pos) +
           (mg * phase + eg * (PHASE_MAX - phase)) / PHASE_MAX;
}
