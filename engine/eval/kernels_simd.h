/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels_simd.h - kernels.h's loops over vectors, for one set of instructions. Private to the
 * kernels_*.c files; each includes it once, behind these definitions of its own:
 *
 *     KERNELS_NAME, KERNELS_SET      the set's name, and its object
 *     Vector, Bytes, Sums            vectors of 16-bit, 8-bit and 32-bit numbers, of one size
 *     UNITS                          16-bit numbers in a Vector
 *     load, store, add, subtract     on Vectors
 *     squares                        (clamp(hidden, 0, NETWORK_QA)^2 + 256) / 512
 *     store_low_bytes                stores each number of a Vector, 0..255, as a byte
 *     load_bytes, load_sums
 *     GROUP                          neurons of the first layer whose sums fit into registers
 *     add_fours                      sums + products of bytes (0..127 times -127..127), four
 *                                    neighbours added up
 *     add_neighbours                 the sums of neighbours of one Sums, then of another, as
 *                                    instructions for it do: within each 128 bits
 *     store_quarter                  stores the sum of all parts of 128 bits of a Sums
 *     repeat_two                     two 16-bit numbers, over and over
 *     add_twos                       sums + products of 16-bit numbers, two neighbours added up
 *     clamp_second                   clamp(second / NETWORK_QD, 0, NETWORK_QC)
 *     multiply_wide                  Sums times as many 16-bit numbers from memory
 *     add_sums */
#pragma once
#include "engine/eval/kernels.h"
#include "engine/eval/second_inputs.h"

#include <string.h>

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

static void add1_remove1(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    const int16_t *a = added[0], *r = removed[0];
    for (int i = 0; i < width; i += UNITS)
        store(to + i, subtract(add(load(from + i), load(a + i)), load(r + i)));
}

static void add1_remove2(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    const int16_t *a = added[0], *r = removed[0], *s = removed[1];
    for (int i = 0; i < width; i += UNITS) {
        Vector sum = subtract(add(load(from + i), load(a + i)), load(r + i));
        store(to + i, subtract(sum, load(s + i)));
    }
}

static void add2_remove2(int16_t *to, const int16_t *from, const int16_t *const *added,
                         const int16_t *const *removed, int width)
{
    const int16_t *a = added[0], *b = added[1], *r = removed[0], *s = removed[1];
    for (int i = 0; i < width; i += UNITS) {
        Vector sum = add(add(load(from + i), load(a + i)), load(b + i));
        store(to + i, subtract(subtract(sum, load(r + i)), load(s + i)));
    }
}

static void square(uint8_t *to, const int16_t *hidden, int width)
{
    for (int i = 0; i < width; i += UNITS)
        store_low_bytes(to + i, squares(load(hidden + i)));
}

/* Four sums of neurons, each over a whole vector, at `to`. */
static void store_totals(int32_t *to, const Sums sums[4])
{
    Sums pairs[2] = { add_neighbours(sums[0], sums[1]), add_neighbours(sums[2], sums[3]) };
    store_quarter(to, add_neighbours(pairs[0], pairs[1]));
}

static void first(int32_t *to, const uint8_t *from, const int8_t *weights, const int32_t *biases,
                  int count)
{
    for (int k = 0; k < NETWORK_FIRST; k += GROUP) {
        Sums sums[GROUP] = { 0 };
        for (int i = 0; i < count; i += (int)sizeof(Bytes)) {
            Bytes bytes = load_bytes(from + i);
            for (int n = 0; n < GROUP; n++)
                sums[n] = add_fours(sums[n], bytes,
                                    load_bytes(weights + (size_t)(k + n) * (size_t)count + i));
        }
        for (int n = 0; n < GROUP; n += 4)
            store_totals(to + k + n, sums + n);
    }
    for (int k = 0; k < NETWORK_FIRST; k++)
        to[k] += biases[k];
}

static int32_t later(const int32_t *from, const int16_t *weights, const int32_t *biases,
                     const int16_t *third_weights)
{
    int16_t inputs[NETWORK_SECOND_INPUTS + 2];
    second_inputs(inputs, from);
    enum { LANES = sizeof(Sums) / sizeof(int32_t), PARTS = NETWORK_SECOND / LANES };
    Sums sums[PARTS];
    for (int p = 0; p < PARTS; p++)
        sums[p] = load_sums(biases + p * LANES);
    for (int i = 0; i < NETWORK_SECOND_INPUTS; i += 2) {
        Vector two = repeat_two(inputs + i);
        for (int p = 0; p < PARTS; p++)
            sums[p] = add_twos(sums[p], two, load(weights + i * NETWORK_SECOND + p * 2 * LANES));
    }
    Sums all = { 0 };
    for (int p = 0; p < PARTS; p++)
        all = add_sums(all, multiply_wide(clamp_second(sums[p]), third_weights + p * LANES));
    int32_t quarter[4];
    store_quarter(quarter, all);
    return quarter[0] + quarter[1] + quarter[2] + quarter[3];
}

const Kernels KERNELS_SET = {
    KERNELS_NAME, refresh, add1_remove1, add1_remove2, add2_remove2, square, first, later,
};
