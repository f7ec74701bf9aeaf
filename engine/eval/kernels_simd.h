/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels_simd.h - kernels.h's loops over vectors, for one set of instructions. Private to the
 * kernels_*.c files; each includes it once, behind these definitions of its own:
 *
 *     KERNELS_NAME, KERNELS_SET      the set's name, and its object
 *     Vector, Bytes, Sums            vectors of 16-bit, 8-bit and 32-bit numbers, of one size
 *     UNITS                          16-bit numbers in a Vector
 *     load, store, add, subtract     on Vectors
 *     clamp, product                 to 0..NETWORK_QA; (a * b + 256) / 512 of two such
 *     store_low_bytes                stores each number of a Vector, 0..255, as a byte
 *     load_bytes, load_sums, store_sums
 *     repeat_four                    four bytes, over and over
 *     add_fours                      sums + products of bytes (0..127 times -127..127), four
 *                                    neighbours added up
 *     store_quarter                  stores the sum of all parts of 128 bits of a Sums
 *     repeat_two                     two 16-bit numbers, over and over
 *     add_twos                       sums + products of 16-bit numbers, two neighbours added up
 *     clamp_l2                       clamp(l2 / NETWORK_QD, 0, NETWORK_QC)
 *     multiply_wide                  Sums times as many 16-bit numbers from memory
 *     add_sums */
#pragma once
#include "engine/eval/kernels.h"
#include "engine/eval/l2_inputs.h"

#include <string.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

static_assert(NETWORK_WIDTH_STEP % UNITS == 0, "no width leaves a remainder");

static void refresh(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                    const int16_t *const *removed, int removed_count, int width)
{
    enum { TILE = NETWORK_WIDTH_STEP / UNITS }; /* vectors that stay in registers */
    for (int i = 0; i < width; i += NETWORK_WIDTH_STEP) {
        Vector sums[TILE];
        for (int v = 0; v < TILE; v++)
            sums[v] = load(from + i + v * UNITS);
        for (int r = 0; r < added_count; r++)
            for (int v = 0; v < TILE; v++)
                sums[v] = add(sums[v], load(added[r] + i + v * UNITS));
        for (int r = 0; r < removed_count; r++)
            for (int v = 0; v < TILE; v++)
                sums[v] = subtract(sums[v], load(removed[r] + i + v * UNITS));
        for (int v = 0; v < TILE; v++)
            store(to + i + v * UNITS, sums[v]);
    }
}

/* Sums of UNITS numbers at `i` of an update with as many rows. */
ALWAYS_INLINE Vector updated(const int16_t *from, const int16_t *const *added, int added_count,
                             const int16_t *const *removed, int removed_count, int i)
{
    Vector sum = load(from + i);
    for (int r = 0; r < added_count; r++)
        sum = add(sum, load(added[r] + i));
    for (int r = 0; r < removed_count; r++)
        sum = subtract(sum, load(removed[r] + i));
    return sum;
}

/* kernels.h's update() with constant counts of rows. */
ALWAYS_INLINE void update_by(int16_t *to, const int16_t *from, const int16_t *const *added,
                             int added_count, const int16_t *const *removed, int removed_count,
                             int width, uint8_t *active, int active_count)
{
    /* Copies, which no store can change: the compiler keeps them in registers. */
    const int16_t *const a[] = { added[0], added[added_count - 1] };
    const int16_t *const r[] = { removed[0], removed[removed_count - 1] };
    const int partner = width - active_count;
    if (!active) {
        for (int i = 0; i < width; i += UNITS)
            store(to + i, updated(from, a, added_count, r, removed_count, i));
        return;
    }
    if (partner == 0) {
        for (int i = 0; i < width; i += UNITS) {
            Vector sum = updated(from, a, added_count, r, removed_count, i);
            store(to + i, sum);
            sum = clamp(sum);
            store_low_bytes(active + i, product(sum, sum));
        }
        return;
    }
    for (int i = 0; i < active_count; i += UNITS) {
        Vector first = updated(from, a, added_count, r, removed_count, i);
        Vector second = updated(from, a, added_count, r, removed_count, i + partner);
        store(to + i, first);
        store(to + i + partner, second);
        store_low_bytes(active + i, product(clamp(first), clamp(second)));
    }
}

