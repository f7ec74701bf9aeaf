/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/model.h"

#include "engine/base/random.h"
#include "engine/train/dataset.h"
#include "tests/support/packed_positions.h"
#include "tests/support/unit.h"

#include <math.h>

enum { SAMPLES = 40 };

typedef struct {
    ModelShape shape;
    ModelSamples samples;
    float *parameters, *activations, *gradient;
    ModelRounded rounded;
    double *copy; /* of the parameters, for differences */
    float logits[MODEL_SAMPLES_MAX], slopes[MODEL_SAMPLES_MAX];
} Fixture;

static float *floats_new(size_t count)
{
    float *floats = aligned_alloc(MODEL_ALIGNMENT, count * sizeof *floats);
    assert_non_null(floats);
    memset(floats, 0, count * sizeof *floats);
    return floats;
}

static int set_up_of(void **state, ModelShape shape)
{
    Fixture *f = calloc(1, sizeof *f);
    PackedPosition records[SAMPLES];
    uint64_t seed = 5;
    assert_non_null(f);
    f->shape = shape;
    f->parameters = floats_new(model_size(shape));
    f->gradient = floats_new(model_size(shape));
    f->activations = floats_new(model_activations_size(shape));
    f->copy = calloc(model_size(shape), sizeof *f->copy);
    assert_non_null(f->copy);
    model_init(f->parameters, shape, 3);
    for (int unit = 0; unit < shape.width; unit++) /* so that both ends of the clamp are reached */
        f->parameters[model_ft_bias_at(shape, unit)] = (float)random_below(&seed, 200) / 100 - 0.5F;
    for (int bucket = 0; bucket < shape.buckets; bucket++) {
        for (int k = 0; k < NETWORK_L1; k++)
            f->parameters[model_l1_bias_at(shape, bucket, k)] = (float)(bucket - k) / 10;
        for (int k = 0; k < NETWORK_L2; k++)
            f->parameters[model_l2_bias_at(shape, bucket, k)] = (float)(k - 10) / 20;
    }
    packed_positions_fill(records, SAMPLES, 1);
    for (int i = 0; i < SAMPLES; i++) {
        dataset_add_sample(&f->samples, &records[i], shape);
        f->slopes[i] = (float)random_below(&seed, 1000) / 1000 - 0.5F;
    }
    assert_true(model_rounded_init(&f->rounded, shape));
    model_round(&f->rounded, f->parameters, shape, 0, model_size(shape));
    const size_t behind_ft = model_l1_at(shape, 0, 0, 0, 0);
    for (size_t i = 0; i < model_size(shape); i++) /* what is made of them is exact */
        f->parameters[i] =
            i < behind_ft ? (float)f->rounded.ft[i] / MODEL_ROUND : f->rounded.layers[i];
    *state = f;
    return 0;
}

static int set_up(void **state)
{
    return set_up_of(state, (ModelShape){ 128, 8, RULES_STANDARD, 4, NETWORK_SQUARES });
}

static int set_up_products(void **state)
{
    return set_up_of(state, (ModelShape){ 640, 8, RULES_STANDARD, 8, NETWORK_PRODUCTS });
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    free(f->parameters);
    free(f->gradient);
    free(f->activations);
    free(f->copy);
    model_rounded_release(&f->rounded);
    free(f);
    return 0;
}

static void forward(Fixture *f)
{
    model_forward(&f->rounded, f->shape, &f->samples, f->activations, f->logits);
}

