/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/warm_start.h"

#include "engine/base/pages.h"
#include "engine/eval/evaluation.h"
#include "engine/train/export.h"
#include "tests/support/packed_positions.h"
#include "tests/support/random_network.h"
#include "tests/support/unit.h"

enum { POSITIONS = 400, WIDTH = 128, BUCKETS = 8 };

static ModelShape shape_of(int width, NetworkActivation activation, int king_buckets)
{
    return (ModelShape){ width, BUCKETS, RULES_STANDARD, king_buckets, activation };
}

/* The network that training of this shape begins with. */
static Network *begun(ModelShape shape, const Network *from)
{
    const NetworkInfo info = { .width = shape.width,
                               .buckets = shape.buckets,
                               .king_buckets = shape.king_buckets,
                               .activation = shape.activation,
                               .scale = from->info.scale };
    uint8_t *bytes = NULL;
    size_t size = 0;
    Network *network = NULL;
    Error err = { 0 };
    float *parameters = aligned_alloc(MODEL_ALIGNMENT, model_size(shape) * sizeof *parameters);
    assert_non_null(parameters);
    if (!warm_start_check(shape, from, &err) || !warm_start(parameters, shape, from, &err) ||
        !export_network(&bytes, &size, parameters, &info, "test", &err) ||
        !network_read(&network, bytes, size, &err))
        fail_msg("%s", err.text);
    free(parameters);
    free(bytes);
    return network;
}

TEST(finer_king_buckets_evaluate_as_before)
{
    static PackedPosition positions[POSITIONS];
    Evaluator *evaluator = pages_new(sizeof *evaluator);
    assert_non_null(evaluator);
    packed_positions_fill(positions, POSITIONS, 1);
    for (int king_buckets = 4; king_buckets <= 8; king_buckets += 4)
        for (NetworkActivation activation = NETWORK_SQUARES; activation <= NETWORK_PRODUCTS;
             activation++) {
            Network *from = random_network_of(shape_of(WIDTH, activation, 4), 7);
            Network *network = begun(shape_of(WIDTH, activation, king_buckets), from);
            for (int i = 0; i < POSITIONS; i++) {
                Position pos;
                assert_true(packed_position_read(&pos, &positions[i], NULL));
                assert_int_equal(evaluate_by(evaluator, network, &pos),
                                 evaluate_by(evaluator, from, &pos));
            }
            network_free(network);
            network_free(from);
        }
    pages_free(evaluator, sizeof *evaluator);
}

TEST(networks_that_begin_nothing_are_refused)
{
    Network *squares = random_network_of(shape_of(WIDTH, NETWORK_SQUARES, 4), 7);
    Network *products = random_network_of(shape_of(WIDTH, NETWORK_PRODUCTS, 8), 1);
    ModelShape other = shape_of(WIDTH, NETWORK_SQUARES, 8);
    Error err = { 0 };
    assert_false(warm_start_check(shape_of(2 * WIDTH, NETWORK_PRODUCTS, 8), squares, &err));
    assert_non_null(strstr(err.text, "has width 128 of squares, 4 king and 8 output buckets: "
                                     "nothing to begin 256 of products, 8 and 8 with"));
    assert_false(warm_start_check(shape_of(2 * WIDTH, NETWORK_SQUARES, 8), squares, NULL));
    assert_false(warm_start_check(shape_of(WIDTH, NETWORK_SQUARES, 8), products, NULL));
    assert_false(warm_start_check(shape_of(WIDTH, NETWORK_PRODUCTS, 4), products, NULL));
    assert_true(warm_start_check(shape_of(WIDTH, NETWORK_PRODUCTS, 8), products, NULL));
    other.buckets = 1;
    assert_false(warm_start_check(other, squares, NULL));
    network_free(squares);
    network_free(products);
}
