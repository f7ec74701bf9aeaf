/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the network in floating point: its value for a few hundred positions at once, and the
 * gradient of a loss.
 *
 *     hidden = clamp(bias + rows of the active inputs, 0, 1)           of each view
 *     logit  = sum over both views of hidden^2 * weight, + output bias of the bucket
 *
 * The parameters are one array of floats.
 * No state; any thread, as long as what it writes is its own. The same input gives the same bits on
 * processors with the same vectors. After: chessprogramming.org, "NNUE". */
#pragma once
#include "engine/eval/network_file.h"

enum {
    MODEL_WIDTH_STEP = 64,   /* widths are multiples of it */
    MODEL_SAMPLES_MAX = 256, /* positions looked at together */
    MODEL_ALIGNMENT = 64,    /* of parameters, gradients and activations, in bytes */
};

typedef struct {
    int width;   /* hidden units of one view */
    int buckets; /* output buckets, 1 or 8 */
} ModelShape;

/* Positions as the model sees them. View 0 is the side to move, view 1 the other. */
typedef struct {
    int count;
    uint8_t bucket[MODEL_SAMPLES_MAX];
    uint8_t pieces[MODEL_SAMPLES_MAX]; /* on the board: the active inputs of either view */
    uint16_t inputs[MODEL_SAMPLES_MAX][2][NETWORK_ACTIVE_MAX];
} ModelSamples;

/* Is there such a model? */
bool model_shape_check(ModelShape shape, Error *err) MUST_CHECK;

/* Floats of the parameters (and of a gradient), of the activations of MODEL_SAMPLES_MAX positions.
 * Multiples of 16; those that nothing uses are to be 0. */
size_t model_size(ModelShape shape);
size_t model_activations_size(ModelShape shape);

/* Where a parameter stands in the array. */
static inline size_t model_feature_at(ModelShape shape, int input, int unit)
{
    return (size_t)input * (size_t)shape.width + (size_t)unit;
}

static inline size_t model_bias_at(ModelShape shape, int unit)
{
    return NETWORK_INPUTS * (size_t)shape.width + (size_t)unit;
}

static inline size_t model_output_at(ModelShape shape, int bucket, int view, int unit)
{
    return (NETWORK_INPUTS + 1 + 2 * (size_t)bucket + (size_t)view) * (size_t)shape.width +
           (size_t)unit;
}

static inline size_t model_output_bias_at(ModelShape shape, int bucket)
{
    return model_output_at(shape, shape.buckets, 0, 0) + (size_t)bucket;
}

/* Where a view's activations of one sample stand. */
static inline size_t model_activation_at(ModelShape shape, int sample, int view)
{
    return ((size_t)sample * 2 + (size_t)view) * (size_t)shape.width;
}

/* Fills `parameters` as training begins: feature weights normal(0, 0.05), output weights
 * normal(0, sqrt(1 / width)) and the same in all buckets, biases 0. */
void model_init(float *parameters, ModelShape shape, uint64_t seed);

/* Writes a logit for each sample, and the activations that the way back needs. */
void model_forward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                   float *activations, float *logits);

/* Adds to `gradient` what the parameters do to the loss, where `slopes` says what each sample's
 * logit does to it. `activations` are those of the same samples. */
void model_backward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                    const float *activations, const float *slopes, float *gradient);
