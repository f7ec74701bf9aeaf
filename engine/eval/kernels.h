/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernels.h - the network's inner loops, once for each kind of vector instructions.
 *
 * Rows are `width` numbers of 16 bits, aligned to KERNELS_ALIGNMENT; `width` is a multiple of
 * NETWORK_WIDTH_STEP. For rows `to` may be `from`. All sums are modular: no instruction saturates,
 * so every set gives the same bits for any input, in whatever order it adds. Other arrays are
 * aligned to KERNELS_ALIGNMENT as well. Any thread may call. */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum { KERNELS_ALIGNMENT = 64 };

typedef struct {
    const char *name; /* "portable", "sse41", "avx2", "avx512" or "neon" */

    /* to = from + all added - all removed */
    void (*refresh)(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                    const int16_t *const *removed, int removed_count, int width);

    /* The same for what a move changes: one row added and one or two removed, or two and two.
     * Unless `active` is NULL, also multiply(active, to, to + width - active_count, active_count):
     * all in one pass. */
    void (*update)(int16_t *to, const int16_t *from, const int16_t *const *added, int added_count,
                   const int16_t *const *removed, int removed_count, int width, uint8_t *active,
                   int active_count);

    /* to = (a * b + 256) / 512, both clamped to 0..NETWORK_QA before: 0..NETWORK_ACTIVATION_MAX.
     * `a` may be `b`; `count` is a multiple of NETWORK_WIDTH_STEP. */
    void (*multiply)(uint8_t *to, const int16_t *a, const int16_t *b, int count);

    /* to[k] = biases[k] + the sum of from[i] * weight of neuron k, for NETWORK_L1 neurons and
     * `count` inputs up to NETWORK_ACTIVATION_MAX, a multiple of NETWORK_WIDTH_STEP; weights within
     * -127..127 in the order of the file. */
    void (*l1)(int32_t *to, const uint8_t *from, const int8_t *weights, const int32_t *biases,
               int count);

    /* The logit of network_file.h, in units of QC * QD, from the neurons of L1: what L2 and L3
     * make of them, without the last one. Weights in the order of the
     * file, within the bounds of network_weights_check(). */
    int32_t (*l2_l3)(const int32_t *l1, const int16_t *weights, const int32_t *biases,
                     const int16_t *l3_weights);
} Kernels;

/* The fastest set that this processor has. */
const Kernels *kernels_best(void);

/* The sets that this processor has, the fastest last; the first is "portable". NULL beyond. */
const Kernels *kernels_nth(int n);

/* The sets themselves, for kernels.c. */
extern const Kernels kernels_portable;
#if defined(__x86_64__)
extern const Kernels kernels_sse41, kernels_avx2, kernels_avx512;
#elif defined(__aarch64__)
extern const Kernels kernels_neon;
#endif
