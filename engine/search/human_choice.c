/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/human_choice.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"
#include "engine/search/see.h"

#include <math.h>

typedef struct {
    double beta, nodes;
} Dial;

/* Dials between two rows are interpolated by their logarithms. Drawn, they are fitted to strength
 * by scripts/rate-human, and from 1100 to 1900 losses and blunders are within a fifth of people's.
 * Where the likeliest move is taken the search corrects more, and what people play is met most
 * often so. Below the lowest rating that the networks know, the temperature makes play weaker, for
 * a search that looked for bad moves would be no person's. Strong play may find what hardly anybody
 * does. Measured on people's games that no network saw, by scripts/people (engine/nets/README.md).
 */
static const struct {
    int elo;
    double floor; /* of our own network, which spreads its probabilities over such moves */
    double temperature[PRIOR_COUNT];
    Dial drawn[PRIOR_COUNT], likeliest[PRIOR_COUNT];
} rows[] = {
    { 600, 0.01, { 2, 6 }, { { 0.02, 1000 }, { 0.05, 1000 } }, { { 0.2, 20000 }, { 0.5, 20000 } } },
    { 1100,
      0.01,
      { 1, 1.15 },
      { { 0.05, 1000 }, { 0.2, 1000 } },
      { { 1, 20000 }, { 2.5, 20000 } } },
    { 1500, 0.01, { 1, 0.8 }, { { 1.3, 5000 }, { 4.3, 5000 } }, { { 6, 20000 }, { 6, 20000 } } },
    { 1900, 0.01, { 1, 0.8 }, { { 3, 5000 }, { 15.5, 5000 } }, { { 10, 20000 }, { 10, 20000 } } },
    { 2200, 0.005, { 1, 0.8 }, { { 12, 20000 }, { 24, 20000 } }, { { 12, 20000 }, { 14, 20000 } } },
    { 2500, 0, { 1, 0.8 }, { { 40, 60000 }, { 48, 30000 } }, { { 40, 60000 }, { 40, 60000 } } },
    { 2800,
      0,
      { 1, 0.8 },
      { { 200, 240000 }, { 300, 240000 } },
      { { 200, 240000 }, { 200, 240000 } } },
};
enum { ROWS = sizeof rows / sizeof *rows, LINES = 12 };

static double between(double from, double to, double share)
{
    return from * pow(to / from, share);
}

HumanLimit human_limit_for(int elo, HumanPrior prior, bool takes_likeliest)
{
    enum { MIDDLE = 1500 };
    int i = 1, at = elo == 0 ? MIDDLE : elo;
    while (i < ROWS - 1 && rows[i].elo < at)
        i++;
    at = int_clamp(at, rows[0].elo, rows[i].elo);
    double share = (double)(at - rows[i - 1].elo) / (rows[i].elo - rows[i - 1].elo);
    const Dial *low = takes_likeliest ? rows[i - 1].likeliest : rows[i - 1].drawn;
    const Dial *high = takes_likeliest ? rows[i].likeliest : rows[i].drawn;
    return (HumanLimit){
        .beta = elo == 0 ? 0 : between(low[prior].beta, high[prior].beta, share),
        .temperature = takes_likeliest ? 1
                                       : between(rows[i - 1].temperature[prior],
                                                 rows[i].temperature[prior], share),
        .floor = prior == PRIOR_OF_ONE_RATING
                     ? 0
                     : rows[i - 1].floor + share * (rows[i].floor - rows[i - 1].floor),
        .nodes = (uint64_t)between(low[prior].nodes, high[prior].nodes, share),
        .lines = LINES,
    };
}

static double chances(int score)
{
    if (score_is_mate(score))
        return score > 0 ? 1 : -1;
    return 2 / (1 + exp(-0.00368208 * score)) - 1;
}

static int material(const Position *pos, Colour us)
{
    int sum = 0;
    for (PieceType type = PAWN; type < KING; type++)
        sum += see_value[type] * bitboard_count(pos->pieces[us][type]);
    return sum;
}

static const double KNOWN_TECHNIQUE = 0.5;

HumanLimit human_limit_in(HumanLimit limit, const Position *pos)
{
    enum { FEW_MEN = 7, ENDING_LINES = 4, ENDING_NODES = 60000 };
    Colour us = pos->side_to_move;
    if (limit.beta <= 0)
        return limit;
    limit.has_few_men = bitboard_count(pos->occupied) <= FEW_MEN;
    if (limit.has_few_men &&
        material(pos, us) >= material(pos, colour_other(us)) + see_value[ROOK]) {
        limit.technique = KNOWN_TECHNIQUE;
        limit.lines = ENDING_LINES;
        limit.nodes = limit.nodes < ENDING_NODES ? ENDING_NODES : limit.nodes;
    }
    return limit;
}

HumanLimit human_limit_after(HumanLimit limit, int best_score, int quiet_moves)
{
    enum { PATIENCE = 3, STEP = 2, TECHNIQUE_BETA = 8 };
    static const double WON = 0.9, WON_WITH_FEW_MEN = 0.5, THOUGHT = 0.1;
    if (limit.beta <= 0)
        return limit;
    if (chances(best_score) <= (limit.has_few_men ? WON_WITH_FEW_MEN : WON)) {
        limit.technique = 0;
        return limit;
    }
    if (quiet_moves > PATIENCE)
        limit.beta += STEP * (quiet_moves - PATIENCE);
    if (limit.technique > 0) {
        limit.technique = fmin(1, limit.technique + THOUGHT * quiet_moves);
        limit.beta = fmax(limit.beta, TECHNIQUE_BETA);
        limit.floor = 0;
    }
    return limit;
}

int human_choose(const HumanMove moves[], int count, const HumanLimit *limit, bool takes_likeliest,
                 uint64_t seed)
{
    double weights[HUMAN_MOVES_MAX], total = 0, best = -1;
    double worst = limit->technique > 0 ? 0 : 1; /* others may let a win slip */
    double most = 0;                             /* there may be no move above the floor */
    int likeliest = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, (double)moves[i].probability);
        if (moves[i].score == SCORE_NONE)
            continue;
        best = fmax(best, chances(moves[i].score));
        worst = fmin(worst, chances(moves[i].score));
    }
    for (int i = 0; i < count; i++) {
        double w = moves[i].score == SCORE_NONE ? fmin(worst, best) : chances(moves[i].score);
        double prior = (double)moves[i].probability;
        weights[i] = prior < fmin(limit->floor, most)
                         ? 0
                         : pow(prior, 1 / limit->temperature) * exp(limit->beta * (w - best));
        total += weights[i];
        likeliest = weights[i] > weights[likeliest] ? i : likeliest;
    }
    enum { STEPS = 1 << 30 };
    if (limit->technique > 0 && (double)random_below(&seed, STEPS) / STEPS < limit->technique)
        return 0;
    if (takes_likeliest || !(total > 0))
        return likeliest;
    double drawn = total * (double)random_below(&seed, STEPS) / STEPS;
    for (int i = 0; i < count; i++) {
        drawn -= weights[i];
        if (drawn < 0)
            return i;
    }
    return likeliest;
}
