/* SPDX-License-Identifier: GPL-3.0-or-later */
/* level.h - at which rating to play whom, where engine.elo follows the opponent. Pure.
 *
 * The opponent's rating comes first. From casual games with them castled learns how far off that
 * is: after each one that it wins it plays a little weaker, after each one that it loses a little
 * stronger, at first by 40 points and by less with each game, so that results tend to half. */
#pragma once
#include "engine/base/text.h"

#include <stdbool.h>

/* Above LEVEL_MAX nobody's moves were learnt, and a level is no person's any more. */
enum { LEVEL_OFFSET_MAX = 300, LEVEL_UNKNOWN = 1500, LEVEL_MAX = 2500 };

/* What casual games with one opponent have taught. {0}: nothing. */
typedef struct {
    int offset; /* points from their rating, ±LEVEL_OFFSET_MAX */
    int games;
} LevelLearnt;

/* The rating to play at, ELO_MIN to LEVEL_MAX. `elo` is the setting; without ELO_OPPONENT in it it
 * is returned as it is. A rating of 0 is unknown and counts as LEVEL_UNKNOWN. */
int level_for(int elo, int opponent_rating, const LevelLearnt *learnt);

/* One more casual game; `result` is ours: 1 won, 0 drawn, -1 lost. */
LevelLearnt level_after(LevelLearnt learnt, int result);

enum { LEVEL_TEXT_SIZE = 24 };

void level_write(const LevelLearnt *learnt, char out[LEVEL_TEXT_SIZE]);

/* {0} for anything else. */
LevelLearnt level_read(Text text);
