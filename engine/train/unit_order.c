/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/unit_order.h"

#include "engine/train/survey.h"

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
    ModelShape shape;
    int views;
    uint64_t active[UNITS_MAX][WORDS];
    int order[UNITS_MAX];
} Activity;

static void note_samples(void *user, const ModelSamples *samples, const float *activations)
{
    Activity *activity = user;
    const int count = network_activations(activity->shape);
    for (int i = 0; i < 2 * samples->count; i++) {
        const float *hidden = activations + model_activation_at(activity->shape, i / 2, i % 2);
        int view = activity->views++;
        for (int unit = 0; unit < count; unit++)
            if (hidden[unit] * hidden[unit + count] >= SURVEY_LEAST)
                activity->active[unit][view / 64] |= UINT64_C(1) << view % 64;
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
static void choose(Activity *activity, int count)
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
            int views = views_of_both(activity->active[unit], block);
            if (best < 0 || views < best_views) {
                best = unit;
                best_views = views;
            }
        }
        for (int i = 0; i < WORDS; i++)
            block[i] |= activity->active[best][i];
        is_taken[best] = true;
        activity->order[at] = best;
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
    Activity *activity = calloc(1, sizeof *activity);
    assert(shape.activation == NETWORK_PRODUCTS);
    if (!activity) {
        error_set(err, ERR_MEMORY, "no memory to order hidden units");
        return false;
    }
    activity->shape = shape;
    bool ok = survey(parameters, shape, data, POSITIONS, note_samples, activity, err);
    if (ok) {
        choose(activity, network_activations(shape));
        reorder_all(parameters, shape, activity->order);
    }
    free(activity);
    return ok;
}
