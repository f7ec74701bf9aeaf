/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/accumulator.h"

#include "engine/eval/output_layers.h"

#include <string.h>

static int16_t *hidden_of(AccumulatorStack *stack, int entry, Colour view)
{
    return stack->hidden +
           (size_t)(entry * COLOUR_COUNT + view) * (size_t)stack->network->info.width;
}

/* The sums of a position from all of its pieces. */
static void refresh(const Network *network, int16_t *hidden, const Position *pos, Colour side)
{
    const int16_t *rows[SQUARE_COUNT];
    int count = 0;
    FeatureView view = features_view(side, position_king(pos, side));
    for (Bitboard left = pos->occupied; left;) {
        Square square = bitboard_pop(&left);
        rows[count++] =
            network_feature(network, features_index(side, view, pos->board[square], square));
    }
    network->kernels->refresh(hidden, network->weights.feature_biases, rows, count,
                              network->info.width);
}

/* An entry's sums from those of the entry below. */
static void update(AccumulatorStack *stack, int entry, Colour side, FeatureView view)
{
    const Network *network = stack->network;
    const Change *change = &stack->entries[entry].change;
    const int16_t *added[CHANGE_PIECES_MAX], *removed[CHANGE_PIECES_MAX];
    for (int i = 0; i < change->added_count; i++)
        added[i] = network_feature(
            network, features_index(side, view, change->added[i].piece, change->added[i].square));
    for (int i = 0; i < change->removed_count; i++)
        removed[i] = network_feature(network, features_index(side, view, change->removed[i].piece,
                                                             change->removed[i].square));
    const Kernels *kernels = network->kernels;
    int16_t *to = hidden_of(stack, entry, side);
    const int16_t *from = hidden_of(stack, entry - 1, side);
    if (change->added_count == 2)
        kernels->add2_remove2(to, from, added, removed, network->info.width);
    else if (change->removed_count == 2)
        kernels->add1_remove2(to, from, added, removed, network->info.width);
    else
        kernels->add1_remove1(to, from, added, removed, network->info.width);
    stack->entries[entry].is_valid[side] = true;
}

/* The sums of the position on top. */
static const int16_t *materialise(AccumulatorStack *stack, const Position *pos, Colour side)
{
    int16_t *hidden = hidden_of(stack, stack->top, side);
    int entry = stack->top;
    while (!stack->entries[entry].is_valid[side]) {
        if (stack->entries[entry].needs_refresh[side]) {
            refresh(stack->network, hidden, pos, side);
            stack->entries[stack->top].is_valid[side] = true;
            return hidden;
        }
        entry--;
    }
    FeatureView view = features_view(side, position_king(pos, side));
    while (entry < stack->top)
        update(stack, ++entry, side, view);
    return hidden;
}

void accumulator_reset(AccumulatorStack *stack, const Network *network, const Position *root)
{
    stack->network = network;
    stack->top = 0;
    for (Colour view = WHITE; view <= BLACK; view++) {
        refresh(network, hidden_of(stack, 0, view), root, view);
        stack->entries[0].is_valid[view] = true;
    }
}

int accumulator_evaluate(AccumulatorStack *stack, const Position *pos)
{
    Colour us = pos->side_to_move;
    const int16_t *ours = materialise(stack, pos, us);
    const int16_t *theirs = materialise(stack, pos, us ^ 1);
    assert(accumulator_is_up_to_date(stack, pos));
    return output_layers_evaluate(stack->network, ours, theirs, bitboard_count(pos->occupied));
}

bool accumulator_is_up_to_date(AccumulatorStack *stack, const Position *pos)
{
    _Alignas(KERNELS_ALIGNMENT) int16_t fresh[NETWORK_WIDTH_MAX];
    size_t bytes = (size_t)stack->network->info.width * sizeof *fresh;
    for (Colour view = WHITE; view <= BLACK; view++) {
        refresh(stack->network, fresh, pos, view);
        if (memcmp(fresh, materialise(stack, pos, view), bytes) != 0)
            return false;
    }
    return true;
}
