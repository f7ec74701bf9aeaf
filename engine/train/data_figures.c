/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/data_figures.h"

#include <math.h>
#include <stdlib.h>

enum { CLEAR_SCORE = 100, FIT_STEPS = 60 };
static const double fit_min = 10, fit_max = 4000;

void data_figures_add(DataFigures *figures, const GamePosition *positions, int count,
                      uint8_t result)
{
    figures->games++;
    figures->plies += (uint64_t)count;
    figures->results[result]++;
    for (int i = 0; i < count; i++) {
        const GamePosition *position = &positions[i];
        int score = position->score;
        figures->fates[position->fate]++;
        if (position->fate != POSITION_KEPT)
            continue;
        figures->men[position->men]++;
        figures->score_sum += score;
        figures->score_abs_sum += abs(score);
        if (position->packed.flags & PACKED_NO_RESULT)
            continue;
        if (abs(score) <= FIGURES_SCORE_MAX)
            figures->by_score[score + FIGURES_SCORE_MAX][result]++;
        if (abs(score) > CLEAR_SCORE && result != PACKED_DRAWN) {
            figures->decisive++;
            figures->agreeing += (score > 0) == (result == PACKED_WHITE_WON);
        }
    }
}

static double error_of(const DataFigures *figures, double k)
{
    double sum = 0, count = 0;
    for (int i = 0; i <= 2 * FIGURES_SCORE_MAX; i++) {
        double expected = 1 / (1 + exp(-(i - FIGURES_SCORE_MAX) / k));
        for (int result = 0; result < 3; result++) {
            double missed = result / 2.0 - expected, n = figures->by_score[i][result];
            sum += n * missed * missed;
            count += n;
        }
    }
    return count > 0 ? sum / count : 0;
}

static bool any_result(const DataFigures *figures)
{
    for (int i = 0; i <= 2 * FIGURES_SCORE_MAX; i++) {
        if (figures->by_score[i][0] || figures->by_score[i][1] || figures->by_score[i][2])
            return true;
    }
    return false;
}

/* Golden section on a logarithmic scale: the error has one minimum. */
double data_figures_fit_k(const DataFigures *figures)
{
    const double golden = (sqrt(5) - 1) / 2;
    double lo = log(fit_min), hi = log(fit_max);
    if (!any_result(figures))
        return 0;
    double a = hi - golden * (hi - lo), b = lo + golden * (hi - lo);
    double error_a = error_of(figures, exp(a)), error_b = error_of(figures, exp(b));
    for (int i = 0; i < FIT_STEPS; i++) {
        if (error_a < error_b) {
            hi = b;
            b = a;
            error_b = error_a;
            a = hi - golden * (hi - lo);
            error_a = error_of(figures, exp(a));
        } else {
            lo = a;
            a = b;
            error_a = error_b;
            b = lo + golden * (hi - lo);
            error_b = error_of(figures, exp(b));
        }
    }
    return exp((lo + hi) / 2);
}

double data_figures_coherence(const DataFigures *figures)
{
    return figures->decisive ? (double)figures->agreeing / (double)figures->decisive : 0;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100 * (double)part / (double)whole : 0;
}

void data_figures_print(const DataFigures *figures, FILE *out)
{
    uint64_t kept = figures->fates[POSITION_KEPT];
    double per_kept = kept ? 1 / (double)kept : 0;
    fprintf(out, "  games %llu: White won %.1f %%, drawn %.1f %%, lost %.1f %%\n",
            (unsigned long long)figures->games,
            share(figures->results[PACKED_WHITE_WON], figures->games),
            share(figures->results[PACKED_DRAWN], figures->games),
            share(figures->results[PACKED_WHITE_LOST], figures->games));
    fprintf(out, "  plies %llu:", (unsigned long long)figures->plies);
    for (PositionFate fate = POSITION_KEPT; fate < POSITION_FATE_COUNT; fate++)
        fprintf(out, "%s %s %.1f %%", fate ? "," : "", position_fate_text(fate),
                share(figures->fates[fate], figures->plies));
    fprintf(out, "\n  kept %llu: mean score for White %+.1f, mean |score| %.1f, K %.1f\n",
            (unsigned long long)kept, (double)figures->score_sum * per_kept,
            (double)figures->score_abs_sum * per_kept, data_figures_fit_k(figures));
    fprintf(out, "  coherence of scores and results: %.1f %%\n",
            100 * data_figures_coherence(figures));
    fprintf(out, "  men:");
    for (int men = 2; men <= FIGURES_MEN_MAX; men++) {
        if (figures->men[men])
            fprintf(out, " %d:%.1f%%", men, share(figures->men[men], kept));
    }
    fputc('\n', out);
}
