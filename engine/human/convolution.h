/* SPDX-License-Identifier: GPL-3.0-or-later */
/* convolution.h - the policy network's inner loop, once for each kind of vector instructions.
 *
 * A board of channels is 10 × 10 × stride numbers, aligned to POLICY_ALIGNMENT: the squares by rank
 * and file with a border of zeros around them, so that no square is special. Any thread may call;
 * results differ between sets by rounding alone. */
#pragma once
#include "engine/human/policy_file.h"

enum { CONVOLUTION_SIDE = 10, CONVOLUTION_SQUARES = CONVOLUTION_SIDE * CONVOLUTION_SIDE };

/* Index of a square in such a board. */
static inline int convolution_square(int rank, int file)
{
    return (rank + 1) * CONVOLUTION_SIDE + file + 1;
}

/* `to` = the layer (size 3) of `from`, which has `from_stride` channels a square and layer->stride
 * in `to`; ReLU if asked for. The border of `to` is left alone. */
typedef void Convolution(float *to, const float *from, int from_stride, const PolicyLayer *layer,
                         bool has_relu);

/* The fastest that this processor has. */
Convolution *convolution_best(void);

/* Those that this processor has, the fastest last; NULL beyond. For tests and measurements. */
Convolution *convolution_nth(int n);

/* The instructions of one of these, for people. */
const char *convolution_name(Convolution *convolution);

extern Convolution convolution_baseline;
#if defined(__x86_64__)
extern Convolution convolution_avx2, convolution_avx512;
#endif
