/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/unit_order.h"

#include "engine/core/fen.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 128, PRODUCTS = WIDTH / 2, BLOCK = 4 };

static const ModelShape shape = {
    .width = WIDTH, .buckets = 8, .king_buckets = 4, .activation = NETWORK_PRODUCTS
};

/* Sixteen kinds of products, four of each: a kind is active where a view's own pawn stands on one
 * square of the second or third rank. */
static float *parameters_new(void)
{
    float *parameters = aligned_alloc(MODEL_ALIGNMENT, model_size(shape) * sizeof *parameters);
    assert_non_null(parameters);
    model_init(parameters, shape, 3);
    for (int input = 0; input < network_inputs(shape); input++)
        for (int unit = 0; unit < WIDTH; unit++) {
            bool is_kind = input % FEATURES_OF_BUCKET - 8 == unit % PRODUCTS % 16;
            parameters[model_ft_at(shape, input, unit)] = is_kind ? 0.9F : 0;
        }
    return parameters;
}

static Dataset data_new(void)
{
    static const char *const fens[] = {
        FEN_START,
        "4k3/8/8/8/8/P1P5/1P1P4/4K3 w - - 0 1",
        "4k3/8/8/8/8/PPP5/8/4K3 b - - 0 1",
        "4k3/8/8/8/8/7P/PP4P1/4K3 w - - 0 1",
        "4k3/8/8/8/8/4P1P1/3P1P2/3K4 w - - 0 1",
    };
    enum { COUNT = sizeof fens / sizeof *fens };
    Dataset data = { .ruleset = RULES_STANDARD, .training_count = COUNT };
    data.training = calloc(COUNT, sizeof *data.training);
    assert_non_null(data.training);
    for (int i = 0; i < COUNT; i++) {
        Position pos;
        assert_true(fen_read(&pos, fens[i], FEN_STRICT, NULL, NULL));
        data.training[i] = packed_position_of(&pos);
    }
    return data;
}

/* What the positions come to, and how many units and blocks of four are not zero in all views. */
typedef struct {
    float logits[MODEL_SAMPLES_MAX];
    int units, blocks;
} Outcome;

static Outcome outcome_of(const float *parameters, const Dataset *data)
{
    Outcome out = { 0 };
    float *activations =
        aligned_alloc(MODEL_ALIGNMENT, model_activations_size(shape) * sizeof *activations);
    ModelSamples *samples = calloc(1, sizeof *samples);
    int16_t *rounded = aligned_alloc(MODEL_ALIGNMENT, model_rounded_size(shape) * sizeof *rounded);
    assert_true(activations && samples && rounded);
    model_round(rounded, parameters, shape, 0, model_size(shape));
    for (uint32_t i = 0; i < data->training_count; i++)
        dataset_add_training(samples, data, i, shape);
    model_forward(parameters, rounded, shape, samples, activations, out.logits);
    for (int i = 0; i < 2 * samples->count; i++) {
        const float *hidden = activations + model_activation_at(shape, i / 2, i % 2);
        int active[PRODUCTS / BLOCK] = { 0 };
        for (int unit = 0; unit < PRODUCTS; unit++)
            active[unit / BLOCK] += hidden[unit] * hidden[unit + PRODUCTS] > 0;
        for (int block = 0; block < PRODUCTS / BLOCK; block++) {
            out.units += active[block];
            out.blocks += active[block] > 0;
        }
    }
    free(samples);
    free(activations);
    free(rounded);
    return out;
}

TEST(units_that_are_zero_together_stand_together_and_nothing_else_changes)
{
    float *parameters = parameters_new();
    Dataset data = data_new();
    Error err = { 0 };
    Outcome before = outcome_of(parameters, &data);
    if (!unit_order(parameters, shape, &data, &err))
        fail_msg("%s", err.text);
    Outcome after = outcome_of(parameters, &data);
    for (uint32_t i = 0; i < data.training_count; i++)
        assert_true(fabsf(before.logits[i] - after.logits[i]) < 1e-5F);
    assert_int_equal(after.units, before.units);
    assert_true(before.blocks > after.blocks);
    assert_int_equal(BLOCK * after.blocks, after.units); /* four of each kind: no block is mixed */
    free(data.training);
    free(parameters);
}
