/* SPDX-License-Identifier: GPL-3.0-or-later */
/* model.h - the network in floating point: its value for a few hundred positions at once, and the
 * gradient of a loss.
 *
 *     hidden    = clamp(bias + rows of the active inputs, 0, 1)            of each view
 *     active    = hidden * partner                  itself, or the unit of the view's second half
 *     l1[k]     = bias + sum over both views of active * weight            16 neurons
 *     l2[j]     = bias + sum over clamp(l1[k], 0, 1) * weight              32 neurons; without the
 *                      + sum over min(l1[k]^2, 1) * weight                 last neuron of l1
 *     logit     = last neuron of l1 + sum of clamp(l2[j], 0, 1) * weight
 *
 * The weights of the inputs and the biases beside them are looked at in 16 bits, rounded to
 * 1 / MODEL_ROUND, and L1's weights as the network's file holds them, in 8; the gradient is that of
 * the numbers that were rounded. All but the hidden units by the bucket's own weights. The
 * parameters are one array of floats. No state; any thread, as long as what it writes is its own.
 * The same input gives the same bits on processors with the same vectors. After:
 * chessprogramming.org, "NNUE". */
#pragma once
#include "engine/eval/network_file.h"

enum {
    MODEL_WIDTH_STEP = 64,        /* a view's units and activations are multiples of it */
    MODEL_SAMPLES_MAX = 256,      /* positions looked at together */
    MODEL_ROUND = 2 * NETWORK_QA, /* sums stay within ±64: no unit comes near */
    MODEL_ALIGNMENT = 64,         /* of parameters, gradients and activations, in bytes */
    MODEL_INPUTS_MAX = FEATURES_KING_BUCKETS_MAX * FEATURES_OF_BUCKET, /* variants have fewer */
};

typedef NetworkShape ModelShape;

/* Positions as the model sees them. View 0 is the side to move, view 1 the other. */
typedef struct {
    int count;
    uint8_t bucket[MODEL_SAMPLES_MAX];
    uint8_t active[MODEL_SAMPLES_MAX]; /* inputs of either view: for chess, men on the board */
    uint16_t inputs[MODEL_SAMPLES_MAX][2][VARIANT_FEATURES_ACTIVE_MAX];
} ModelSamples;

/* Is there such a model? */
bool model_shape_check(ModelShape shape, Error *err) MUST_CHECK;

/* Floats of the parameters (and of a gradient), of the activations of MODEL_SAMPLES_MAX positions.
 * Multiples of 16; those that nothing uses are to be 0. */
size_t model_size(ModelShape shape);
size_t model_activations_size(ModelShape shape);

/* Where a parameter stands in the array. */
static inline size_t model_ft_at(ModelShape shape, int input, int unit)
{
    return (size_t)input * (size_t)shape.width + (size_t)unit;
}

static inline size_t model_ft_bias_at(ModelShape shape, int unit)
{
    return (size_t)network_inputs(shape) * (size_t)shape.width + (size_t)unit;
}

/* Of L1: the weight of an activation, and the bias. */
static inline size_t model_l1_at(ModelShape shape, int bucket, int neuron, int view, int active)
{
    size_t row = ((size_t)bucket * NETWORK_L1 + (size_t)neuron) * 2 + (size_t)view;
    return model_ft_bias_at(shape, shape.width) + row * (size_t)network_activations(shape) +
           (size_t)active;
}

static inline size_t model_l1_bias_at(ModelShape shape, int bucket, int neuron)
{
    return model_l1_at(shape, shape.buckets, 0, 0, 0) + (size_t)bucket * NETWORK_L1 +
           (size_t)neuron;
}

/* Of L2, whose inputs are the clamped neurons and then the squared ones. */
static inline size_t model_l2_at(ModelShape shape, int bucket, int input, int neuron)
{
    size_t row = (size_t)bucket * NETWORK_L2_INPUTS + (size_t)input;
    return model_l1_bias_at(shape, shape.buckets, 0) + row * NETWORK_L2 + (size_t)neuron;
}

static inline size_t model_l2_bias_at(ModelShape shape, int bucket, int neuron)
{
    return model_l2_at(shape, shape.buckets, 0, 0) + (size_t)bucket * NETWORK_L2 + (size_t)neuron;
}

/* Of the logit. */
static inline size_t model_l3_at(ModelShape shape, int bucket, int neuron)
{
    return model_l2_bias_at(shape, shape.buckets, 0) + (size_t)bucket * NETWORK_L2 + (size_t)neuron;
}

/* Where a view's hidden units of one sample stand. */
static inline size_t model_activation_at(ModelShape shape, int sample, int view)
{
    return ((size_t)sample * 2 + (size_t)view) * (size_t)shape.width;
}

/* Where the neurons of L1 of one sample stand, before they are clamped. */
static inline size_t model_l1_neurons_at(ModelShape shape, int sample)
{
    return model_activation_at(shape, MODEL_SAMPLES_MAX, 0) + (size_t)sample * NETWORK_L1;
}

/* A number around 0, by Box and Muller's method. */
float model_random_normal(uint64_t *seed, double deviation);

/* Where the way back keeps what hidden units pass on. */
static inline size_t model_passed_at(ModelShape shape)
{
    return model_l1_neurons_at(shape, MODEL_SAMPLES_MAX);
}

/* Fills `parameters` as training begins: weights of the FT normal(0, 0.05), L1's
 * normal(0, sqrt(1 / activations)), L2's normal(0, sqrt(2 / inputs)), L3's
 * normal(0, 0.05); the same in all buckets; biases 0. */
void model_init(float *parameters, ModelShape shape, uint64_t seed);

/* The parameters as they are looked at. */
typedef struct {
    int16_t *ft;   /* weights of inputs and their biases, times MODEL_ROUND */
    float *layers; /* all others, where they stand in the array of parameters */
} ModelRounded;

/* Room for a model of this shape. False where there is no memory; may be released either way. */
bool model_rounded_init(ModelRounded *rounded, ModelShape shape) MUST_CHECK;
void model_rounded_release(ModelRounded *rounded);

/* Rounds the parameters from `from` to `to`. */
void model_round(const ModelRounded *rounded, const float *parameters, ModelShape shape,
                 size_t from, size_t to);

/* Writes a logit for each sample, and the activations that the way back needs. */
void model_forward(const ModelRounded *rounded, ModelShape shape, const ModelSamples *samples,
                   float *activations, float *logits);

/* Adds to `gradient` what the parameters do to the loss, where `slopes` says what each sample's
 * logit does to it. `activations` are those of the same samples; their room behind is written. */
void model_backward(const ModelRounded *rounded, ModelShape shape, const ModelSamples *samples,
                    float *activations, const float *slopes, float *gradient);
