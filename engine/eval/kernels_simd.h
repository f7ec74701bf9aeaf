/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels_simd.h - kernels.h's loops over vectors, for one set of instructions. Private to the
 * kernels_*.c files; each includes it once, behind these definitions of its own:
 *
 *     KERNELS_NAME, KERNELS_SET       the set's name, and its object
 *     Vector, Sums                    vectors of 16-bit and of 32-bit numbers
 *     UNITS                           16-bit numbers in a Vector
 *     load, store, add, subtract      on Vectors
 *     sums_zero, sums_add, sums_total on Sums; the total of all lanes
 *     add_squares                     sums + (h * weights) * h, h = clamp(hidden, 0, NETWORK_QA) */
#pragma once
#include "engine/eval/kernels.h"
#include "engine/eval/network_file.h"

static_assert(NETWORK_WIDTH_STEP % UNITS == 0, "no width leaves a remainder");

static void refresh(int16_t *to, const int16_t *biases, const int16_t *const *rows, int count,
                    int width)
{
    enum { TILE = NETWORK_WIDTH_STEP / UNITS }; /* vectors that stay in registers */
    for (int i = 0; i < width; i += NETWORK_WIDTH_STEP) {
        Vector sums[TILE];
        for (int v = 0; v < TILE; v++)
            sums[v] = load(biases + i + v * UNITS);
        for (int r = 0; r < count; r++)
            for (int v = 0; v < TILE; v++)
                sums[v] = add(sums[v], load(rows[r] + i + v * UNITS));
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

static int32_t output(const int16_t *us, const int16_t *them, const int16_t *weights, int width)
{
    Sums ours = sums_zero(), theirs = sums_zero();
    for (int i = 0; i < width; i += UNITS) {
        ours = add_squares(ours, load(us + i), load(weights + i));
        theirs = add_squares(theirs, load(them + i), load(weights + width + i));
    }
    return sums_total(sums_add(ours, theirs));
}

const Kernels KERNELS_SET = {
    KERNELS_NAME, refresh, add1_remove1, add1_remove2, add2_remove2, output,
};