/* The definition in model.h, one number after the other. */
static double slow_logit(ModelShape shape, const double *p, const ModelSamples *samples, int s)
{
    int bucket = samples->bucket[s];
    double l1[NETWORK_L1], l2[NETWORK_L2];
    for (int k = 0; k < NETWORK_L1; k++)
        l1[k] = p[model_l1_bias_at(shape, bucket, k)];
    for (int view = 0; view < 2; view++) {
        double hidden[NETWORK_WIDTH_MAX];
        for (int unit = 0; unit < shape.width; unit++) {
            hidden[unit] = p[model_ft_bias_at(shape, unit)];
            for (int i = 0; i < samples->active[s]; i++)
                hidden[unit] += p[model_ft_at(shape, samples->inputs[s][view][i], unit)];
            /* A sum at an end of the clamp is on its outer side, however little it is moved. */
            hidden[unit] = hidden[unit] < 1e-4 ? 0 : hidden[unit] > 1 - 1e-4 ? 1 : hidden[unit];
        }
        const int count = shape.activation == NETWORK_PRODUCTS ? shape.width / 2 : shape.width;
        const double *partners = hidden + shape.width - count;
        for (int i = 0; i < count; i++)
            for (int k = 0; k < NETWORK_L1; k++)
                l1[k] += hidden[i] * partners[i] * p[model_l1_at(shape, bucket, k, view, i)];
    }
    double logit = l1[NETWORK_L1 - 1];
    for (int k = 0; k < NETWORK_L2; k++) {
        l2[k] = p[model_l2_bias_at(shape, bucket, k)];
        for (int i = 0; i < NETWORK_L1 - 1; i++)
            l2[k] += fmin(fmax(l1[i], 0), 1) * p[model_l2_at(shape, bucket, i, k)] +
                     fmin(l1[i] * l1[i], 1) * p[model_l2_at(shape, bucket, 15 + i, k)];
        logit += fmin(fmax(l2[k], 0), 1) * p[model_l3_at(shape, bucket, k)];
    }
    return logit;
}

static void copy_parameters(Fixture *f)
{
    for (size_t i = 0; i < model_size(f->shape); i++)
        f->copy[i] = (double)f->parameters[i];
}

static void check_logits(Fixture *f)
{
    copy_parameters(f);
    forward(f);
    for (int s = 0; s < SAMPLES; s++)
        assert_float_equal(f->logits[s], (float)slow_logit(f->shape, f->copy, &f->samples, s),
                           1e-4);
}

TEST_IN(logits_are_what_the_formula_says, set_up, tear_down)
{
    check_logits(*state);
}

TEST_IN(logits_of_products_are_what_the_formula_says, set_up_products, tear_down)
{
    check_logits(*state);
}

/* Of what the gradient is of: the logits times the slopes. */
static double slow_sum(const Fixture *f)
{
    double sum = 0;
    for (int s = 0; s < SAMPLES; s++)
        sum += (double)f->slopes[s] * slow_logit(f->shape, f->copy, &f->samples, s);
    return sum;
}

static void check_slope(Fixture *f, size_t at)
{
    const double step = 1e-6;
    double kept = f->copy[at];
    f->copy[at] = kept + step;
    double above = slow_sum(f);
    f->copy[at] = kept - step;
    double below = slow_sum(f);
    f->copy[at] = kept;
    double expected = (above - below) / (2 * step), got = (double)f->gradient[at];
    if (fabs(got - expected) > 1e-3 * fmax(fabs(expected), 1e-2))
        fail_msg("parameter %zu: gradient %.8f, difference %.8f", at, got, expected);
}

static void check_gradient(Fixture *f, int rounds)
{
    const ModelShape shape = f->shape;
    uint64_t seed = 9;
    int moved = 0;
    copy_parameters(f);
    forward(f);
    model_backward(&f->rounded, shape, &f->samples, f->activations, f->slopes, f->gradient);
    for (int i = 0; i < rounds; i++) {
        int s = (int)random_below(&seed, SAMPLES), view = (int)random_below(&seed, 2);
        int unit = (int)random_below(&seed, (uint64_t)shape.width);
        size_t feature = model_ft_at(shape, f->samples.inputs[s][view][0], unit);
        moved += f->gradient[feature] < 0 || f->gradient[feature] > 0;
        check_slope(f, feature);
        check_slope(f, model_ft_bias_at(shape, unit));
        int bucket = f->samples.bucket[s], l1 = (int)random_below(&seed, NETWORK_L1);
        int l2 = (int)random_below(&seed, NETWORK_L2);
        check_slope(f, model_l1_at(shape, bucket, l1, view, unit % network_activations(shape)));
        check_slope(f, model_l1_bias_at(shape, bucket, l1));
        check_slope(f, model_l2_at(shape, bucket, i % NETWORK_L2_INPUTS, l2));
        check_slope(f, model_l2_bias_at(shape, bucket, l2));
        check_slope(f, model_l3_at(shape, bucket, l2));
    }
    assert_true(moved > rounds / 3); /* differences of zero would prove nothing */
}

