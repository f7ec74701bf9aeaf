/* SPDX-License-Identifier: GPL-3.0-or-later */
/* winograd.h - the convolution of convolution.h for many boards at once with a quarter of its
 * multiplications, once for each kind of vector instructions. A board is four tiles of 4 × 4
 * squares; a tile and its surroundings become WINOGRAD_POINTS numbers a channel, for each of which
 * all tiles and all channels are one product of matrices. It pays when many boards share the
 * weights, which are four times as large.
 * After: Lavin, Gray, "Fast Algorithms for Convolutional Neural Networks", 2015, F(4 × 4, 3 × 3).
 */
#pragma once
#include "engine/human/policy_file.h"

#include <stddef.h>

enum {
    WINOGRAD_POINTS = 36,
    WINOGRAD_TILES = 4,       /* of a board */
    WINOGRAD_BOARDS_STEP = 2, /* boards come in multiples of it */
};

/* A layer's weights (of size 3) by point: [WINOGRAD_POINTS][inputs][stride]. The caller frees;
 * NULL without memory. */
float *winograd_weights(const PolicyLayer *layer);

/* Numbers of room for tiles of so many boards, where a square has at most `stride` channels. */
size_t winograd_room(int boards, int stride);

/* `to` = the layer of `from`: `boards` boards that follow each other, as convolution.h has them,
 * with layer->stride and `from_stride` channels a square; ReLU if asked for. The borders of `to`
 * are left alone. `weights` are winograd_weights() of the layer. Any thread may call. */
typedef void Winograd(float *to, const float *from, int boards, int from_stride,
                      const PolicyLayer *layer, const float *weights, float *room, bool has_relu);

/* Those that this processor has, the fastest last; NULL beyond. */
Winograd *winograd_nth(int n);

extern Winograd winograd_baseline;
#if defined(__x86_64__)
extern Winograd winograd_avx2, winograd_avx512;
#endif
