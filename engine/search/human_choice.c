/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/human_choice.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

#include <math.h>

/* Values between two rows are interpolated, nodes and beta by their logarithms. */
static const struct {
    int elo;
    double beta[2], nodes; /* beta by HumanPrior */
} rows[] = {
    { 1100, { 0.05, 2 }, 1000 }, { 1500, { 0.8, 3.5 }, 2000 }, { 1900, { 3, 7 }, 5000 },
    { 2200, { 12, 16 }, 20000 }, { 2500, { 40, 40 }, 60000 },  { 2800, { 200, 200 }, 240000 },
};
enum { ROWS = sizeof rows / sizeof *rows, LINES = 12 };

static double between(double from, double to, double share)
{
    return from * pow(to / from, share);
}

HumanLimit human_limit_for(int elo, HumanPrior prior)
{
    if (elo <= rows[0].elo)
        return (HumanLimit){ .beta =
                                 elo == 0 || prior == PRIOR_OF_ONE_RATING ? 0 : rows[0].beta[prior],
                             .nodes = (uint64_t)rows[0].nodes,
                             .lines = LINES };
    int i = 1;
    while (i < ROWS - 1 && rows[i].elo < elo)
        i++;
    double share =
        (double)(int_min(elo, rows[i].elo) - rows[i - 1].elo) / (rows[i].elo - rows[i - 1].elo);
    return (HumanLimit){ .beta = between(rows[i - 1].beta[prior], rows[i].beta[prior], share),
                         .nodes = (uint64_t)between(rows[i - 1].nodes, rows[i].nodes, share),
                         .lines = LINES };
}

static double chances(int score)
{
    if (score_is_mate(score))
        return score > 0 ? 1 : -1;
    return 2 / (1 + exp(-0.00368208 * score)) - 1;
}

int human_choose(const HumanMove moves[], int count, double beta, bool takes_likeliest,
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
        weights[i] = (double)moves[i].probability * exp(beta * (w - best));
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
