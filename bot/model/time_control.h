/* SPDX-License-Identifier: GPL-3.0-or-later */
/* time_control.h - how much time the players of a game have. A plain value. Pure: any thread. */
#pragma once
#include <stdint.h>

typedef enum { TIME_CLOCK, TIME_CORRESPONDENCE, TIME_UNLIMITED, TIME_UNKNOWN } TimeControlKind;

typedef struct {
    TimeControlKind kind;
    int64_t base_s, increment_s; /* TIME_CLOCK */
    int days;                    /* TIME_CORRESPONDENCE: per move */
} TimeControl;

/* Without a clock: `days` a move; 0: unlimited. */
TimeControl time_control_of_days(int days);

/* Lichess reckons that a game has as many moves of each player. */
enum { ESTIMATED_MOVES = 40 };

/* What a player's clock comes to in a game of that length, in seconds; INT64_MAX: without a clock,
 * or of an unknown kind. */
int64_t time_control_estimate_s(const TimeControl *time);

enum { TIME_CONTROL_TEXT_SIZE = 48 };

/* "3+2" (minutes and seconds, as players say it), "0.5+0", "3d" (days a move), "unlimited"; "?"
 * for an unknown kind. */
void time_control_text(const TimeControl *time, char out[TIME_CONTROL_TEXT_SIZE]);
