/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/warm_start.h"

#include "engine/base/pages.h"
#include "engine/eval/evaluation.h"
#include "engine/train/export.h"
#include "tests/support/packed_positions.h"
#include "tests/support/random_network.h"
#include "tests/support/unit.h"

enum { POSITIONS = 400, WIDTH = 128, BUCKETS = 8 };

typedef struct {
    PackedPosition positions[POSITIONS];
    Dataset data;
    Network *from;
    Evaluator *evaluator;
    float *parameters;
} Fixture;

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    packed_positions_fill(f->positions, POSITIONS, 1);
    f->data = (Dataset){ .training = f->positions, .training_count = POSITIONS };
    f->from = random_network(7, WIDTH, BUCKETS);
    f->evaluator = pages_new(sizeof *f->evaluator);
    assert_non_null(f->evaluator);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    network_free(f->from);
    pages_free(f->evaluator, sizeof *f->evaluator);
    free(f->parameters);
    free(f);
    return 0;
}

static ModelShape shape_of(int width, NetworkActivation activation)
{
    return (ModelShape){ width, BUCKETS, RULES_STANDARD, 8, activation };
}

/* The network that training of this shape begins with. */
static Network *begun(Fixture *f, ModelShape shape, double noise)
{
    const NetworkInfo info = { .width = shape.width,
                               .buckets = shape.buckets,
                               .king_buckets = shape.king_buckets,
                               .activation = shape.activation,
                               .scale = f->from->info.scale };
    uint8_t *bytes = NULL;
    size_t size = 0;
    Network *network = NULL;
    Error err = { 0 };
    free(f->parameters);
    f->parameters = aligned_alloc(MODEL_ALIGNMENT, model_size(shape) * sizeof(float));
    assert_non_null(f->parameters);
    if (!warm_start_check(shape, f->from, &err) ||
        !warm_start(f->parameters, shape, f->from, &f->data, noise, 3, &err) ||
        !export_network(&bytes, &size, f->parameters, &info, "test", &err) ||
        !network_read(&network, bytes, size, &err))
        fail_msg("%s", err.text);
    free(bytes);
    return network;
}

/* The mean difference of both networks' evaluations, and the largest. */
static double mean_difference(const Fixture *f, const Network *network, int *largest)
{
    double sum = 0;
    *largest = 0;
    for (int i = 0; i < POSITIONS; i++) {
        Position pos;
        assert_true(packed_position_read(&pos, &f->positions[i], NULL));
        int off = abs(evaluate_by(f->evaluator, network, &pos) -
                      evaluate_by(f->evaluator, f->from, &pos));
        sum += off;
        *largest = off > *largest ? off : *largest;
    }
    return sum / POSITIONS;
}

static void assert_evaluates_as_before(Fixture *f, const Network *network)
{
    int largest;
    mean_difference(f, network, &largest);
    assert_int_equal(largest, 0);
}

TEST_IN(squares_with_finer_king_buckets_evaluate_as_before, set_up, tear_down)
{
    Fixture *f = *state;
    Network *network = begun(f, shape_of(WIDTH, NETWORK_SQUARES), 0);
    assert_evaluates_as_before(f, network);
    network_free(network);
}

/* Weights and activations are the same integers. */
TEST_IN(products_of_equal_units_evaluate_as_the_squares, set_up, tear_down)
{
    Fixture *f = *state;
    Network *network = begun(f, shape_of(2 * WIDTH, NETWORK_PRODUCTS), 0);
    assert_evaluates_as_before(f, network);
    network_free(network);
}

