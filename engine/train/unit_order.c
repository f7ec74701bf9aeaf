/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/unit_order.h"

#include "engine/base/minmax.h"

#include <stdlib.h>
#include <string.h>

enum {
    POSITIONS = 8192,
    VIEWS = 2 * POSITIONS,
    WORDS = VIEWS / 64,
    UNITS_MAX = NETWORK_WIDTH_MAX / 2,
    BLOCK = 4, /* inputs that the engine skips together */
};

/* In which views each product is not zero. */
typedef struct {
    uint64_t active[UNITS_MAX][WORDS];
    int order[UNITS_MAX];
} Survey;

static void note_samples(Survey *survey, ModelShape shape, const ModelSamples *samples,
                         const float *activations, int view)
{
    /* Below that the engine's integer is 0. */
    const float least = 0.5F / NETWORK_ACTIVATION_MAX;
    const int count = network_activations(shape);
    for (int i = 0; i < 2 * samples->count; i++, view++) {
        const float *hidden = activations + model_activation_at(shape, i / 2, i % 2);
        for (int unit = 0; unit < count; unit++)
            if (hidden[unit] * hidden[unit + count] >= least)
                survey->active[unit][view / 64] |= UINT64_C(1) << view % 64;
    }
}

static void measure(Survey *survey, const float *parameters, const int16_t *rounded,
                    ModelShape shape, const Dataset *data, ModelSamples *samples,
                    float *activations)
{
    float logits[MODEL_SAMPLES_MAX];
    uint32_t count = data->validation_count < POSITIONS ? data->validation_count : POSITIONS;
    for (uint32_t at = 0; at < count;) {
        int view = (int)(2 * at);
        samples->count = 0;
        while (samples->count < MODEL_SAMPLES_MAX && at < count)
            dataset_add_validation(samples, data, at++, shape);
        model_forward(parameters, rounded, shape, samples, activations, logits);
        note_samples(survey, shape, samples, activations, view);
    }
}

/* Views in which one of both is active. */
static int views_of_both(const uint64_t *a, const uint64_t *b)
{
    int views = 0;
    for (int i = 0; i < WORDS; i++)
        views += __builtin_popcountll(a[i] | b[i]);
    return views;
}

/* Block after block: the least active unit that is left, and those that add least to it. */
static void choose(Survey *survey, int count)
{
    bool is_taken[UNITS_MAX] = { false };
    uint64_t block[WORDS] = { 0 };
    for (int at = 0; at < count; at++) {
        int best = -1, best_views = 0;
        if (at % BLOCK == 0)
            memset(block, 0, sizeof block);
        for (int unit = 0; unit < count; unit++) {
            if (is_taken[unit])
                continue;
            int views = views_of_both(survey->active[unit], block);
            if (best < 0 || views < best_views) {
                best = unit;
                best_views = views;
            }
        }
        for (int i = 0; i < WORDS; i++)
            block[i] |= survey->active[best][i];
        is_taken[best] = true;
        survey->order[at] = best;
    }
}

/* A row of numbers, one for each product. */
static void reorder(float *row, const int *order, int count)
{
    float before[UNITS_MAX];
    memcpy(before, row, (size_t)count * sizeof *row);
    for (int i = 0; i < count; i++)
        row[i] = before[order[i]];
}

static void reorder_all(float *parameters, ModelShape shape, const int *order)
{
    const int count = network_activations(shape);
    for (int input = 0; input <= network_inputs(shape); input++) /* and the biases */
        for (int half = 0; half < 2; half++)
            reorder(parameters + model_ft_at(shape, input, half * count), order, count);
    for (int bucket = 0; bucket < shape.buckets; bucket++)
        for (int k = 0; k < 2 * NETWORK_L1; k++)
            reorder(parameters + model_l1_at(shape, bucket, k / 2, k % 2, 0), order, count);
}

bool unit_order(float *parameters, ModelShape shape, const Dataset *data, Error *err)
{
    Survey *survey = calloc(1, sizeof *survey);
    ModelSamples *samples = calloc(1, sizeof *samples);
    float *activations =
        aligned_alloc(MODEL_ALIGNMENT, model_activations_size(shape) * sizeof *activations);
    int16_t *rounded = aligned_alloc(MODEL_ALIGNMENT, model_rounded_size(shape) * sizeof *rounded);
    assert(shape.activation == NETWORK_PRODUCTS);
    bool ok = survey && samples && activations && rounded;
    if (ok) {
        model_round(rounded, parameters, shape, 0, model_size(shape));
        measure(survey, parameters, rounded, shape, data, samples, activations);
        choose(survey, network_activations(shape));
        reorder_all(parameters, shape, survey->order);
    } else {
        error_set(err, ERR_MEMORY, "no memory to order hidden units");
    }
    free(rounded);
    free(activations);
    free(samples);
    free(survey);
    return ok;
}
