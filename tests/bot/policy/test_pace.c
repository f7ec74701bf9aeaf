/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/pace.h"
#include "tests/support/unit.h"

#include <math.h>
#include <stdlib.h>

enum { SEEDS = 4000 };

static const PaceFacts blitz = { .left_ms = 180000, .move = 20, .legal_moves = 35, .seed = 1 };

typedef struct {
    double mean, p5, median, p95;
} Spread;

static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Over the moods of many games. */
static Spread spread_of(PaceFacts facts)
{
    static int64_t times[SEEDS];
    double sum = 0;
    for (int i = 0; i < SEEDS; i++) {
        facts.seed = (uint64_t)i * 7919 + 3;
        times[i] = pace_think_ms(&facts);
        sum += (double)times[i];
    }
    qsort(times, SEEDS, sizeof *times, compare);
    return (Spread){ .mean = sum / SEEDS,
                     .p5 = (double)times[SEEDS / 20],
                     .median = (double)times[SEEDS / 2],
                     .p95 = (double)times[SEEDS - SEEDS / 20] };
}

static void assert_between(const char *what, double value, double lo, double hi)
{
    if (value < lo || value > hi)
        fail_msg("%s: %.0f is not within %.0f..%.0f", what, value, lo, hi);
}

TEST(times_have_a_long_tail)
{
    Spread spread = spread_of(blitz);
    assert_between("median", spread.median, 5000, 7000);
    assert_between("mean above the median", spread.mean / spread.median * 100, 135, 165);
    assert_between("slow ones", spread.p95 / spread.median * 100, 400, 560);
    assert_between("fast ones", spread.median / spread.p5 * 100, 400, 560);
}

/* As people's, whose logarithms scatter by 0.93 to 1.06. */
TEST(times_scatter_as_people_s_do)
{
    double sum = 0, squares = 0;
    PaceFacts facts = blitz;
    for (int i = 0; i < SEEDS; i++) {
        facts.seed = (uint64_t)i * 7919 + 3;
        double x = log((double)pace_think_ms(&facts));
        sum += x;
        squares += x * x;
    }
    double mean = sum / SEEDS;
    assert_between("scatter, hundredths", 100 * sqrt(squares / SEEDS - mean * mean), 88, 98);
}

