/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accumulator.h - the network's hidden units along a line of moves.
 *
 * Each position on the stack has the sums of its inputs' weights for both views. A push notes only
 * what the move changed. The sums are computed when a position is evaluated, from the nearest
 * position below that has them. So positions that are never evaluated cost next to nothing. A null
 * move changes no input: it is neither pushed nor popped. Where a king's move changes how its side
 * sees the board, they are computed from the last position that was seen in that way.
 *
 * Large (about 0.7 MiB), but only what is used takes memory where the system gives zeroed pages.
 * Zeroed bytes are a stack without network. Owner's thread only; allocates nothing.
 * After: chessprogramming.org, "NNUE" (accumulator, incremental updates, lazy updates,
 * refresh tables). */
#pragma once
#include "engine/core/change.h"
#include "engine/eval/features.h"
#include "engine/eval/network.h"

/* Moves that fit on a stack, and the root. */
enum { ACCUMULATOR_ENTRIES = 160 };

typedef struct {
    Change change; /* from the entry below */
    bool is_valid[COLOUR_COUNT];
    bool needs_refresh[COLOUR_COUNT]; /* the king's move changed this view: nothing below helps */
} AccumulatorEntry;

/* The last position that a side saw in one way. */
typedef struct {
    bool is_filled;
    Bitboard pieces[COLOUR_COUNT][PIECE_TYPE_COUNT];
    _Alignas(KERNELS_ALIGNMENT) int16_t hidden[NETWORK_WIDTH_MAX];
} AccumulatorView;

typedef struct {
    const Network *network; /* lent */
    int king_buckets;       /* the network's; a stack without network has none */
    int top;
    AccumulatorEntry entries[ACCUMULATOR_ENTRIES];
    _Alignas(KERNELS_ALIGNMENT) int16_t
        hidden[ACCUMULATOR_ENTRIES * COLOUR_COUNT * NETWORK_WIDTH_MAX]; /* [entry][view][width] */
    AccumulatorView views[COLOUR_COUNT][FEATURES_VIEWS];
} AccumulatorStack;

/* `root` becomes the only position; its sums are worked out at once. */
void accumulator_reset(AccumulatorStack *stack, const Network *network, const Position *root);

/* The position after a move with this change goes on top. */
static inline void accumulator_push(AccumulatorStack *stack, const Change *change)
{
    assert(stack->top + 1 < ACCUMULATOR_ENTRIES);
    AccumulatorEntry *entry = &stack->entries[++stack->top];
    const PieceOnSquare from = change->removed[0], to = change->added[0];
    Colour mover = piece_colour(from.piece);
    entry->change = *change;
    entry->is_valid[WHITE] = entry->is_valid[BLACK] = false;
    entry->needs_refresh[mover] =
        piece_type(from.piece) == KING &&
        features_view_changes(stack->king_buckets, mover, from.square, to.square);
    entry->needs_refresh[mover ^ 1] = false;
}

/* The same after a move whose change is not known: the sums are worked out anew. */
static inline void accumulator_push_unknown(AccumulatorStack *stack)
{
    assert(stack->top + 1 < ACCUMULATOR_ENTRIES);
    AccumulatorEntry *entry = &stack->entries[++stack->top];
    entry->is_valid[WHITE] = entry->is_valid[BLACK] = false;
    entry->needs_refresh[WHITE] = entry->needs_refresh[BLACK] = true;
}

static inline void accumulator_pop(AccumulatorStack *stack)
{
    assert(stack->top > 0);
    stack->top--;
}

/* The network's evaluation of the position on top, in centipawns for the side to move. Not
 * limited: the caller does that. */
int accumulator_evaluate(AccumulatorStack *stack, const Position *pos);

/* Are the sums of the position on top those of its board? For tests and asserts. */
bool accumulator_is_up_to_date(AccumulatorStack *stack, const Position *pos);
