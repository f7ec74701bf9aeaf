/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_use.h - where our clock went in kept games: thinking, and the way to the server and back.
 * Pure; any thread. */
#pragma once
#include "engine/base/text.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t games; /* with a clock and moves of ours that cost it something, and of these: */
    int64_t moves;
    int64_t spent_ms;  /* of our clock */
    double share;      /* of all the time that we had, a game: 0..1, summed */
    int64_t lag_moves; /* those whose search is known to have been shorter, */
    int64_t lag_ms;    /* and by how much */
} TimeUse;

/* How a game's clock was set, and whether the game's first move was ours. */
typedef struct {
    int64_t initial_ms, increment_ms;
    bool we_began;
} TimeUseClock;

/* Adds a game: the archive's lists of clocks and search times, move_lists.h. The first move of each
 * side costs no clock on Lichess and is left out, as is a move after which there was more time than
 * before (time was given) or one with a word that is no time. */
void time_use_add(TimeUse *use, const TimeUseClock *clock, Text clocks_ms, Text times_ms);
