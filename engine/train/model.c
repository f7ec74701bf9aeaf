/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/model.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

#include <math.h>
#include <stdlib.h>
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
    int step = shape.activation == NETWORK_PRODUCTS ? 2 * MODEL_WIDTH_STEP : MODEL_WIDTH_STEP;
    if (!network_shape_check(shape, err))
        return false;
    if (shape.width % step == 0)
        return true;
    error_set(err, ERR_RANGE, "a width of %d: not a multiple of %d", shape.width, step);
    return false;
}

size_t model_size(ModelShape shape)
{
    enum { LINE = MODEL_ALIGNMENT / sizeof(float) };
    return (model_l3_at(shape, shape.buckets, 0) + LINE - 1) / LINE * LINE;
}

size_t model_activations_size(ModelShape shape)
{
    return model_passed_at(shape) + (size_t)2 * MODEL_SAMPLES_MAX * TILE * LANES;
}

float model_random_normal(uint64_t *seed, double deviation)
{
    const double unit = 0x1p-53;
    double radius = sqrt(-2 * log(((double)(random_next(seed) >> 11) + 0.5) * unit));
    double angle = 6.283185307179586 * (double)(random_next(seed) >> 11) * unit;
    return (float)(deviation * radius * cos(angle));
}

/* Fills the bucket's `count` parameters from `first` on, and copies them to all other buckets. */
static void init_buckets(float *first, size_t count, int buckets, double deviation, uint64_t *seed)
{
    for (size_t i = 0; i < count; i++)
        first[i] = model_random_normal(seed, deviation);
    for (int bucket = 1; bucket < buckets; bucket++)
        memcpy(first + (size_t)bucket * count, first, count * sizeof *first);
}

void model_init(float *parameters, ModelShape shape, uint64_t seed)
{
    memset(parameters, 0, model_size(shape) * sizeof *parameters);
    for (size_t i = 0; i < model_ft_bias_at(shape, 0); i++)
        parameters[i] = model_random_normal(&seed, 0.05);
    int active = network_activations(shape);
    init_buckets(parameters + model_l1_at(shape, 0, 0, 0, 0),
                 (size_t)NETWORK_L1 * 2 * (size_t)active, shape.buckets, sqrt(1.0 / active), &seed);
    init_buckets(parameters + model_l2_at(shape, 0, 0, 0), (size_t)NETWORK_L2_INPUTS * NETWORK_L2,
                 shape.buckets, sqrt(2.0 / NETWORK_L2_INPUTS), &seed);
    init_buckets(parameters + model_l3_at(shape, 0, 0), NETWORK_L2, shape.buckets, 0.05, &seed);
}

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* The parameters that `ft` of ModelRounded has. */
static size_t ft_size(ModelShape shape)
{
    return model_ft_bias_at(shape, shape.width);
}

bool model_rounded_init(ModelRounded *rounded, ModelShape shape)
{
    size_t ft_bytes = ft_size(shape) * sizeof *rounded->ft;
    size_t layer_bytes = model_size(shape) * sizeof *rounded->layers;
    rounded->ft = aligned_alloc(MODEL_ALIGNMENT, ft_bytes);
    rounded->layers = aligned_alloc(MODEL_ALIGNMENT, layer_bytes);
    return rounded->ft && rounded->layers;
}

void model_rounded_release(ModelRounded *rounded)
{
    free(rounded->ft);
    free(rounded->layers);
}

/* As export.c writes it. */
static float l1_rounded(float weight)
{
    int32_t byte = int_clamp(network_quantise(weight, NETWORK_QB), -INT8_MAX, INT8_MAX);
    return (float)byte / NETWORK_QB;
}

void model_round(const ModelRounded *rounded, const float *parameters, ModelShape shape,
                 size_t from, size_t to)
{
    const size_t l1 = ft_size(shape), l1_end = model_l1_bias_at(shape, 0, 0);
    size_t i = from;
    for (; i < to && i < l1; i++)
        rounded->ft[i] = (int16_t)rintf(parameters[i] * MODEL_ROUND);
    for (; i < to && i < l1_end; i++)
        rounded->layers[i] = l1_rounded(parameters[i]);
    for (; i < to; i++)
        rounded->layers[i] = parameters[i];
}