TEST_IN(noise_parts_the_two_units_and_changes_little, set_up, tear_down)
{
    Fixture *f = *state;
    ModelShape shape = shape_of(2 * WIDTH, NETWORK_PRODUCTS);
    Network *network = begun(f, shape, 0.01);
    double squares = 0, mean = 0;
    for (int input = 0; input < network_inputs(shape); input++)
        for (int unit = 0; unit < WIDTH; unit++) {
            const float *row = f->parameters + model_ft_at(shape, input, unit);
            double apart = (double)(row[0] - row[WIDTH]) / 2;
            int theirs = input / 768 / 2 * 768 + input % 768;
            double known = network_feature(f->from, theirs)[unit] / 255.0;
            squares += apart * apart;
            mean += fabs((double)(row[0] + row[WIDTH]) / 2 - known);
        }
    size_t count = (size_t)network_inputs(shape) * WIDTH;
    assert_float_equal((float)sqrt(squares / (double)count), 0.01F, 0.0002);
    assert_float_equal((float)(mean / (double)count), 0, 1e-6);
    int largest;
    double size = 0;
    for (int i = 0; i < POSITIONS; i++) {
        Position pos;
        assert_true(packed_position_read(&pos, &f->positions[i], NULL));
        size += abs(evaluate_by(f->evaluator, f->from, &pos));
    }
    assert_true(mean_difference(f, network, &largest) < 0.1 * size / POSITIONS);
    network_free(network);
}

/* Half of the units do nothing: they are the ones left out, wherever they stand. */
TEST_IN(units_that_matter_stay, set_up, tear_down)
{
    Fixture *f = *state;
    NetworkShape theirs = network_shape_of(&f->from->info);
    for (int unit = 0; unit < WIDTH; unit++)
        for (int bucket = 0; unit % 4 < 2 && bucket < BUCKETS; bucket++)
            for (int k = 0; k < NETWORK_L1; k++)
                for (int view = 0; view < 2; view++)
                    f->from->weights
                        .l1_weights[network_l1_at(theirs, bucket, k, view * WIDTH + unit)] = 0;
    Network *network = begun(f, shape_of(WIDTH, NETWORK_PRODUCTS), 0);
    assert_evaluates_as_before(f, network);
    network_free(network);
}

/* Units that hardly change are left out, and what they always gave is not missed. */
TEST_IN(mean_of_what_is_left_out_goes_into_the_biases, set_up, tear_down)
{
    Fixture *f = *state;
    for (int unit = 0; unit < WIDTH / 2; unit++) {
        for (int input = 0; input < network_inputs(network_shape_of(&f->from->info)); input++)
            f->from->weights.ft_weights[input * WIDTH + unit] = 0;
        f->from->weights.ft_biases[unit] = 64; /* 8 of 127 */
    }
    Network *network = begun(f, shape_of(WIDTH, NETWORK_PRODUCTS), 0);
    int largest;
    double mean = mean_difference(f, network, &largest);
    if (mean > 1)
        fail_msg("%.1f centipawns off in the mean, %d at most", mean, largest);
    network_free(network);
}

TEST_IN(networks_that_begin_nothing_are_refused, set_up, tear_down)
{
    const Fixture *f = *state;
    ModelShape coarser = shape_of(WIDTH, NETWORK_SQUARES), other = coarser;
    Network *products = random_network_of(shape_of(WIDTH, NETWORK_PRODUCTS), 1);
    Error err = { 0 };
    assert_false(warm_start_check(shape_of(4 * WIDTH, NETWORK_PRODUCTS), f->from, &err));
    assert_non_null(strstr(err.text, "has width 128 of squares, 4 king and 8 output buckets: "
                                     "nothing to begin 512 of products, 8 and 8 with"));
    assert_false(warm_start_check(shape_of(2 * WIDTH, NETWORK_SQUARES), f->from, NULL));
    assert_false(warm_start_check(shape_of(WIDTH, NETWORK_SQUARES), products, NULL));
    assert_false(warm_start_check(shape_of(2 * WIDTH, NETWORK_PRODUCTS), products, NULL));
    assert_true(warm_start_check(shape_of(WIDTH, NETWORK_PRODUCTS), products, NULL));
    coarser.king_buckets = 4;
    coarser.activation = NETWORK_PRODUCTS;
    assert_false(warm_start_check(coarser, products, NULL));
    other.buckets = 1;
    assert_false(warm_start_check(other, f->from, NULL));
    network_free(products);
}
