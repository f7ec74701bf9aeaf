/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/strength_limit.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

typedef struct {
    int elo, nodes, lines, half_cp;
} Row;

/* Values between two rows are interpolated. */
static const Row rows[] = {
    { 600, 900, 18, 190 }, { 800, 700, 14, 185 },  { 1000, 500, 10, 155 }, { 1350, 440, 8, 57 },
    { 1500, 560, 8, 57 },  { 1750, 1200, 8, 57 },  { 2000, 9000, 6, 14 },  { 2250, 27000, 3, 6 },
    { 2500, 64000, 2, 3 }, { 2650, 100000, 2, 3 }, { 2800, 240000, 1, 1 },
};
enum { ROWS = sizeof rows / sizeof *rows };

static int between(int from, int to, int at, int length)
{
    return from + (int)((int64_t)(to - from) * at / length);
}

StrengthLimit strength_limit_for(int elo)
{
    int wanted = int_clamp(elo, ELO_MIN, ELO_MAX);
    int i = 1;
    while (i < ROWS - 1 && rows[i].elo < wanted)
        i++;
    const Row *low = &rows[i - 1], *high = &rows[i];
    int at = wanted - low->elo, length = high->elo - low->elo;
    return (StrengthLimit){
        .nodes = (uint64_t)between(low->nodes, high->nodes, at, length),
        .lines = between(low->lines, high->lines, at, length),
        .half_cp = between(low->half_cp, high->half_cp, at, length),
    };
}

/* A pawn counts much in a level game and little in a decided one: 100 becomes 91, 500 becomes 333,
 * 1000 becomes 500. */
static int perceived(int score)
{
    enum { SCALE = 1000 };
    int size = score < 0 ? -score : score;
    return score * SCALE / (SCALE + size);
}

/* 65536 for a gap of 0, halved for each `half_cp`, linear between. */
static uint64_t weight_of(int gap, int half)
{
    int halvings = gap / half, rest = gap % half;
    if (halvings >= 16)
        return 0;
    return (uint64_t)(65536 - 32768 * rest / half) >> halvings;
}

/* What a line is worth less than the best one, as a player of any rating sees it. */
static int felt_gap(const StrengthLine *best, const StrengthLine *line, int lowest_glance)
{
    enum { OBVIOUS = 3 }; /* times that count what shows at a glance */
    int gap = perceived(best->score) - perceived(line->score);
    int obvious = perceived(int_max(best->glance, lowest_glance)) -
                  perceived(int_max(line->glance, lowest_glance));
    return gap + (OBVIOUS - 1) * int_clamp(obvious, 0, gap);
}

int strength_limit_choose(const StrengthLimit *limit, const StrengthLine lines[], int count,
                          uint64_t seed)
{
    uint64_t weights[STRENGTH_LIMIT_LINES] = { 0 }, total = 0;
    int best = 0, lowest_glance = SCORE_INFINITE;
    count =
        int_min(count, STRENGTH_LIMIT_LINES); /* more have no room, in builds without asserts too */
    for (int i = 0; i < count; i++) {
        best = lines[i].score > lines[best].score ? i : best;
        if (lines[i].glance != -SCORE_INFINITE)
            lowest_glance = int_min(lowest_glance, lines[i].glance);
    }
    if (count < 2 || lines[best].score >= SCORE_MATE_BOUND)
        return best;
    for (int i = 0; i < count; i++) {
        weights[i] = weight_of(felt_gap(&lines[best], &lines[i], lowest_glance), limit->half_cp);
        total += weights[i];
    }
    uint64_t drawn = random_below(&seed, total);
    int chosen = 0;
    while (drawn >= weights[chosen])
        drawn -= weights[chosen++];
    return chosen;
}