typedef int16_t Wholes __attribute__((vector_size(VECTOR_BYTES), may_alias));
enum { WHOLES = VECTOR_BYTES / sizeof(int16_t), WHOLE_TILE = 256 / WHOLES };

static const Wholes *wholes_of(const int16_t *at)
{
    return (const Wholes *)__builtin_assume_aligned(at, VECTOR_BYTES);
}

/* `tile` vectors of hidden units, beginning with `unit`. */
ALWAYS_INLINE void hidden_forward(const int16_t *rounded, ModelShape shape,
                                  const ModelSamples *samples, int unit, int tile,
                                  float *activations)
{
    const int16_t *rows = rounded + model_ft_at(shape, 0, unit);
    const Wholes *biases = wholes_of(rounded + model_ft_bias_at(shape, unit));
    for (int s = 0; s < samples->count; s++) {
        for (int view = 0; view < 2; view++) {
            Wholes sums[WHOLE_TILE];
            for (int v = 0; v < tile; v++)
                sums[v] = biases[v];
            for (int i = 0; i < samples->active[s]; i++) {
                const Wholes *at =
                    wholes_of(rows + model_ft_at(shape, samples->inputs[s][view][i], 0));
                for (int v = 0; v < tile; v++)
                    sums[v] += at[v];
            }
            float *kept = activations + model_activation_at(shape, s, view) + unit;
            int16_t units[WHOLE_TILE * WHOLES];
            memcpy(units, sums, (size_t)tile * sizeof *sums);
            for (int i = 0; i < tile * WHOLES; i++)
                kept[i] = (float)int_clamp(units[i], 0, MODEL_ROUND) * (1.0F / MODEL_ROUND);
        }
    }
}

/* Samples and neurons that are multiplied together, so that each number read is used four times. */
enum { BLOCK = 4 };

/* Vectors of hidden units between an activation's two. */
static int partner_of(ModelShape shape)
{
    return (shape.width - network_activations(shape)) / LANES;
}

/* L1 of `count` samples of one bucket. */
ALWAYS_INLINE void l1_forward(const float *parameters, ModelShape shape, int bucket, int sample,
                              int count, float *activations)
{
    const int vectors = network_activations(shape) / LANES, partner = partner_of(shape);
    const float *biases = parameters + model_l1_bias_at(shape, bucket, 0);
    const Vector *hidden[BLOCK], *weights[BLOCK];
    for (int s = 0; s < count; s++)
        hidden[s] = vectors_of(activations + model_activation_at(shape, sample + s, 0));
    for (int neuron = 0; neuron < NETWORK_L1; neuron += BLOCK) {
        Vector sums[BLOCK][BLOCK] = { 0 };
        for (int n = 0; n < BLOCK; n++)
            weights[n] = vectors_of(parameters + model_l1_at(shape, bucket, neuron + n, 0, 0));
        for (int view = 0; view < 2; view++) {
            for (int v = 0; v < vectors; v++) {
                const int at = view * (vectors + partner) + v;
                for (int s = 0; s < count; s++) {
                    Vector active = hidden[s][at] * hidden[s][at + partner];
                    for (int n = 0; n < BLOCK; n++)
                        sums[s][n] += active * weights[n][view * vectors + v];
                }
            }
        }
        for (int s = 0; s < count; s++)
            for (int n = 0; n < BLOCK; n++)
                activations[model_l1_neurons_at(shape, sample + s) + (size_t)(neuron + n)] =
                    biases[neuron + n] + total(sums[s][n]);
    }
}

/* The samples from `from` on that have the bucket of the first of them end before this one. */
static int run_end(const ModelSamples *samples, int from)
{
    int end = from + 1;
    while (end < samples->count && samples->bucket[end] == samples->bucket[from])
        end++;
    return end;
}

enum { L2_VECTORS = NETWORK_L2 / LANES };

