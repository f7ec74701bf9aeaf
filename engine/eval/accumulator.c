/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/accumulator.h"

#include "engine/eval/output_layers.h"

#include <string.h>

static int16_t *hidden_of(AccumulatorStack *stack, int entry, Colour view)
{
    return stack->hidden +
           (size_t)(entry * COLOUR_COUNT + view) * (size_t)stack->network->info.width;
}

static FeatureView view_of(const AccumulatorStack *stack, const Position *pos, Colour side)
{
    return features_view(stack->king_buckets, side, position_king(pos, side));
}

/* Rows of the pieces on these squares, behind `count` others; returns how many there are then. */
static int add_rows(const int16_t **rows, int count, const Network *network, Colour side,
                    FeatureView view, Piece piece, Bitboard squares)
{
    while (squares)
        rows[count++] =
            network_feature(network, features_index(side, view, piece, bitboard_pop(&squares)));
    return count;
}

/* Turns a view's last position into `pos`. */
static void view_update(AccumulatorView *last, const Network *network, const Position *pos,
                        Colour side, FeatureView view)
{
    const int16_t *added[SQUARE_COUNT], *removed[SQUARE_COUNT];
    int added_count = 0, removed_count = 0;
    if (!last->is_filled) {
        last->is_filled = true;
        memset(last->pieces, 0, sizeof last->pieces);
        memcpy(last->hidden, network->weights.ft_biases,
               (size_t)network->info.width * sizeof *last->hidden);
    }
    for (Colour colour = WHITE; colour <= BLACK; colour++)
        for (PieceType type = PAWN; type <= KING; type++) {
            Bitboard before = last->pieces[colour][type], now = pos->pieces[colour][type];
            Piece piece = piece_make(colour, type);
            added_count = add_rows(added, added_count, network, side, view, piece, now & ~before);
            removed_count =
                add_rows(removed, removed_count, network, side, view, piece, before & ~now);
        }
    memcpy(last->pieces, pos->pieces, sizeof last->pieces);
    network->kernels->refresh(last->hidden, last->hidden, added, added_count, removed,
                              removed_count, network->info.width);
}

/* The sums of a position by way of the last one that its side saw in the same way. */
static void refresh(AccumulatorStack *stack, int16_t *hidden, const Position *pos, Colour side)
{
    FeatureView view = view_of(stack, pos, side);
    AccumulatorView *last = &stack->views[side][features_view_number(view)];
    view_update(last, stack->network, pos, side, view);
    memcpy(hidden, last->hidden, (size_t)stack->network->info.width * sizeof *hidden);
}

/* An entry's sums from those of the entry below; what L1 reads of them too, unless `active` is
 * NULL. */
static void update(AccumulatorStack *stack, int entry, Colour side, FeatureView view,
                   uint8_t *active)
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
    network->kernels->update(hidden_of(stack, entry, side), hidden_of(stack, entry - 1, side),
                             added, change->added_count, removed, change->removed_count,
                             network->info.width, active,
                             network_activations(network_shape_of(&network->info)));
    stack->entries[entry].is_valid[side] = true;
}

/* Works out the sums of the position on top, and what L1 reads of them. */
static void materialise(AccumulatorStack *stack, const Position *pos, Colour side, uint8_t *active)
{
    int entry = stack->top;
    while (!stack->entries[entry].is_valid[side] && !stack->entries[entry].needs_refresh[side])
        entry--;
    if (!stack->entries[entry].is_valid[side]) {
        refresh(stack, hidden_of(stack, stack->top, side), pos, side);
        entry = stack->top;
        stack->entries[entry].is_valid[side] = true;
    }
    if (entry == stack->top) {
        output_layers_activate(stack->network, active, hidden_of(stack, entry, side));
        return;
    }
    FeatureView view = view_of(stack, pos, side);
    while (++entry < stack->top)
        update(stack, entry, side, view, NULL);
    update(stack, entry, side, view, active);
}

void accumulator_reset(AccumulatorStack *stack, const Network *network, const Position *root)
{
    stack->network = network;
    stack->king_buckets = network->info.king_buckets;
    stack->top = 0;
    for (Colour side = WHITE; side <= BLACK; side++) {
        for (int i = 0; i < FEATURES_VIEWS; i++)
            stack->views[side][i].is_filled = false;
        refresh(stack, hidden_of(stack, 0, side), root, side);
        stack->entries[0].is_valid[side] = true;
    }
}

int accumulator_evaluate(AccumulatorStack *stack, const Position *pos)
{
    const Network *network = stack->network;
    const int count = network_activations(network_shape_of(&network->info));
    _Alignas(KERNELS_ALIGNMENT) uint8_t active[OUTPUT_LAYERS_INPUTS_MAX];
    Colour us = pos->side_to_move;
    materialise(stack, pos, us, active);
    materialise(stack, pos, us ^ 1, active + count);
    assert(accumulator_is_up_to_date(stack, pos));
    int bucket = network_bucket(network->info.buckets, bitboard_count(pos->occupied));
    return output_layers_evaluate(network, active, bucket);
}

bool accumulator_is_up_to_date(AccumulatorStack *stack, const Position *pos)
{
    size_t bytes = (size_t)stack->network->info.width * sizeof *stack->hidden;
    for (Colour side = WHITE; side <= BLACK; side++) {
        _Alignas(KERNELS_ALIGNMENT) uint8_t active[OUTPUT_LAYERS_INPUTS_MAX];
        AccumulatorView fresh = { 0 };
        view_update(&fresh, stack->network, pos, side, view_of(stack, pos, side));
        materialise(stack, pos, side, active);
        if (memcmp(fresh.hidden, hidden_of(stack, stack->top, side), bytes) != 0)
            return false;
    }
    return true;
}
