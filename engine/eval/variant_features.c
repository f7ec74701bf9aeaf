/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/variant_features.h"

enum { BOARD = FEATURES_OF_BUCKET, MEN = 32, HORDE_MEN = 52 };

/* More of a kind than its steps are too rare to learn from. */
#define POCKET_STEPS                                                                               \
    {                                                                                              \
        [PAWN] = 6, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 3, [QUEEN] = 2                            \
    }

const VariantFeatures variant_features_table[RULESET_COUNT] = {
    [RULES_CRAZYHOUSE] = { .inputs = BOARD + 2 * 17,
                           .active_max = MEN,
                           .bucket_step = 4,
                           .counters = POCKET_TYPES,
                           .steps = POCKET_STEPS },
    [RULES_ANTICHESS] = { .inputs = BOARD, .active_max = MEN, .bucket_step = 4 },
    [RULES_ATOMIC] = { .inputs = BOARD, .active_max = MEN, .bucket_step = 4 },
    [RULES_HORDE] = { .inputs = BOARD, .active_max = HORDE_MEN, .bucket_step = 7 },
    [RULES_KING_OF_THE_HILL] = { .inputs = BOARD, .active_max = MEN, .bucket_step = 4 },
    [RULES_RACING_KINGS] = { .inputs = BOARD,
                             .active_max = MEN,
                             .bucket_step = 2,
                             .runs_up = true },
    [RULES_THREE_CHECK] = { .inputs = BOARD + 2 * (CHECKS_TO_WIN - 1),
                            .active_max = MEN + 2 * (CHECKS_TO_WIN - 1),
                            .bucket_step = 4,
                            .counters = 1,
                            .steps = { CHECKS_TO_WIN - 1 } },
};

FeatureView variant_features_view_of(Ruleset ruleset, Colour side, Square king)
{
    Square flip = side == BLACK && !variant_features_table[ruleset].runs_up ? 56 : 0;
    if (variant_rules_table[ruleset].is_royal[side] && king & 4)
        flip ^= 7;
    return (FeatureView){ .flip = flip };
}

FeatureView variant_features_view(const Position *pos, Colour side)
{
    Bitboard king = pos->pieces[side][KING];
    return variant_features_view_of(pos->ruleset, side, king ? bitboard_first(king) : 0);
}

int variant_features_counter_index(Ruleset ruleset, Colour side, Colour owner, int counter,
                                   int step)
{
    const VariantFeatures *features = &variant_features_table[ruleset];
    int index = BOARD + (owner != side ? (features->inputs - BOARD) / 2 : 0);
    for (int before = 0; before < counter; before++)
        index += features->steps[before];
    return index + step - 1;
}