/* What L2 reads, and its neurons before they are clamped. */
static void l2_forward(const float *parameters, ModelShape shape, int bucket,
                       const float l1[NETWORK_L1], float inputs[NETWORK_L2_INPUTS],
                       Vector l2[L2_VECTORS])
{
    for (int k = 0; k < NETWORK_L1 - 1; k++) {
        inputs[k] = fminf(fmaxf(l1[k], 0), 1);
        inputs[NETWORK_L1 - 1 + k] = fminf(l1[k] * l1[k], 1);
    }
    for (int v = 0; v < L2_VECTORS; v++)
        l2[v] = vectors_of(parameters + model_l2_bias_at(shape, bucket, 0))[v];
    for (int i = 0; i < NETWORK_L2_INPUTS; i++) {
        const Vector *weights = vectors_of(parameters + model_l2_at(shape, bucket, i, 0));
        for (int v = 0; v < L2_VECTORS; v++)
            l2[v] += inputs[i] * weights[v];
    }
}

static float logit_of(const float *parameters, ModelShape shape, int bucket,
                      const float l1[NETWORK_L1])
{
    float inputs[NETWORK_L2_INPUTS];
    Vector l2[L2_VECTORS], share = { 0 };
    const Vector *l3 = vectors_of(parameters + model_l3_at(shape, bucket, 0));
    l2_forward(parameters, shape, bucket, l1, inputs, l2);
    for (int v = 0; v < L2_VECTORS; v++)
        share += clamped(l2[v]) * l3[v];
    return l1[NETWORK_L1 - 1] + total(share);
}

void model_forward(const ModelRounded *rounded, ModelShape shape, const ModelSamples *samples,
                   float *activations, float *logits)
{
    const float *layers = rounded->layers;
    int unit = 0;
    for (; unit + WHOLE_TILE * WHOLES <= shape.width; unit += WHOLE_TILE * WHOLES)
        hidden_forward(rounded->ft, shape, samples, unit, WHOLE_TILE, activations);
    for (; unit < shape.width; unit += MODEL_WIDTH_STEP)
        hidden_forward(rounded->ft, shape, samples, unit, MODEL_WIDTH_STEP / WHOLES, activations);
    for (int s = 0; s < samples->count;) {
        int bucket = samples->bucket[s], end = run_end(samples, s);
        for (; s + BLOCK <= end; s += BLOCK)
            l1_forward(layers, shape, bucket, s, BLOCK, activations);
        for (; s < end; s++)
            l1_forward(layers, shape, bucket, s, 1, activations);
    }
    for (int s = 0; s < samples->count; s++)
        logits[s] = logit_of(layers, shape, samples->bucket[s],
                             activations + model_l1_neurons_at(shape, s));
}

/* The gradient of what lies behind L1; in `slopes`, what L1 does to the
 * loss. A neuron at either end of its clamp passes nothing on. */
static void l2_backward(const float *parameters, ModelShape shape, int bucket,
                        const float l1[NETWORK_L1], float slope, float *gradient,
                        float slopes[NETWORK_L1])
{
    const Vector zero = { 0 }, one = zero + 1;
    float inputs[NETWORK_L2_INPUTS], passed[NETWORK_L2_INPUTS];
    Vector l2[L2_VECTORS], l2_slopes[L2_VECTORS];
    l2_forward(parameters, shape, bucket, l1, inputs, l2);
    for (int v = 0; v < L2_VECTORS; v++) {
        Vector l3 = vectors_of(parameters + model_l3_at(shape, bucket, 0))[v];
        l2_slopes[v] = where((l2[v] > zero) & (l2[v] < one), slope * l3);
        vectors_at(gradient + model_l3_at(shape, bucket, 0))[v] += slope * clamped(l2[v]);
        vectors_at(gradient + model_l2_bias_at(shape, bucket, 0))[v] += l2_slopes[v];
    }
    for (int i = 0; i < NETWORK_L2_INPUTS; i++) {
        const Vector *weights = vectors_of(parameters + model_l2_at(shape, bucket, i, 0));
        Vector *of_weights = vectors_at(gradient + model_l2_at(shape, bucket, i, 0));
        Vector share = { 0 };
        for (int v = 0; v < L2_VECTORS; v++) {
            share += weights[v] * l2_slopes[v];
            of_weights[v] += inputs[i] * l2_slopes[v];
        }
        passed[i] = total(share);
    }
    for (int k = 0; k < NETWORK_L1 - 1; k++) {
        float of_clamped = l1[k] > 0 && l1[k] < 1 ? passed[k] : 0;
        float of_square = fabsf(l1[k]) < 1 ? 2 * l1[k] * passed[NETWORK_L1 - 1 + k] : 0;
        slopes[k] = of_clamped + of_square;
    }
    slopes[NETWORK_L1 - 1] = slope;
    for (int k = 0; k < NETWORK_L1; k++)
        gradient[model_l1_bias_at(shape, bucket, k)] += slopes[k];
}

