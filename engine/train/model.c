/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/model.h"

#include "engine/base/random.h"

#include <math.h>
#include <string.h>

/* Vectors as wide as the processor's: wider ones would be taken apart badly. */
#if defined(__AVX512F__)
enum { VECTOR_BYTES = 64 };
#elif defined(__AVX__)
enum { VECTOR_BYTES = 32 };
#else
enum { VECTOR_BYTES = 16 };
#endif
enum { LANES = VECTOR_BYTES / sizeof(float), TILE = MODEL_COLUMN / LANES };

typedef float Vector __attribute__((vector_size(VECTOR_BYTES), may_alias));
typedef int32_t Mask __attribute__((vector_size(VECTOR_BYTES), may_alias));

static Vector *vectors_at(float *at)
{
    return (Vector *)__builtin_assume_aligned(at, VECTOR_BYTES);
}

static const Vector *vectors_of(const float *at)
{
    return (const Vector *)__builtin_assume_aligned(at, VECTOR_BYTES);
}

static Vector where(Mask mask, Vector value)
{
    return (Vector)((Mask)value & mask);
}

static Vector clamped(Vector x)
{
    const Vector zero = { 0 }, one = zero + 1;
    Mask is_high = x > one;
    return where((x > zero) & ~is_high, x) + where(is_high, one);
}

static float total(Vector sums)
{
    float sum = 0;
    for (int i = 0; i < LANES; i++)
        sum += sums[i];
    return sum;
}

bool model_shape_check(ModelShape shape, Error *err)
{
    if (!network_shape_check(shape.width, shape.buckets, err))
        return false;
    if (shape.width % MODEL_COLUMN == 0)
        return true;
    error_set(err, ERR_RANGE, "a width of %d: not a multiple of %d", shape.width, MODEL_COLUMN);
    return false;
}

size_t model_size(ModelShape shape)
{
    enum { STEP = MODEL_ALIGNMENT / sizeof(float) };
    return (model_output_bias_at(shape, shape.buckets) + STEP - 1) / STEP * STEP;
}

size_t model_activations_size(ModelShape shape)
{
    return model_activation_at(shape.width / MODEL_COLUMN, 0, 0);
}

/* By Box and Muller's method. */
static float random_normal(uint64_t *seed, double deviation)
{
    const double unit = 0x1p-53;
    double radius = sqrt(-2 * log(((double)(random_next(seed) >> 11) + 0.5) * unit));
    double angle = 6.283185307179586 * (double)(random_next(seed) >> 11) * unit;
    return (float)(deviation * radius * cos(angle));
}

void model_init(float *parameters, ModelShape shape, uint64_t seed)
{
    memset(parameters, 0, model_size(shape) * sizeof *parameters);
    for (size_t i = 0; i < model_bias_at(shape, 0); i++)
        parameters[i] = random_normal(&seed, 0.05);
    float *first = parameters + model_output_at(shape, 0, 0, 0);
    size_t count = 2 * (size_t)shape.width;
    for (size_t i = 0; i < count; i++)
        first[i] = random_normal(&seed, sqrt(1.0 / shape.width));
    for (int bucket = 1; bucket < shape.buckets; bucket++)
        memcpy(first + (size_t)bucket * count, first, count * sizeof *first);
}

/* One column's share of a logit from one view; keeps the activations. */
static Vector view_forward(const float *rows, const float *biases, const float *outputs,
                           const uint16_t *inputs, int count, float *activations)
{
    Vector sums[TILE], share = { 0 };
    for (int v = 0; v < TILE; v++)
        sums[v] = vectors_of(biases)[v];
    for (int i = 0; i < count; i++) {
        const Vector *row = vectors_of(rows + (size_t)inputs[i] * MODEL_COLUMN);
        for (int v = 0; v < TILE; v++)
            sums[v] += row[v];
    }
    for (int v = 0; v < TILE; v++) {
        Vector hidden = clamped(sums[v]);
        vectors_at(activations)[v] = hidden;
        share += hidden * hidden * vectors_of(outputs)[v];
    }
    return share;
}

void model_forward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                   float *activations, float *logits)
{
    for (int s = 0; s < samples->count; s++)
        logits[s] = parameters[model_output_bias_at(shape, samples->bucket[s])];
    for (int column = 0; column < shape.width / MODEL_COLUMN; column++) {
        int unit = column * MODEL_COLUMN;
        const float *rows = parameters + model_feature_at(shape, 0, unit);
        const float *biases = parameters + model_bias_at(shape, unit);
        for (int s = 0; s < samples->count; s++) {
            Vector share = { 0 };
            for (int view = 0; view < 2; view++)
                share += view_forward(rows, biases,
                                      parameters +
                                          model_output_at(shape, samples->bucket[s], view, unit),
                                      samples->inputs[s][view], samples->pieces[s],
                                      activations + model_activation_at(column, s, view));
            logits[s] += total(share);
        }
    }
}

/* The gradient of one column from one view. A unit at either end of the clamp passes nothing on. */
static void view_backward(const float *outputs, const float *activations, float slope,
                          const uint16_t *inputs, int count, float *rows, Vector biases[TILE],
                          float *output_gradient)
{
    const Vector zero = { 0 }, one = zero + 1;
    Vector passed[TILE];
    for (int v = 0; v < TILE; v++) {
        Vector hidden = vectors_of(activations)[v];
        Vector slopes = hidden * slope;
        vectors_at(output_gradient)[v] += slopes * hidden;
        passed[v] = where((hidden > zero) & (hidden < one), 2 * slopes * vectors_of(outputs)[v]);
        biases[v] += passed[v];
    }
    for (int i = 0; i < count; i++) {
        Vector *row = vectors_at(rows + (size_t)inputs[i] * MODEL_COLUMN);
        for (int v = 0; v < TILE; v++)
            row[v] += passed[v];
    }
}

void model_backward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                    const float *activations, const float *slopes, float *gradient)
{
    for (int s = 0; s < samples->count; s++)
        gradient[model_output_bias_at(shape, samples->bucket[s])] += slopes[s];
    for (int column = 0; column < shape.width / MODEL_COLUMN; column++) {
        int unit = column * MODEL_COLUMN;
        float *rows = gradient + model_feature_at(shape, 0, unit);
        Vector *bias_gradient = vectors_at(gradient + model_bias_at(shape, unit));
        Vector biases[TILE] = { 0 };
        for (int s = 0; s < samples->count; s++) {
            for (int view = 0; view < 2; view++) {
                size_t outputs_at = model_output_at(shape, samples->bucket[s], view, unit);
                view_backward(parameters + outputs_at,
                              activations + model_activation_at(column, s, view), slopes[s],
                              samples->inputs[s][view], samples->pieces[s], rows, biases,
                              gradient + outputs_at);
            }
        }
        for (int v = 0; v < TILE; v++)
            bias_gradient[v] += biases[v];
    }
}