TEST(the_median_follows_clock_and_position)
{
    static const struct {
        const char *name;
        PaceFacts facts;
        double lo, hi; /* of the median */
    } rows[] = {
        { "the first move", { .left_ms = 180000, .move = 1, .legal_moves = 20 }, 1100, 1450 },
        { "opening", { .left_ms = 175000, .move = 8, .legal_moves = 30 }, 2400, 2900 },
        { "few moves", { .left_ms = 100000, .move = 45, .legal_moves = 6 }, 1800, 2300 },
        { "in check",
          { .left_ms = 100000, .move = 20, .legal_moves = 6, .in_check = true },
          3000,
          3700 },
        { "everybody plays the same",
          { .left_ms = 100000,
            .move = 20,
            .legal_moves = 30,
            .entropy = 0.3,
            .probability = 0.9,
            .is_people_said = true },
          1950,
          2350 },
        { "hard to choose",
          { .left_ms = 100000,
            .move = 20,
            .legal_moves = 30,
            .entropy = 2.5,
            .probability = 0.2,
            .is_people_said = true },
          4150,
          4750 },
        { "a move that few find",
          { .left_ms = 100000,
            .move = 20,
            .legal_moves = 30,
            .entropy = 2.5,
            .probability = 0.04,
            .is_people_said = true },
          5500,
          6350 },
        { "forced", { .left_ms = 180000, .move = 20, .legal_moves = 1 }, 650, 850 },
        { "recapture",
          { .left_ms = 180000, .move = 20, .legal_moves = 35, .is_recapture = true },
          4200,
          5200 },
        { "bullet", { .left_ms = 40000, .move = 20, .legal_moves = 35 }, 1150, 1500 },
        { "ultra-bullet", { .left_ms = 12000, .move = 10, .legal_moves = 30 }, 180, 260 },
        { "classical",
          { .left_ms = 1800000, .increment_ms = 20000, .move = 20, .legal_moves = 35 },
          65000,
          85000 },
        { "short of time", { .left_ms = 5000, .move = 50, .legal_moves = 25 }, 130, 170 },
        { "no time", { .left_ms = 1999, .move = 50, .legal_moves = 25 }, 0, 0 },
        { "an increment can't be spent before it is there",
          { .left_ms = 3000, .increment_ms = 60000, .move = 20, .legal_moves = 35 },
          750,
          750 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_between(rows[i].name, spread_of(rows[i].facts).median, rows[i].lo, rows[i].hi);
}

TEST(slow_moves_come_in_spells)
{
    double sum_x = 0, sum_y = 0, sum_xx = 0, sum_yy = 0, sum_xy = 0, n = SEEDS;
    for (int i = 0; i < SEEDS; i++) {
        PaceFacts facts = blitz;
        facts.seed = (uint64_t)i;
        double x = log((double)pace_think_ms(&facts));
        facts.move++;
        double y = log((double)pace_think_ms(&facts));
        sum_x += x;
        sum_y += y;
        sum_xx += x * x;
        sum_yy += y * y;
        sum_xy += x * y;
    }
    double covariance = sum_xy / n - sum_x / n * sum_y / n;
    double variance_x = sum_xx / n - sum_x / n * sum_x / n;
    double variance_y = sum_yy / n - sum_y / n * sum_y / n;
    assert_between("correlation in per cent", 100 * covariance / sqrt(variance_x * variance_y), 40,
                   52);
}

TEST(the_same_move_of_a_game_takes_as_long_again)
{
    PaceFacts other = blitz;
    assert_true(pace_think_ms(&blitz) == pace_think_ms(&other));
    other.seed++;
    assert_true(pace_think_ms(&blitz) != pace_think_ms(&other));
}

/* Whole games at all clocks, the server's lag kept back or zero, in positions at their worst. */
TEST(no_clock_ever_runs_out)
{
    static const struct {
        int64_t base_ms, increment_ms;
    } clocks[] = { { 15000, 0 },  { 30000, 0 },      { 60000, 0 },       { 60000, 1000 },
                   { 0, 1000 },   { 120000, 1000 },  { 180000, 0 },      { 180000, 2000 },
                   { 600000, 0 }, { 900000, 10000 }, { 1800000, 20000 }, { 3000, 180000 } };
    static const int64_t lags_ms[] = { 0, 60, 400 };
    for (size_t c = 0; c < sizeof clocks / sizeof *clocks; c++) {
        for (size_t l = 0; l < sizeof lags_ms / sizeof *lags_ms; l++) {
            for (uint64_t seed = 0; seed < 200; seed++) {
                int64_t left = clocks[c].base_ms > 0 ? clocks[c].base_ms : 3000;
                for (int move = 1; move <= 300; move++) {
                    PaceFacts facts = { .left_ms = left - lags_ms[l] * 10,
                                        .increment_ms = clocks[c].increment_ms,
                                        .move = move,
                                        .legal_moves = 60,
                                        .in_check = true,
                                        .seed = seed };
                    int64_t time = pace_think_ms(&facts);
                    int64_t before = left;
                    if (time == 0)
                        break; /* from here on the engine's own care counts */
                    left -= time + lags_ms[l];
                    if (left < before * 3 / 5 || left < 1000)
                        fail_msg("%d ms + %d ms, move %d: %d of %d ms left", (int)clocks[c].base_ms,
                                 (int)clocks[c].increment_ms, move, (int)left, (int)before);
                    left += clocks[c].increment_ms;
                }
            }
        }
    }
}

/* Forty moves are what a player's clock is for. */
TEST(a_game_uses_most_of_its_clock_by_move_sixty)
{
    double left_at_20 = 0, left_at_60 = 0;
    enum { GAMES = 500 };
    for (uint64_t seed = 0; seed < GAMES; seed++) {
        int64_t left = 180000;
        for (int move = 1; move <= 60; move++) {
            bool is_quick = move % 6 == 0;
            PaceFacts facts = { .left_ms = left,
                                .move = move,
                                .legal_moves = 32,
                                .is_recapture = is_quick,
                                .seed = seed };
            left -= pace_think_ms(&facts);
            if (move == 20)
                left_at_20 += (double)left / GAMES;
        }
        left_at_60 += (double)left / GAMES;
    }
    assert_between("clock at move 20", left_at_20, 85000, 125000);
    assert_between("clock at move 60", left_at_60, 10000, 30000);
}
