/* SPDX-License-Identifier: GPL-3.0-or-later */
/* visits.h - who began a game with us, and when, so that games against one player can be limited.
 * Remembers the latest VISITS_MAX games of the last day. Pure: time comes in, milliseconds; an
 * older game may be noted after a newer one. */
#pragma once
#include "bot/lichess/event.h"

enum { VISITS_MAX = 2048 };

typedef struct {
    char id[USER_ID_SIZE]; /* user id, lower case */
    int64_t at_ms;
} Visit;

typedef struct Visits {
    Visit visits[VISITS_MAX]; /* a ring */
    int next, count;
} Visits;

void visits_init(Visits *visits);

/* A game with `id` has begun. An empty or overlong id is not remembered. */
void visits_note(Visits *visits, Text id, int64_t now_ms);

/* How many games with `id` began within the last `window_ms`. */
int visits_count(const Visits *visits, Text id, int64_t window_ms, int64_t now_ms);
