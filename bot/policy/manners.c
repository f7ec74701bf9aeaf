/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/manners.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"

enum {
    BEGINNER_BELOW = 1400,
    EXPERIENCED_FROM = 1800,
    OF_SIX_BEGINNERS = 3, /* resign, */
    OF_SIX_EXPERIENCED = 5,
    LOST_CP = 600,
    LOST_MOVES = 2,
    LEVEL_CP = 50,
    LEVEL_MOVES = 3,
    DRAW_FROM_MOVE = 40,
    DRAW_PIECES = 16,
};

static bool gives_up(int elo, uint64_t seed)
{
    enum { SCALE = 6 * (EXPERIENCED_FROM - BEGINNER_BELOW) };
    int above = int_clamp(elo, BEGINNER_BELOW, EXPERIENCED_FROM) - BEGINNER_BELOW;
    int share = OF_SIX_BEGINNERS * (EXPERIENCED_FROM - BEGINNER_BELOW) +
                (OF_SIX_EXPERIENCED - OF_SIX_BEGINNERS) * above;
    return random_below(&seed, SCALE) < (uint64_t)share;
}

static void resign_as_people(ResignSettings *resign, int elo, uint64_t seed)
{
    resign->enabled = gives_up(elo, seed) ? SWITCH_YES : SWITCH_NO;
    resign->score_cp = LOST_CP;
    resign->moves = LOST_MOVES;
    resign->tablebase = false;
    resign->lets_mate = elo < BEGINNER_BELOW;
}

static void draw_as_people(DrawSettings *draw)
{
    draw->score_cp = LEVEL_CP;
    draw->moves = LEVEL_MOVES;
    draw->from_move = DRAW_FROM_MOVE;
    draw->pieces = DRAW_PIECES;
    draw->accepts_level = true;
}

void manners_choose(DrawSettings *draw, ResignSettings *resign, int elo, uint64_t seed)
{
    if (resign->enabled == SWITCH_AUTO && elo > 0)
        resign_as_people(resign, elo, seed);
    else if (resign->enabled == SWITCH_AUTO)
        resign->enabled = SWITCH_NO;
    if (draw->human == SWITCH_YES || (draw->human == SWITCH_AUTO && elo > 0))
        draw_as_people(draw);
}
