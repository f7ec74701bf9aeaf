/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_file.h - the files of Lc0's residual networks with a convolutional policy, as Maia's are:
 * gzip around one protobuf message. What another architecture would need is refused by name; bytes
 * of any origin are read safely.
 * After: github.com/LeelaChessZero/lczero-common, net.proto; protobuf.dev, "Encoding". */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum {
    POLICY_FILTERS_MAX = 512,
    POLICY_BLOCKS_MAX = 40,
    POLICY_STEP = 32, /* numbers of outputs are rounded up to a multiple, by zeros */
    POLICY_ALIGNMENT = 64,
};

/* A convolution over `size` × `size` squares (3 or 1), or with size 1 a fully connected layer.
 * weights[row][column][input][stride], rows and columns from the lowest; batch normalisation is in
 * them and the biases. */
typedef struct {
    int inputs, outputs, size;
    int stride; /* outputs, rounded up */
    float *weights, *biases;
} PolicyLayer;

/* Squeeze and excitation: `squeeze` has ReLU, `excite` twice as many outputs as there are filters.
 */
typedef struct {
    PolicyLayer first, second, squeeze, excite;
} PolicyBlock;

typedef struct PolicyWeights {
    int filters, block_count;
    PolicyLayer input;
    PolicyBlock blocks[POLICY_BLOCKS_MAX];
    PolicyLayer policy_hidden, policy;
    PolicyLayer value, value_hidden, win_draw_loss;
    uint32_t training_steps; /* 0: not said */
    float accuracy;          /* per cent of moves that are people's, as its makers found; 0 */
} PolicyWeights;

/* Reads a file's bytes, which are not needed any more after. The caller releases *out, also a
 * zeroed one. */
bool policy_file_read(PolicyWeights *out, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;

/* The same without the gzip. */
bool policy_message_read(PolicyWeights *out, const uint8_t *bytes, size_t size,
                         Error *err) MUST_CHECK;

void policy_weights_release(PolicyWeights *weights);
