/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/outcome.h"

#include "engine/core/movegen.h"

#define BITBOARD_LIGHT_SQUARES 0x55aa55aa55aa55aaULL

Outcome position_outcome(const Position *pos)
{
    if (movegen_count(pos) == 0)
        return position_in_check(pos) ? OUTCOME_CHECKMATE : OUTCOME_STALEMATE;
    if (position_insufficient_material(pos))
        return OUTCOME_INSUFFICIENT_MATERIAL;
    int repetitions = position_repetitions(pos);
    if (repetitions >= 4)
        return OUTCOME_FIVEFOLD;
    if (pos->halfmove_clock >= 150)
        return OUTCOME_SEVENTY_FIVE_MOVES;
    if (repetitions >= 2)
        return OUTCOME_THREEFOLD;
    if (pos->halfmove_clock >= 100)
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
    }
    return "unknown";
}

int position_repetitions(const Position *pos)
{
    uint32_t reach =
        pos->halfmove_clock < pos->plies_since_null ? pos->halfmove_clock : pos->plies_since_null;
    if (reach >= POSITION_KEY_RING)
        reach = POSITION_KEY_RING - 1;
    int count = 0;
    for (uint32_t back = 4; back <= reach; back += 2)
        count += pos->keys[(pos->ply - back) % POSITION_KEY_RING] == pos->key;
    return count;
}

bool position_insufficient_material(const Position *pos)
{
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
