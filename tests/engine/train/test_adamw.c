/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/adamw.h"

#include "tests/support/unit.h"

#include <math.h>

enum { COUNT = 100, STEPS = 50 };

typedef struct {
    float weights[COUNT], first[COUNT], second[COUNT], left[COUNT], right[COUNT];
} Arrays;

static void step(Arrays *a, size_t from, size_t to, uint64_t number)
{
    const AdamwState state = { a->weights, a->first, a->second };
    float *const gradients[] = { a->left, a->right };
    adamw_step(&state, gradients, 2, from, to, 0.01F, number);
}

/* The algorithm as it is published, in double. */
static double published(double weight, double gradient, int steps)
{
    double first = 0, second = 0;
    for (int t = 1; t <= steps; t++) {
        first = 0.9 * first + 0.1 * gradient;
        second = 0.999 * second + 0.001 * gradient * gradient;
        double m = first / (1 - pow(0.9, t)), v = second / (1 - pow(0.999, t));
        weight -= 0.01 * (m / (sqrt(v) + 1e-8) + 0.01 * weight);
    }
    return weight;
}

TEST(steps_follow_the_published_algorithm)
{
    Arrays a = { 0 };
    for (int i = 0; i < COUNT; i++)
        a.weights[i] = 0.5F;
    for (uint64_t number = 1; number <= STEPS; number++) {
        for (int i = 0; i < COUNT; i++) {
            a.left[i] = (float)(i - 50) * 1e-3F;
            a.right[i] = (float)(i - 50) * 2e-3F;
        }
        step(&a, 0, COUNT, number);
    }
    for (int i = 0; i < COUNT; i++)
        assert_float_equal(a.weights[i], (float)published(0.5, (i - 50) * 3e-3, STEPS), 1e-4);
}

TEST(gradients_are_zero_after_a_step)
{
    const float zeros[COUNT] = { 0 };
    Arrays a = { .left = { 1, 2, 3 }, .right = { [COUNT - 1] = 4 } };
    step(&a, 0, COUNT, 1);
    assert_memory_equal(a.left, zeros, sizeof zeros);
    assert_memory_equal(a.right, zeros, sizeof zeros);
}

TEST(slices_give_what_the_whole_gives)
{
    Arrays whole = { 0 }, sliced;
    for (int i = 0; i < COUNT; i++)
        whole.left[i] = whole.weights[i] = (float)i * 0.01F;
    sliced = whole;
    step(&whole, 0, COUNT, 1);
    step(&sliced, 64, COUNT, 1);
    step(&sliced, 0, 64, 1);
    assert_memory_equal(&sliced, &whole, sizeof whole);
}

TEST(weights_stay_within_what_integers_hold)
{
    Arrays a = { .weights = { 1.979F, -1.979F }, .left = { -1, 1 } };
    step(&a, 0, COUNT, 1);
    assert_float_equal(a.weights[0], ADAMW_CLIP, 0);
    assert_float_equal(a.weights[1], -ADAMW_CLIP, 0);
}
