/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/outcome.h"

#include "engine/core/movegen.h"
#include "engine/core/movegen_variant.h"

#define BITBOARD_LIGHT_SQUARES 0x55aa55aa55aa55aaULL

/* Mate, the variant's own end, or no moves; else OUTCOME_NONE. */
static Outcome outcome_of_moves(const Position *pos)
{
    if (position_is_chess(pos)) {
        if (movegen_count(pos) > 0)
            return OUTCOME_NONE;
        return position_in_check(pos) ? OUTCOME_CHECKMATE : OUTCOME_STALEMATE;
    }
    /* Moves are asked for only where there is a king: it may have exploded. */
    if (position_in_check(pos) && movegen_variant_count(pos) == 0)
        return OUTCOME_CHECKMATE;
    switch (variant_end(pos)) {
    case VARIANT_LOST:
        return OUTCOME_VARIANT_LOSS;
    case VARIANT_WON:
        return OUTCOME_VARIANT_WIN;
    case VARIANT_DRAWN:
        return OUTCOME_VARIANT_DRAW;
    case VARIANT_GOES_ON:
        break;
    }
    if (movegen_variant_count(pos) > 0)
        return OUTCOME_NONE;
    return variant_rules(pos)->wins_without_move ? OUTCOME_VARIANT_WIN : OUTCOME_STALEMATE;
}

Outcome position_outcome(const Position *pos)
{
    Outcome outcome = outcome_of_moves(pos);
    if (outcome != OUTCOME_NONE)
        return outcome;
    if (position_insufficient_material(pos))
        return OUTCOME_INSUFFICIENT_MATERIAL;
    int repetitions = position_repetitions(pos);
    if (repetitions >= 4)
        return OUTCOME_FIVEFOLD;
    int clock = variant_rules(pos)->draws_by_clock ? pos->halfmove_clock : 0;
    if (clock >= 150)
        return OUTCOME_SEVENTY_FIVE_MOVES;
    if (repetitions >= 2)
        return OUTCOME_THREEFOLD;
    if (clock >= 100)
        return OUTCOME_FIFTY_MOVES;
    return OUTCOME_NONE;
}

const char *outcome_text(Outcome outcome)
{
    switch (outcome) {
    case OUTCOME_NONE:
        return "none";
    case OUTCOME_CHECKMATE:
        return "checkmate";
    case OUTCOME_STALEMATE:
        return "stalemate";
    case OUTCOME_INSUFFICIENT_MATERIAL:
        return "insufficient material";
    case OUTCOME_FIVEFOLD:
        return "fivefold repetition";
    case OUTCOME_SEVENTY_FIVE_MOVES:
        return "75-move rule";
    case OUTCOME_THREEFOLD:
        return "threefold repetition";
    case OUTCOME_FIFTY_MOVES:
        return "50-move rule";
    case OUTCOME_VARIANT_LOSS:
        return "lost by the variant's rule";
    case OUTCOME_VARIANT_WIN:
        return "won by the variant's rule";
    case OUTCOME_VARIANT_DRAW:
        return "drawn by the variant's rule";
    }
    return "unknown";
}

uint32_t position_repetition_reach(const Position *pos)
{
    uint32_t reach = pos->halfmove_clock;
    bool all_keys_count = !position_is_chess(pos) && variant_rules(pos)->drops_captures;
    if (all_keys_count || pos->plies_since_null < reach)
        reach = pos->plies_since_null;
    return reach < POSITION_KEY_RING ? reach : POSITION_KEY_RING - 1;
}

int position_repetitions(const Position *pos)
{
    uint32_t reach = position_repetition_reach(pos);
    int count = 0;
    for (uint32_t back = 4; back <= reach; back += 2)
        count += pos->keys[(pos->ply - back) % POSITION_KEY_RING] == pos->key;
    return count;
}

static bool variant_is_dead(const Position *pos)
{
    const VariantRules *rules = variant_rules(pos);
    return rules->is_dead && rules->is_dead(pos);
}

bool position_insufficient_material(const Position *pos)
{
    if (!position_is_chess(pos))
        return variant_is_dead(pos);
    const Bitboard(*p)[PIECE_TYPE_COUNT] = pos->pieces;
    if (p[WHITE][PAWN] | p[BLACK][PAWN] | p[WHITE][ROOK] | p[BLACK][ROOK] | p[WHITE][QUEEN] |
        p[BLACK][QUEEN])
        return false;
    Bitboard knights = p[WHITE][KNIGHT] | p[BLACK][KNIGHT];
    Bitboard bishops = p[WHITE][BISHOP] | p[BLACK][BISHOP];
    if (knights)
        return !bishops && !bitboard_many(knights);
    return !(bishops & BITBOARD_LIGHT_SQUARES) || !(bishops & ~BITBOARD_LIGHT_SQUARES);
}
