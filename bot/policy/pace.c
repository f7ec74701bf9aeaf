/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/pace.h"

#include "engine/base/random.h"

#include <math.h>

enum {
    NO_TIME_MS = 2000,
    INCREMENTS = 22, /* that count as part of the clock */
    CLOCK_LIMIT = 4, /* of it for any move */
    REACTION_SHARE = 240,
    REACTION_MIN_MS = 200,
    REACTION_MAX_MS = 900,
};

static const double MOOD_SPREAD = 0.95, REACTION_SPREAD = 0.3;
static const double USUAL_MOVES = 30, USUAL_ENTROPY = 1.5, CHOICE_POWER = 0.33;
static const double RECAPTURE = 0.78, IN_CHECK = 1.84;
static const double UNLIKELY = 0.05, UNLIKELY_FACTOR = 4.0 / 3;

/* Of the clock, by the number of the move; linear between. */
static const struct {
    int move;
    double share;
} stages[] = { { 1, 0.008 },  { 5, 0.009 },  { 8, 0.015 },  { 13, 0.022 },
               { 18, 0.030 }, { 26, 0.037 }, { 36, 0.038 }, { 50, 0.032 } };
enum { STAGES = sizeof stages / sizeof *stages };

static double stage_share(int move)
{
    int i = 0;
    while (i < STAGES && stages[i].move <= move)
        i++;
    if (i == 0)
        return stages[0].share;
    if (i == STAGES)
        return stages[STAGES - 1].share;
    double at = (double)(move - stages[i - 1].move) / (stages[i].move - stages[i - 1].move);
    return stages[i - 1].share + at * (stages[i].share - stages[i - 1].share);
}

static double choice_factor(const PaceFacts *facts)
{
    double entropy = facts->is_people_said ? facts->entropy : USUAL_ENTROPY;
    double factor = exp(CHOICE_POWER * (entropy - USUAL_ENTROPY)) *
                    pow(facts->legal_moves / USUAL_MOVES, CHOICE_POWER);
    factor *= facts->is_recapture ? RECAPTURE : 1;
    factor *= facts->in_check ? IN_CHECK : 1;
    return facts->is_people_said && facts->probability < UNLIKELY ? factor * UNLIKELY_FACTOR
                                                                  : factor;
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

/* Of variance 0.84^2 + 0.54^2 = 1, and correlated with the next move's by 0.84 * 0.54 = 0.46. */
static double mood(const PaceFacts *facts)
{
    return 0.84 * draw(facts->seed, facts->move) + 0.54 * draw(facts->seed, facts->move - 1);
}

int64_t pace_think_ms(const PaceFacts *facts)
{
    if (facts->left_ms < NO_TIME_MS)
        return 0;
    double clock = (double)facts->left_ms + INCREMENTS * (double)facts->increment_ms;
    double time;
    if (facts->legal_moves <= 1) {
        double reaction = fmin(fmax(clock / REACTION_SHARE, REACTION_MIN_MS), REACTION_MAX_MS);
        time = reaction * exp(REACTION_SPREAD * mood(facts));
    } else {
        time = clock * stage_share(facts->move) * choice_factor(facts) *
               exp(MOOD_SPREAD * mood(facts));
    }
    return (int64_t)fmin(time, (double)facts->left_ms / CLOCK_LIMIT);
}
