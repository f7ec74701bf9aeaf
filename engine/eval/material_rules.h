/* SPDX-License-Identifier: GPL-3.0-or-later */
/* material_rules.h - what the material alone decides, whatever evaluates the rest: bare kings that
 * must be mated, and material that cannot win. Pure.
 * After: chessprogramming.org, "Mop-up Evaluation", "Wrong Color Bishop and Rook Pawn". */
#pragma once
#include "engine/core/position.h"

#include <stdlib.h>

#define BITBOARD_DARK 0xaa55aa55aa55aa55ULL

static inline Bitboard same_colour_squares(Square square)
{
    return bitboard_has(BITBOARD_DARK, square) ? BITBOARD_DARK : ~BITBOARD_DARK;
}

static inline int king_distance(Square a, Square b)
{
    int files = abs(square_file(a) - square_file(b));
    int ranks = abs(square_rank(a) - square_rank(b));
    return files > ranks ? files : ranks;
}

/* In pawns. */
static inline int material_of_pieces(const Position *pos, Colour us)
{
    return 3 * bitboard_count(pos->pieces[us][KNIGHT] | pos->pieces[us][BISHOP]) +
           5 * bitboard_count(pos->pieces[us][ROOK]) + 9 * bitboard_count(pos->pieces[us][QUEEN]);
}

static inline bool material_has_bishops_of_both_colours(const Position *pos, Colour us)
{
    Bitboard bishops = pos->pieces[us][BISHOP];
    return (bishops & BITBOARD_DARK) && (bishops & ~BITBOARD_DARK);
}

/* The material of `us`, pawns aside, can mate a bare king by force. */
static inline bool material_can_mate(const Position *pos, Colour us)
{
    return pos->pieces[us][QUEEN] || pos->pieces[us][ROOK] ||
           material_has_bishops_of_both_colours(pos, us) ||
           (pos->pieces[us][BISHOP] && pos->pieces[us][KNIGHT]) ||
           bitboard_count(pos->pieces[us][KNIGHT]) > 2;
}

static inline bool material_is_mop_up(const Position *pos, Colour us)
{
    return pos->occupied_by[!us] == pos->pieces[!us][KING] && material_can_mate(pos, us);
}

/* A bare king is driven to the edge (with bishop and knight to a corner of the bishop's colour)
 * and the other king comes close: what the search needs to see progress. */
static inline int material_mop_up(const Position *pos, Colour us)
{
    enum { WON = 3000, STEP_TO_EDGE = 40, STEP_TO_KING = 60, STEP_TO_CORNER = 60 };
    Square king = position_king(pos, !us);
    int file = square_file(king), rank = square_rank(king);
    int material = 100 * (material_of_pieces(pos, us) + bitboard_count(pos->pieces[us][PAWN]));
    int value = WON + material;
    value += STEP_TO_KING * (7 - king_distance(king, position_king(pos, us)));
    if (pos->pieces[us][PAWN] || pos->pieces[us][QUEEN] || pos->pieces[us][ROOK] ||
        !pos->pieces[us][KNIGHT] || material_has_bishops_of_both_colours(pos, us))
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

/* Against a bare king the rule above is the whole evaluation, *value for the side to move. */
static inline bool material_decides(const Position *pos, int *value)
{
    for (Colour us = WHITE; us <= BLACK; us++) {
        if (!material_is_mop_up(pos, us))
            continue;
        *value = us == pos->side_to_move ? material_mop_up(pos, us) : -material_mop_up(pos, us);
        return true;
    }
    return false;
}

/* Only pawns on one rook file and at most bishops that don't own its last square, against a king
 * that stands there. */
static inline bool material_is_wrong_rook_pawn(const Position *pos, Colour us)
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

/* Whatever advantage `us` has, it cannot be won with. */
static inline bool material_cannot_win(const Position *pos, Colour us)
{
    if (!pos->pieces[us][PAWN])
        return !material_can_mate(pos, us);
    return material_of_pieces(pos, !us) == 0 && material_is_wrong_rook_pawn(pos, us);
}
