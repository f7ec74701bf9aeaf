/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/variant_accumulator.h"

#include "engine/base/minmax.h"
#include "engine/eval/output_layers.h"
#include "engine/eval/variant_features.h"

#include <string.h>

/* What turns one position into another. */
typedef struct {
    const Network *network;
    Colour side;
    FeatureView view;
    const int16_t *rows[2][VARIANT_FEATURES_ACTIVE_MAX]; /* [is added] */
    int counts[2];
} Difference;

static void note_row(Difference *d, bool is_added, int input)
{
    d->rows[is_added][d->counts[is_added]++] = network_feature(d->network, input);
}

static void note_squares(Difference *d, bool is_added, Piece piece, Bitboard squares)
{
    while (squares)
        note_row(d, is_added, features_index(d->side, d->view, piece, bitboard_pop(&squares)));
}

static void note_pieces(Difference *d, VariantView *last, const Position *pos)
{
    for (Colour colour = WHITE; colour <= BLACK; colour++)
        for (PieceType type = PAWN; type <= KING; type++) {
            Bitboard before = last->pieces[colour][type], now = pos->pieces[colour][type];
            if (before == now)
                continue;
            note_squares(d, true, piece_make(colour, type), now & ~before);
            note_squares(d, false, piece_make(colour, type), before & ~now);
            last->pieces[colour][type] = now;
        }
}

static void note_counters(Difference *d, VariantView *last, const Position *pos)
{
    const VariantFeatures *features = &variant_features_table[pos->ruleset];
    for (Colour owner = WHITE; owner <= BLACK; owner++) {
        const uint8_t *counters = variant_features_counters(&pos->variant, pos->ruleset, owner);
        for (int i = 0; i < features->counters; i++) {
            int before = last->counters[owner][i], now = int_min(counters[i], features->steps[i]);
            for (int step = int_min(before, now) + 1; step <= int_max(before, now); step++)
                note_row(d, now > before,
                         variant_features_counter_index(pos->ruleset, d->side, owner, i, step));
            last->counters[owner][i] = (uint8_t)now;
        }
    }
}

static const int16_t *hidden_of(VariantAccumulator *accumulator, const Position *pos, Colour side)
{
    const Network *network = accumulator->network;
    Difference d = { .network = network, .side = side, .view = variant_features_view(pos, side) };
    VariantView *last = &accumulator->views[side][d.view.flip & 1];
    if (!last->is_filled) {
        last->is_filled = true;
        memset(last->pieces, 0, sizeof last->pieces);
        memset(last->counters, 0, sizeof last->counters);
        memcpy(last->hidden, network->weights.ft_biases,
               (size_t)network->info.width * sizeof *last->hidden);
    }
    note_pieces(&d, last, pos);
    note_counters(&d, last, pos);
    network->kernels->refresh(last->hidden, last->hidden, d.rows[true], d.counts[true],
                              d.rows[false], d.counts[false], network->info.width);
    return last->hidden;
}

void variant_accumulator_reset(VariantAccumulator *accumulator, const Network *network)
{
    accumulator->network = network;
    for (int i = 0; i < COLOUR_COUNT * 2; i++)
        accumulator->views[i / 2][i % 2].is_filled = false;
}

int variant_accumulator_evaluate(VariantAccumulator *accumulator, const Position *pos)
{
    Colour us = pos->side_to_move;
    const Network *network = accumulator->network;
    assert(network->info.ruleset == pos->ruleset);
    const int count = network_activations(network_shape_of(&network->info));
    _Alignas(KERNELS_ALIGNMENT) uint8_t active[OUTPUT_LAYERS_INPUTS_MAX];
    output_layers_activate(network, active, hidden_of(accumulator, pos, us));
    output_layers_activate(network, active + count, hidden_of(accumulator, pos, us ^ 1));
    int bucket =
        network_variant_bucket(pos->ruleset, network->info.buckets, bitboard_count(pos->occupied));
    return output_layers_evaluate(network, active, bucket);
}
