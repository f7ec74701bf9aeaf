/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/pace.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

#include <math.h>

enum {
    NO_TIME_MS = 2000,
    CLOCK_SHARE = 45, /* of the clock for a typical move */
    CLOCK_LIMIT = 12, /* and for any, besides the increment; */
    CLOCK_LIMIT_IN_ALL = 4,
    CAPTURES_COUNTED = 5,
    REACTION_SHARE = 6, /* of a typical time */
    REACTION_MIN_MS = 200,
    REACTION_MAX_MS = 900,
};

static const double MOOD_SPREAD = 0.6, REACTION_SPREAD = 0.3;
static const double USUAL_MOVES = 30; /* that there are to choose from */

/* Of the stage by the number of the move; linear between. */
static const struct {
    int move;
    double factor;
} stages[] = { { 1, 0.25 }, { 6, 0.4 }, { 20, 1.5 }, { 40, 1.0 }, { 60, 0.8 } };
enum { STAGES = sizeof stages / sizeof *stages };

static double stage_factor(int move)
{
    int i = 0;
    while (i < STAGES && stages[i].move <= move)
        i++;
    if (i == 0)
        return stages[0].factor;
    if (i == STAGES)
        return stages[STAGES - 1].factor;
    double at = (double)(move - stages[i - 1].move) / (stages[i].move - stages[i - 1].move);
    return stages[i - 1].factor + at * (stages[i].factor - stages[i - 1].factor);
}

static double choice_factor(const PaceFacts *facts)
{
    double factor = log2(1 + facts->legal_moves) / log2(1 + USUAL_MOVES);
    factor *= 1 + 0.1 * int_min(facts->captures, CAPTURES_COUNTED);
    return facts->in_check ? factor * 4 / 3 : factor;
}

/* Standard normal, the same for the same move of the same game: twelve even numbers less their
 * mean, cut at 3. */
static double draw(uint64_t seed, int move)
{
    uint64_t state = seed ^ (uint64_t)(uint32_t)move * 0x9e3779b97f4a7c15ULL;
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)(random_next(&state) >> 11) * 0x1p-53;
    return fmin(fmax(sum, -3), 3);
}

/* Of variance 0.8^2 + 0.6^2 = 1, and correlated with the next move's by 0.8 * 0.6. */
static double mood(const PaceFacts *facts)
{
    return 0.8 * draw(facts->seed, facts->move) + 0.6 * draw(facts->seed, facts->move - 1);
}

int64_t pace_think_ms(const PaceFacts *facts)
{
    if (facts->left_ms < NO_TIME_MS)
        return 0;
    double typical = (double)facts->left_ms / CLOCK_SHARE + (double)facts->increment_ms / 2;
    double limit = fmin((double)facts->left_ms / CLOCK_LIMIT + (double)facts->increment_ms / 2,
                        (double)facts->left_ms / CLOCK_LIMIT_IN_ALL);
    double time;
    if (facts->legal_moves <= 1 || facts->is_recapture) {
        double reaction = fmin(fmax(typical / REACTION_SHARE, REACTION_MIN_MS), REACTION_MAX_MS);
        time = reaction * exp(REACTION_SPREAD * mood(facts));
    } else {
        time = typical * stage_factor(facts->move) * choice_factor(facts) *
               exp(MOOD_SPREAD * mood(facts));
    }
    return (int64_t)fmin(time, limit);
}
