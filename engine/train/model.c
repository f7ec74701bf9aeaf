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
enum { LANES = VECTOR_BYTES / sizeof(float) };

/* Vectors of hidden units that are computed together, in registers where there are enough of them:
 * the more, the longer the runs of memory that are read and written. The last ones of a width may
 * be fewer. */
enum { STEP = MODEL_WIDTH_STEP / LANES, TILE = 4 * STEP };

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
    if (shape.width % MODEL_WIDTH_STEP == 0)
        return true;
    error_set(err, ERR_RANGE, "a width of %d: not a multiple of %d", shape.width, MODEL_WIDTH_STEP);
    return false;
}

size_t model_size(ModelShape shape)
{
    enum { LINE = MODEL_ALIGNMENT / sizeof(float) };
    return (model_output_bias_at(shape, shape.buckets) + LINE - 1) / LINE * LINE;
}

size_t model_activations_size(ModelShape shape)
{
    return model_activation_at(shape, MODEL_SAMPLES_MAX, 0);
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

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The share of `tile` vectors of hidden units, beginning with `unit`, in the samples' logits; keeps
 * the activations. */
ALWAYS_INLINE void tile_forward(const float *parameters, ModelShape shape,
                                const ModelSamples *samples, int unit, int tile, float *activations,
                                float *logits)
{
    const float *rows = parameters + model_feature_at(shape, 0, unit);
    const float *biases = parameters + model_bias_at(shape, unit);
    for (int s = 0; s < samples->count; s++) {
        Vector share = { 0 };
        for (int view = 0; view < 2; view++) {
            Vector sums[TILE];
            for (int v = 0; v < tile; v++)
                sums[v] = vectors_of(biases)[v];
            for (int i = 0; i < samples->pieces[s]; i++) {
                const float *at = rows + model_feature_at(shape, samples->inputs[s][view][i], 0);
                for (int v = 0; v < tile; v++)
                    sums[v] += vectors_of(at)[v];
            }
            const float *outputs =
                parameters + model_output_at(shape, samples->bucket[s], view, unit);
            float *kept = activations + model_activation_at(shape, s, view) + unit;
            for (int v = 0; v < tile; v++) {
                Vector hidden = clamped(sums[v]);
                vectors_at(kept)[v] = hidden;
                share += hidden * hidden * vectors_of(outputs)[v];
            }
        }
        logits[s] += total(share);
    }
}

void model_forward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                   float *activations, float *logits)
{
    for (int s = 0; s < samples->count; s++)
        logits[s] = parameters[model_output_bias_at(shape, samples->bucket[s])];
    int unit = 0;
    for (; unit + TILE * LANES <= shape.width; unit += TILE * LANES)
        tile_forward(parameters, shape, samples, unit, TILE, activations, logits);
    for (; unit < shape.width; unit += STEP * LANES)
        tile_forward(parameters, shape, samples, unit, STEP, activations, logits);
}

/* The gradient of `tile` vectors of hidden units. A unit at either end of the clamp passes nothing
 * on. */
ALWAYS_INLINE void tile_backward(const float *parameters, ModelShape shape,
                                 const ModelSamples *samples, const float *activations,
                                 const float *slopes, int unit, int tile, float *gradient)
{
    const Vector zero = { 0 }, one = zero + 1;
    float *rows = gradient + model_feature_at(shape, 0, unit);
    Vector *biases = vectors_at(gradient + model_bias_at(shape, unit));
    for (int s = 0; s < samples->count; s++) {
        for (int view = 0; view < 2; view++) {
            size_t outputs_at = model_output_at(shape, samples->bucket[s], view, unit);
            const Vector *outputs = vectors_of(parameters + outputs_at);
            const Vector *kept =
                vectors_of(activations + model_activation_at(shape, s, view) + unit);
            Vector *output_gradient = vectors_at(gradient + outputs_at);
            Vector passed[TILE];
            for (int v = 0; v < tile; v++) {
                Vector hidden = kept[v], slope = hidden * slopes[s];
                output_gradient[v] += slope * hidden;
                passed[v] = where((hidden > zero) & (hidden < one), 2 * slope * outputs[v]);
                biases[v] += passed[v];
            }
            for (int i = 0; i < samples->pieces[s]; i++) {
                float *at = rows + model_feature_at(shape, samples->inputs[s][view][i], 0);
                for (int v = 0; v < tile; v++)
                    vectors_at(at)[v] += passed[v];
            }
        }
    }
}

void model_backward(const float *parameters, ModelShape shape, const ModelSamples *samples,
                    const float *activations, const float *slopes, float *gradient)
{
    for (int s = 0; s < samples->count; s++)
        gradient[model_output_bias_at(shape, samples->bucket[s])] += slopes[s];
    int unit = 0;
    for (; unit + TILE * LANES <= shape.width; unit += TILE * LANES)
        tile_backward(parameters, shape, samples, activations, slopes, unit, TILE, gradient);
    for (; unit < shape.width; unit += STEP * LANES)
        tile_backward(parameters, shape, samples, activations, slopes, unit, STEP, gradient);
}