TEST_IN(gradient_is_the_slope_of_every_kind_of_parameter, set_up, tear_down)
{
    check_gradient(*state, 300);
}

TEST_IN(gradient_of_products_is_the_slope_too, set_up_products, tear_down)
{
    check_gradient(*state, 60);
}

TEST_IN(weights_of_l1_are_looked_at_as_a_file_holds_them, set_up, tear_down)
{
    Fixture *f = *state;
    const size_t first = model_l1_at(f->shape, 0, 0, 0, 0);
    const size_t bias = model_l1_bias_at(f->shape, 0, 0);
    static const float rows[][2] = { { 0.3F, 29.0F / 96 },
                                     { -0.301F, -29.0F / 96 },
                                     { 1.6F, 127.0F / 96 },
                                     { -1.6F, -127.0F / 96 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        f->parameters[first + i] = rows[i][0];
    f->parameters[bias] = 1.6F;
    model_round(&f->rounded, f->parameters, f->shape, first, bias + 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_float_equal(f->rounded.layers[first + i], rows[i][1], 1e-6);
    assert_float_equal(f->rounded.layers[bias], 1.6F, 0);
}

TEST_IN(gradients_of_batches_add_up, set_up, tear_down)
{
    Fixture *f = *state;
    const ModelShape shape = f->shape;
    const size_t at = model_l1_bias_at(shape, f->samples.bucket[0], NETWORK_L1 - 1);
    forward(f);
    model_backward(&f->rounded, shape, &f->samples, f->activations, f->slopes, f->gradient);
    double once = (double)f->gradient[at];
    model_backward(&f->rounded, shape, &f->samples, f->activations, f->slopes, f->gradient);
    assert_float_equal(f->gradient[at], (float)(2 * once), 1e-4);
}

TEST_IN(weights_begin_with_the_stated_spread_and_equal_buckets, set_up, tear_down)
{
    Fixture *f = *state;
    const ModelShape shape = f->shape;
    double sum = 0, squares = 0;
    size_t count = model_ft_bias_at(shape, 0), l1 = NETWORK_L1 * 2 * (size_t)shape.width;
    model_init(f->parameters, shape, 1);
    for (size_t i = 0; i < count; i++) {
        sum += (double)f->parameters[i];
        squares += (double)f->parameters[i] * (double)f->parameters[i];
    }
    assert_float_equal((float)(sum / (double)count), 0, 0.001);
    assert_float_equal((float)(sqrt(squares / (double)count)), 0.05, 0.001);
    assert_memory_equal(f->parameters + model_l1_at(shape, 0, 0, 0, 0),
                        f->parameters + model_l1_at(shape, 7, 0, 0, 0), l1 * sizeof(float));
    assert_memory_equal(f->parameters + model_l3_at(shape, 0, 0),
                        f->parameters + model_l3_at(shape, 7, 0), NETWORK_L2 * sizeof(float));
}

TEST(shapes_that_the_vectors_do_not_fit_are_refused)
{
    Error errors[2] = { { 0 } };
    assert_false(
        model_shape_check((ModelShape){ 96, 1, RULES_STANDARD, 4, NETWORK_SQUARES }, &errors[0]));
    assert_string_equal(errors[0].text, "a width of 96: not a multiple of 64");
    assert_false(
        model_shape_check((ModelShape){ 192, 1, RULES_STANDARD, 4, NETWORK_PRODUCTS }, &errors[1]));
    assert_string_equal(errors[1].text, "a width of 192: not a multiple of 128");
    assert_false(
        model_shape_check((ModelShape){ 64, 3, RULES_STANDARD, 4, NETWORK_SQUARES }, NULL));
    assert_true(model_shape_check((ModelShape){ 64, 8, RULES_STANDARD, 4, NETWORK_SQUARES }, NULL));
}
