/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_accumulator.h - the hidden units of a variant's network.
 *
 * Moves of variants change many squares, or hands, at once. So no list of changes is kept along a
 * line: each view remembers the last position that was evaluated in it, and turns that into the
 * next one by what differs. Owner's thread only; allocates nothing. Zeroed bytes are one without
 * network. */
#pragma once
#include "engine/eval/network.h"

/* The last position that a side saw in one way. */
typedef struct {
    bool is_filled;
    Bitboard pieces[COLOUR_COUNT][PIECE_TYPE_COUNT];
    uint8_t counters[COLOUR_COUNT][POCKET_TYPES]; /* variant_features.h; up to their last step */
    _Alignas(KERNELS_ALIGNMENT) int16_t hidden[NETWORK_WIDTH_MAX];
} VariantView;

typedef struct {
    const Network *network;             /* lent; NULL: none */
    VariantView views[COLOUR_COUNT][2]; /* [side][is mirrored] */
} VariantAccumulator;

/* Forgets all positions. `network` may be NULL. */
void variant_accumulator_reset(VariantAccumulator *accumulator, const Network *network);

/* The network's evaluation of a position of its rules, in centipawns for the side to move. Not
 * limited: the caller does that. */
int variant_accumulator_evaluate(VariantAccumulator *accumulator, const Position *pos);