static void update(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                   const int16_t *const *removed, int removed_count, int width, uint8_t *active,
                   int active_count)
{
    if (added_count == 2)
        update_by(to, from, added, 2, removed, 2, width, active, active_count);
    else if (removed_count == 2)
        update_by(to, from, added, 1, removed, 2, width, active, active_count);
    else
        update_by(to, from, added, 1, removed, 1, width, active, active_count);
}

static void multiply(uint8_t *to, const int16_t *a, const int16_t *b, int count)
{
    for (int i = 0; i < count; i += UNITS)
        store_low_bytes(to + i, product(clamp(load(a + i)), clamp(load(b + i))));
}

enum {
    LANES = sizeof(Sums) / sizeof(int32_t),
    L1_PARTS = NETWORK_L1 / LANES,
    CHAINS = 8 / L1_PARTS, /* so that no sum waits for the one before */
};

static_assert(NETWORK_WIDTH_STEP % (4 * CHAINS) == 0, "no width leaves a remainder");

/* Adds to one chain what four inputs give to all neurons. */
static inline void add_block(Sums sums[L1_PARTS], const uint8_t *from, const int8_t *weights)
{
    Bytes inputs = repeat_four(from);
    for (int p = 0; p < L1_PARTS; p++)
        sums[p] = add_fours(sums[p], inputs, load_bytes(weights + p * (int)sizeof(Bytes)));
}

static void l1(int32_t *to, const uint8_t *from, const int8_t *weights, const int32_t *biases,
               int count)
{
    Sums sums[CHAINS][L1_PARTS] = { 0 };
    for (int p = 0; p < L1_PARTS; p++)
        sums[0][p] = load_sums(biases + p * LANES);
    for (int i = 0; i < count; i += 4 * CHAINS)
        for (int c = 0; c < CHAINS; c++)
            add_block(sums[c], from + i + 4 * c, weights + (i + 4 * c) * NETWORK_L1);
    for (int p = 0; p < L1_PARTS; p++) {
        Sums all = sums[0][p];
        for (int c = 1; c < CHAINS; c++)
            all = add_sums(all, sums[c][p]);
        store_sums(to + p * LANES, all);
    }
}

/* Inputs i and i + 1 of L2, over and over. The pair in the middle is put together in registers: to
 * read from memory what two vectors have written takes as long as all the rest. */
ALWAYS_INLINE Vector two_inputs(const L2Inputs *inputs, int i)
{
    enum { SQUARES = NETWORK_L1 - 1 };
    if (i == SQUARES - 1) {
        const int16_t two[] = { inputs->clamped[i], inputs->squares[0] };
        return repeat_two(two);
    }
    return repeat_two(i < SQUARES ? inputs->clamped + i : inputs->squares + (i - SQUARES));
}

static int32_t l2_l3(const int32_t *from, const int16_t *weights, const int32_t *biases,
                     const int16_t *l3_weights)
{
    L2Inputs inputs;
    l2_inputs(&inputs, from);
    enum { PARTS = NETWORK_L2 / LANES };
    Sums sums[PARTS];
    for (int p = 0; p < PARTS; p++)
        sums[p] = load_sums(biases + p * LANES);
    for (int i = 0; i < NETWORK_L2_INPUTS; i += 2) {
        Vector two = two_inputs(&inputs, i);
        for (int p = 0; p < PARTS; p++)
            sums[p] = add_twos(sums[p], two, load(weights + i * NETWORK_L2 + p * 2 * LANES));
    }
    Sums all = { 0 };
    for (int p = 0; p < PARTS; p++)
        all = add_sums(all, multiply_wide(clamp_l2(sums[p]), l3_weights + p * LANES));
    int32_t quarter[4];
    store_quarter(quarter, all);
    return quarter[0] + quarter[1] + quarter[2] + quarter[3];
}

const Kernels KERNELS_SET = {
    KERNELS_NAME, refresh, update, multiply, l1, l2_l3,
};
