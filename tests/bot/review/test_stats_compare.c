/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/stats_compare.h"
#include "engine/base/random.h"
#include "tests/support/unit.h"

#include <math.h>

enum { REPETITIONS = 1000, GAMES = 150 };

static double draw(uint64_t *seed)
{
    return (double)(random_next(seed) >> 11) / 9007199254740992.0;
}

/* A third of the games are draws as far as the strengths allow it. */
static void play(CompareGame *games, int count, double strength, uint64_t *seed)
{
    for (int i = 0; i < count; i++) {
        games[i] = (CompareGame){ .rating = 1600 + (int)(draw(seed) * 600) };
        double e = 1 / (1 + pow(10, (games[i].rating - strength) / 400));
        double drawn = fmin(e, 1 - e) * 2 / 3, at = draw(seed);
        games[i].score = at < e - drawn / 2 ? 1 : at < e + drawn / 2 ? 0.5 : 0;
    }
}

TEST(the_interval_holds_the_truth_as_often_as_it_says)
{
    static const double truths[] = { 0, 40, 200 };
    for (size_t row = 0; row < sizeof truths / sizeof *truths; row++) {
        CompareGame first[GAMES], second[2 * GAMES];
        uint64_t seed = 25 + row;
        int inside = 0, superior = 0;
        for (int i = 0; i < REPETITIONS; i++) {
            Compare result;
            play(first, GAMES, 1900 + truths[row], &seed);
            play(second, 2 * GAMES, 1900, &seed);
            stats_compare(first, GAMES, second, 2 * GAMES, &result);
            assert_true(result.is_rated);
            inside += fabs(result.difference - truths[row]) <= result.margin;
            superior += result.superiority > 0.5;
        }
        print_message("truth %.0f: inside in %.1f %%, first in %.1f %%\n", truths[row],
                      100.0 * inside / REPETITIONS, 100.0 * superior / REPETITIONS);
        assert_in_range(inside, REPETITIONS * 93 / 100, REPETITIONS * 97 / 100);
    }
}

TEST(an_even_score_is_the_opponents_rating)
{
    static const CompareGame even[] = { { 1, 2000, 10, false, 3 }, { 0, 2000, 20, true, 1 } };
    static const CompareGame lost[] = { { 0, 2000, 0, false, 0 }, { 0, 2000, 0, false, 0 } };
    Compare result;
    stats_compare(even, 2, even, 2, &result);
    assert_true(result.is_rated);
    assert_true(fabs(result.sides[0].performance - 2000) < 0.01);
    assert_true(fabs(result.difference) < 0.01);
    assert_true(fabs(result.superiority - 0.5) < 0.001);
    assert_int_equal(result.sides[0].on_time, 1);
    assert_int_equal(result.sides[0].strikes, 4);
    assert_true(fabs(result.sides[0].depth - 15) < 0.01);
    stats_compare(even, 2, lost, 2, &result); /* no rating explains it */
    assert_false(result.is_rated);
    assert_true(result.sides[0].is_rated);
    stats_compare(NULL, 0, NULL, 0, &result);
    assert_false(result.is_rated);
}
