/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/movegen.h"

#include "engine/core/movegen_lists.h"
#include "engine/core/movegen_variant.h"

void movegen_legal(const Position *pos, MoveList *list)
{
    if (!position_is_chess(pos))
        movegen_variant(pos, list, ALL);
    else if (pos->side_to_move == WHITE)
        write_moves(pos, list, WHITE, ALL, 0, OF_CHESS);
    else
        write_moves(pos, list, BLACK, ALL, 0, OF_CHESS);
}

void movegen_noisy(const Position *pos, MoveList *list)
{
    if (!position_is_chess(pos))
        movegen_variant(pos, list, NOISY);
    else if (pos->side_to_move == WHITE)
        write_moves(pos, list, WHITE, NOISY, 0, OF_CHESS);
    else
        write_moves(pos, list, BLACK, NOISY, 0, OF_CHESS);
}

void movegen_quiet(const Position *pos, Bitboard threats, MoveList *list)
{
    if (!position_is_chess(pos))
        movegen_variant(pos, list, QUIET);
    else if (pos->side_to_move == WHITE)
        write_moves(pos, list, WHITE, QUIET, threats, OF_CHESS);
    else
        write_moves(pos, list, BLACK, QUIET, threats, OF_CHESS);
}

Bitboard movegen_threats(const Position *pos)
{
    if (!position_is_chess(pos))
        return variant_threats(pos, pos->side_to_move);
    return attacked_by_enemy(pos, pos->side_to_move, OF_CHESS);
}

int movegen_count(const Position *pos)
{
    if (!position_is_chess(pos))
        return variant_end(pos) == VARIANT_GOES_ON ? movegen_variant_count(pos) : 0;
    return pos->side_to_move == WHITE ? count_legal(pos, WHITE, OF_CHESS)
                                      : count_legal(pos, BLACK, OF_CHESS);
}