/* The gradient of BLOCK neurons' weights for as many vectors of one view's activations, over
 * samples of one bucket. */
ALWAYS_INLINE void l1_backward(ModelShape shape, int bucket, int from, int to,
                               const float *activations, float (*const slopes)[NETWORK_L1],
                               int neuron, int view, int at, float *gradient)
{
    Vector sums[BLOCK][BLOCK] = { 0 };
    const int partner = partner_of(shape);
    for (int s = from; s < to; s++) {
        const Vector *hidden = vectors_of(activations + model_activation_at(shape, s, view)) + at;
        for (int v = 0; v < BLOCK; v++) {
            Vector active = hidden[v] * hidden[v + partner];
            for (int n = 0; n < BLOCK; n++)
                sums[n][v] += slopes[s][neuron + n] * active;
        }
    }
    for (int n = 0; n < BLOCK; n++) {
        Vector *to_add =
            vectors_at(gradient + model_l1_at(shape, bucket, neuron + n, view, 0)) + at;
        for (int v = 0; v < BLOCK; v++)
            to_add[v] += sums[n][v];
    }
}

/* Which views switch on each input: those of input i stand at starts[i] to starts[i + 1]. */
typedef struct {
    uint16_t starts[MODEL_INPUTS_MAX + 2];
    uint16_t views[2 * MODEL_SAMPLES_MAX * VARIANT_FEATURES_ACTIVE_MAX]; /* 2 * sample + view */
} Occurrences;
static_assert(2 * MODEL_SAMPLES_MAX * VARIANT_FEATURES_ACTIVE_MAX <= UINT16_MAX, "starts fit");

static void occurrences_fill(Occurrences *of, ModelShape shape, const ModelSamples *samples)
{
    memset(of->starts, 0, sizeof of->starts);
    for (int s = 0; s < samples->count; s++)
        for (int view = 0; view < 2; view++)
            for (int i = 0; i < samples->active[s]; i++)
                of->starts[samples->inputs[s][view][i] + 2]++;
    for (int input = 0; input < network_inputs(shape); input++)
        of->starts[input + 2] = (uint16_t)(of->starts[input + 2] + of->starts[input + 1]);
    /* Each start moves on to the next one's place. */
    for (int s = 0; s < samples->count; s++)
        for (int view = 0; view < 2; view++)
            for (int i = 0; i < samples->active[s]; i++)
                of->views[of->starts[samples->inputs[s][view][i] + 1]++] = (uint16_t)(2 * s + view);
}

/* What `tile` vectors of hidden units pass on: nothing at either end of the clamp. */
ALWAYS_INLINE void clamp_backward(Vector *passed, const Vector *slopes, const Vector *kept,
                                  const Vector *partners, int tile)
{
    const Vector zero = { 0 }, one = zero + 1;
    for (int v = 0; v < tile; v++)
        passed[v] = where((kept[v] > zero) & (kept[v] < one), partners[v] * slopes[v]);
}

/* What each view's hidden units pass on, `tile` vectors of them and then as many partners, for
 * `tile` vectors of activations from `unit` on. */
ALWAYS_INLINE void views_backward(const float *parameters, ModelShape shape,
                                  const ModelSamples *samples, const float *activations,
                                  float (*const slopes)[NETWORK_L1], int unit, int tile,
                                  Vector *passed)
{
    const int partner = shape.width - network_activations(shape);
    for (int s = 0; s < samples->count; s++) {
        for (int view = 0; view < 2; view++) {
            const float *kept = activations + model_activation_at(shape, s, view) + unit;
            const Vector *a = vectors_of(kept), *b = vectors_of(kept + partner);
            Vector active[TILE] = { 0 };
            for (int k = 0; k < NETWORK_L1; k++) {
                const Vector *weights =
                    vectors_of(parameters + model_l1_at(shape, samples->bucket[s], k, view, unit));
                for (int v = 0; v < tile; v++)
                    active[v] += slopes[s][k] * weights[v];
            }
            if (partner == 0)
                for (int v = 0; v < tile; v++)
                    active[v] *= 2;
            clamp_backward(passed, active, a, b, tile);
            passed += tile;
            if (partner > 0) {
                clamp_backward(passed, active, b, a, tile);
                passed += tile;
            }
        }
    }
}

