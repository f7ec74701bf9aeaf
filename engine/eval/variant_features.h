/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_features.h - which inputs of a variant's network a position switches on: those of
 * features.h without king buckets, and one for each step of what a side has in hand or has given
 * of checks.
 *
 * A view is mirrored as in chess where its side has a royal king. It has its own side at the bottom
 * but in racing kings, where both run up the board. Const tables and functions of a position; any
 * thread. */
#pragma once
#include "engine/core/variant_rules.h"
#include "engine/eval/features.h"

/* Most inputs that any board and any hand switch on at once. */
enum { VARIANT_FEATURES_ACTIVE_MAX = SQUARE_COUNT + 2 * 17 };

/* What one set of rules asks for. */
typedef struct {
    int inputs;              /* of a view */
    int active_max;          /* switched on at once in any game */
    int bucket_step;         /* output buckets change with so many men */
    int counters;            /* of a side: what it has in hand by kind, or its checks given */
    int steps[POCKET_TYPES]; /* a counter's inputs: it is at least 1, at least 2, ... */
    bool runs_up;            /* nobody's view is turned round */
} VariantFeatures;

/* Indexed by Ruleset; that of chess is empty. */
extern const VariantFeatures variant_features_table[RULESET_COUNT];

/* The view of a side. */
FeatureView variant_features_view(const Position *pos, Colour side);

/* The same from where its king stands, which matters where it is royal. */
FeatureView variant_features_view_of(Ruleset ruleset, Colour side, Square king);

/* The counters of a side. */
static inline const uint8_t *variant_features_counters(const VariantState *state, Ruleset ruleset,
                                                       Colour side)
{
    return ruleset == RULES_CRAZYHOUSE ? state->pocket[side] : &state->checks_given[side];
}

/* The input of a counter of `owner` that has come to `step`, from 1 on, in the view of `side`. */
int variant_features_counter_index(Ruleset ruleset, Colour side, Colour owner, int counter,
                                   int step);
