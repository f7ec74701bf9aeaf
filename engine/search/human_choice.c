/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/human_choice.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

#include <math.h>

/* Values between two rows are interpolated, nodes and betas by their logarithms. `likeliest`: where
 * the likeliest move is taken; there the search corrects more, and what people play is met most
 * often so. */
static const struct {
    int elo;
    double beta[PRIOR_COUNT], nodes;
    double likeliest_beta[PRIOR_COUNT], likeliest_nodes;
} rows[] = {
    { 1100, { 0.05, 0.7 }, 1000, { 0.5, 1 }, 1000 },
    { 1500, { 0.8, 2.7 }, 2000, { 2, 12 }, 20000 },
    { 1900, { 3, 6 }, 5000, { 6, 12 }, 20000 },
    { 2200, { 12, 14 }, 20000, { 12, 20 }, 20000 },
    { 2500, { 40, 40 }, 60000, { 40, 40 }, 60000 },
    { 2800, { 200, 200 }, 240000, { 200, 200 }, 240000 },
};
enum { ROWS = sizeof rows / sizeof *rows, LINES = 12 };

/* Our own network spreads its probabilities over moves that hardly anybody plays. */
static const double temperatures[PRIOR_COUNT] = { 1, 0.6 };

static double between(double from, double to, double share)
{
    return from * pow(to / from, share);
}

HumanLimit human_limit_for(int elo, HumanPrior prior, bool takes_likeliest)
{
    int i = 1;
    while (i < ROWS - 1 && rows[i].elo < elo)
        i++;
    int at = int_clamp(elo, rows[0].elo, rows[i].elo);
    double share = (double)(at - rows[i - 1].elo) / (rows[i].elo - rows[i - 1].elo);
    const double *low = takes_likeliest ? rows[i - 1].likeliest_beta : rows[i - 1].beta;
    const double *high = takes_likeliest ? rows[i].likeliest_beta : rows[i].beta;
    double low_nodes = takes_likeliest ? rows[i - 1].likeliest_nodes : rows[i - 1].nodes;
    double high_nodes = takes_likeliest ? rows[i].likeliest_nodes : rows[i].nodes;
    bool is_alone = elo == 0 || (prior == PRIOR_OF_ONE_RATING && elo <= rows[0].elo);
    return (HumanLimit){ .beta = is_alone ? 0 : between(low[prior], high[prior], share),
                         .temperature = takes_likeliest ? 1 : temperatures[prior],
                         .nodes = (uint64_t)between(low_nodes, high_nodes, share),
                         .lines = LINES };
}

static const double WON_CHANCES = 0.9;

static double chances(int score)
{
    if (score_is_mate(score))
        return score > 0 ? 1 : -1;
    return 2 / (1 + exp(-0.00368208 * score)) - 1;
}

double human_beta_in(double beta, int best_score, int men, int quiet_moves)
{
    enum { FEW_MEN = 7, PATIENCE = 3, STEP = 2 };
    bool is_to_be_won = chances(best_score) > WON_CHANCES || men <= FEW_MEN;
    return is_to_be_won && quiet_moves > PATIENCE ? beta + STEP * (quiet_moves - PATIENCE) : beta;
}

int human_choose(const HumanMove moves[], int count, const HumanLimit *limit, bool takes_likeliest,
                 uint64_t seed)
{
    double weights[HUMAN_MOVES_MAX], total = 0, best = -1, worst = 1;
    int likeliest = 0;
    for (int i = 0; i < count; i++) {
        if (moves[i].score == SCORE_NONE)
            continue;
        best = fmax(best, chances(moves[i].score));
        worst = fmin(worst, chances(moves[i].score));
    }
    for (int i = 0; i < count; i++) {
        double w = moves[i].score == SCORE_NONE ? fmin(worst, best) : chances(moves[i].score);
        weights[i] = pow((double)moves[i].probability, 1 / limit->temperature) *
                     exp(limit->beta * (w - best));
        total += weights[i];
        likeliest = weights[i] > weights[likeliest] ? i : likeliest;
    }
    if (takes_likeliest || !(total > 0))
        return likeliest;
    enum { STEPS = 1 << 30 };
    double drawn = total * (double)random_below(&seed, STEPS) / STEPS;
    for (int i = 0; i < count; i++) {
        drawn -= weights[i];
        if (drawn < 0)
            return i;
    }
    return likeliest;
}