/* Adds up what views passed on, and adds that to two runs of `tile` vectors, or to one. Each
 * input's weights are read and written once, however many views have it. */
ALWAYS_INLINE void sum_up(const Vector *passed, const uint16_t *views, int count, int tile,
                          int halves, float *gradient, int partner)
{
    Vector sums[TILE] = { 0 };
    for (int i = 0; i < count; i++) {
        const Vector *of_view = passed + (views ? views[i] : i) * halves * tile;
        for (int v = 0; v < halves * tile; v++)
            sums[v] += of_view[v];
    }
    for (int v = 0; v < tile; v++)
        vectors_at(gradient)[v] += sums[v];
    if (halves > 1)
        for (int v = 0; v < tile; v++)
            vectors_at(gradient + partner)[v] += sums[tile + v];
}

/* The gradient of the hidden units behind `tile` vectors of activations. */
ALWAYS_INLINE void hidden_backward(const float *parameters, ModelShape shape,
                                   const ModelSamples *samples, float *activations,
                                   float (*const slopes)[NETWORK_L1], const Occurrences *of,
                                   int unit, int tile, int halves, float *gradient)
{
    const int partner = shape.width - network_activations(shape);
    Vector *passed = vectors_at(activations + model_passed_at(shape));
    views_backward(parameters, shape, samples, activations, slopes, unit, tile, passed);
    sum_up(passed, NULL, 2 * samples->count, tile, halves, gradient + model_ft_bias_at(shape, unit),
           partner);
    for (int input = 0; input < network_inputs(shape); input++) {
        int from = of->starts[input], count = of->starts[input + 1] - from;
        if (count > 0)
            sum_up(passed, of->views + from, count, tile, halves,
                   gradient + model_ft_at(shape, input, unit), partner);
    }
}

static void all_hidden_backward(const float *parameters, ModelShape shape,
                                const ModelSamples *samples, float *activations,
                                float (*const slopes)[NETWORK_L1], float *gradient)
{
    Occurrences of;
    const int count = network_activations(shape);
    int unit = 0;
    occurrences_fill(&of, shape, samples);
    if (shape.activation == NETWORK_PRODUCTS)
        for (; unit + TILE / 2 * LANES <= count; unit += TILE / 2 * LANES)
            hidden_backward(parameters, shape, samples, activations, slopes, &of, unit, TILE / 2, 2,
                            gradient);
    else
        for (; unit + TILE * LANES <= count; unit += TILE * LANES)
            hidden_backward(parameters, shape, samples, activations, slopes, &of, unit, TILE, 1,
                            gradient);
    for (; unit < count; unit += STEP * LANES)
        if (shape.activation == NETWORK_PRODUCTS)
            hidden_backward(parameters, shape, samples, activations, slopes, &of, unit, STEP, 2,
                            gradient);
        else
            hidden_backward(parameters, shape, samples, activations, slopes, &of, unit, STEP, 1,
                            gradient);
}

void model_backward(const ModelRounded *rounded, ModelShape shape, const ModelSamples *samples,
                    float *activations, const float *slopes, float *gradient)
{
    float l1[MODEL_SAMPLES_MAX][NETWORK_L1]; /* what L1 does to the loss */
    const int active = network_activations(shape);
    for (int s = 0; s < samples->count; s++)
        l2_backward(rounded->layers, shape, samples->bucket[s],
                    activations + model_l1_neurons_at(shape, s), slopes[s], gradient, l1[s]);
    for (int s = 0, end; s < samples->count; s = end) {
        end = run_end(samples, s);
        for (int at = 0; at < 2 * active / LANES; at += BLOCK)
            for (int neuron = 0; neuron < NETWORK_L1; neuron += BLOCK)
                l1_backward(shape, samples->bucket[s], s, end, activations, l1, neuron,
                            at >= active / LANES, at % (active / LANES), gradient);
    }
    all_hidden_backward(rounded->layers, shape, samples, activations, l1, gradient);
}
