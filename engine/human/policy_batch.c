/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_batch.h"

#include "engine/base/alloc.h"
#include "engine/human/convolution.h"
#include "engine/human/policy_layers.h"
#include "engine/human/winograd.h"

#include <assert.h>
#include <stdlib.h>

/* The two convolutions of each block, then those of the policy. */
enum { LAYERS_MAX = 2 * POLICY_BLOCKS_MAX + 2 };

struct PolicyBatch {
    const PolicyWeights *weights;
    Winograd *convolve;
    float *transformed[LAYERS_MAX]; /* weights of each convolution */
    float *boards[3], *outputs;     /* POLICY_BATCH_MAX each */
    float *room;                    /* of the convolutions */
    float excite[POLICY_EXCITE_ROOM];
};

static int layer_count(const PolicyWeights *weights)
{
    return 2 * weights->block_count + 2;
}

static const PolicyLayer *layer_at(const PolicyWeights *weights, int i)
{
    int blocks = weights->block_count;
    if (i < 2 * blocks)
        return i % 2 ? &weights->blocks[i / 2].second : &weights->blocks[i / 2].first;
    return i % 2 ? &weights->policy : &weights->policy_hidden;
}

static bool make_room(PolicyBatch *batch)
{
    const PolicyWeights *weights = batch->weights;
    int stride = weights->input.stride, most = stride;
    bool ok = true;
    for (int i = 0; ok && i < layer_count(weights); i++) {
        const PolicyLayer *layer = layer_at(weights, i);
        most = layer->stride > most ? layer->stride : most;
        ok = (batch->transformed[i] = winograd_weights(layer));
    }
    for (int i = 0; ok && i < 3; i++)
        ok = (batch->boards[i] = policy_board_new(POLICY_BATCH_MAX, stride));
    ok = ok && (batch->outputs = policy_board_new(POLICY_BATCH_MAX, weights->policy.stride));
    size_t size = winograd_room(POLICY_BATCH_MAX, most) * sizeof *batch->room;
    return ok && (batch->room = aligned_alloc(POLICY_ALIGNMENT, size));
}

bool policy_batch_new(PolicyBatch **out, const PolicyNetwork *network, Error *err)
{
    const PolicyWeights *weights = policy_weights(network);
    if (!weights) {
        error_set(err, ERR_INVALID, "castled's own kind of network takes one position at a time");
        return false;
    }
    PolicyBatch *batch = alloc_zeroed(sizeof *batch, "the network", err);
    if (!batch)
        return false;
    batch->weights = weights;
    for (int n = 0; winograd_nth(n); n++)
        batch->convolve = winograd_nth(n);
    if (!make_room(batch)) {
        error_set(err, ERR_MEMORY, "no memory for the network");
        policy_batch_free(batch);
        return false;
    }
    *out = batch;
    return true;
}

void policy_batch_free(PolicyBatch *batch)
{
    if (!batch)
        return;
    for (int i = 0; i < LAYERS_MAX; i++)
        free(batch->transformed[i]);
    for (int i = 0; i < 3; i++)
        free(batch->boards[i]);
    free(batch->outputs);
    free(batch->room);
    free(batch);
}

bool policy_batch_force(PolicyBatch *batch, int n)
{
    Winograd *set = winograd_nth(n);
    if (set)
        batch->convolve = set;
    return set != NULL;
}

void policy_batch_evaluate(PolicyBatch *batch, const PolicyQuery *queries, int count)
{
    const PolicyWeights *weights = batch->weights;
    int stride = weights->input.stride, layers = layer_count(weights);
    size_t board = (size_t)CONVOLUTION_SQUARES * (size_t)stride;
    float *x = batch->boards[0], *hidden = batch->boards[1], *y = batch->boards[2];
    /* What is left in further boards is computed along. */
    int boards = (count + WINOGRAD_BOARDS_STEP - 1) / WINOGRAD_BOARDS_STEP * WINOGRAD_BOARDS_STEP;
    assert(count <= POLICY_BATCH_MAX && POLICY_BATCH_MAX % WINOGRAD_BOARDS_STEP == 0);
    for (int q = 0; q < count; q++) {
        HumanPlane planes[HUMAN_PLANES];
        human_planes(planes, queries[q].history, queries[q].pos);
        policy_input_layer(x + (size_t)q * board, &weights->input, planes);
    }
    for (int i = 0; i < layers; i++) {
        bool is_first = i % 2 == 0, is_policy = i >= layers - 2;
        float *to = is_first ? hidden : is_policy ? batch->outputs : y;
        batch->convolve(to, is_first ? x : hidden, boards, stride, layer_at(weights, i),
                        batch->transformed[i], batch->room, is_first);
        for (int q = 0; q < count && !is_first && !is_policy; q++)
            policy_excite(x + (size_t)q * board, y + (size_t)q * board, &weights->blocks[i / 2],
                          batch->excite);
    }
    size_t outputs = (size_t)CONVOLUTION_SQUARES * (size_t)weights->policy.stride;
    for (int q = 0; q < count; q++)
        policy_read_moves(queries[q].probability, batch->outputs + (size_t)q * outputs,
                          &weights->policy, queries[q].pos, queries[q].moves);
}
