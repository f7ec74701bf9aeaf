/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/search_rules.h"

#include "engine/core/attacks.h"
#include "engine/core/movegen.h"
#include "engine/core/variant_rules.h"

/* Is there a step of the king into `goal` after which the game is lost for the other side? */
static bool king_wins_in(Position *pos, Bitboard goal)
{
    Colour us = pos->side_to_move;
    Square king = position_king(pos, us);
    Bitboard targets = attacks_king(king) & goal & ~pos->occupied_by[us];
    while (targets) {
        Square to = bitboard_pop(&targets);
        Move m = move_make(king, to, pos->board[to] == PIECE_NONE ? MOVE_QUIET : MOVE_CAPTURE);
        if (!position_is_legal(pos, m))
            continue;
        Undo undo;
        position_make(pos, m, &undo);
        bool wins = variant_end(pos) == VARIANT_LOST;
        position_unmake(pos, m, &undo);
        if (wins)
            return true;
    }
    return false;
}

/* Could that side's king step into `goal` if it were its turn? */
static bool king_may_step_into(const Position *pos, Colour side, Bitboard goal)
{
    Square king = position_king(pos, side);
    Bitboard others = pos->occupied ^ square_bit(king), enemies = pos->occupied_by[side ^ 1];
    Bitboard targets = attacks_king(king) & goal & ~pos->occupied_by[side];
    while (targets)
        if (!(position_attackers(pos, bitboard_pop(&targets), others) & enemies))
            return true;
    return false;
}

/* Also where White has arrived and Black's next step must draw. */
static bool may_be_beaten_in_race(const Position *pos)
{
    return king_may_step_into(pos, pos->side_to_move ^ 1, BITBOARD_RANK_8);
}

static bool reaches_hill(Position *pos)
{
    return king_wins_in(pos, VARIANT_HILL);
}

static bool wins_race(Position *pos)
{
    return king_wins_in(pos, BITBOARD_RANK_8);
}

static bool gives_last_check(Position *pos)
{
    if (pos->variant.checks_given[pos->side_to_move] != CHECKS_TO_WIN - 1)
        return false;
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++)
        if (position_gives_check(pos, list.moves[i]))
            return true;
    return false;
}

/* A capture beside the enemy king and not beside ours is legal whatever else it does. */
static bool can_explode_king(const Position *pos, Colour us)
{
    Colour them = us ^ 1;
    Square king = position_king(pos, us), enemy = position_king(pos, them);
    Bitboard targets = (attacks_king(enemy) | square_bit(enemy)) & pos->occupied_by[them];
    Bitboard captors = pos->occupied_by[us] & ~square_bit(king);
    for (targets &= ~attacks_king(king); targets;)
        if (position_attackers(pos, bitboard_pop(&targets), pos->occupied) & captors)
            return true;
    return false;
}

static bool explodes_king(Position *pos)
{
    return can_explode_king(pos, pos->side_to_move);
}

static bool may_be_exploded(const Position *pos)
{
    return can_explode_king(pos, pos->side_to_move ^ 1);
}

const SearchRules search_rules_table[RULESET_COUNT] = {
    [RULES_STANDARD] = { .has_null_moves = true },
    [RULES_CRAZYHOUSE] = { .has_null_moves = true, .is_material_double = true },
    [RULES_ANTICHESS] = { .exchanges = EXCHANGES_FORCED },
    [RULES_ATOMIC] = { .exchanges = EXCHANGES_EXPLODE,
                       .has_null_moves = true,
                       .wins_at_once = explodes_king,
                       .is_threatened = may_be_exploded },
    [RULES_HORDE] = { 0 },
    [RULES_KING_OF_THE_HILL] = { .has_null_moves = true, .wins_at_once = reaches_hill },
    [RULES_RACING_KINGS] = { .allows_losses = true,
                             .wins_at_once = wins_race,
                             .is_threatened = may_be_beaten_in_race },
    [RULES_THREE_CHECK] = { .has_null_moves = true,
                            .check_wins_all = true,
                            .wins_at_once = gives_last_check },
};
