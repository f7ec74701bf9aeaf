/* SPDX-License-Identifier: GPL-3.0-or-later */
/* match_values.h - what a game is compared with: clocks, initial positions, ranges. Plain values;
 * each is read from the text of the configuration (false and an Error, the value untouched) and
 * written as one would write it. */
#pragma once
#include "bot/config/value_list.h"
#include "engine/core/fen.h"

typedef struct {
    int lo, hi;
} IntRange;

enum { CLOCKS_MAX = 32, POSITIONS_MAX = 16 };

/* Clocks within both ranges, inclusive; or days a move, and no clock. */
typedef struct {
    int base_lo_s, base_hi_s;
    int increment_lo_s, increment_hi_s;
    int days; /* 0: a clock */
} ClockRange;

typedef struct {
    int count;
    ClockRange at[CLOCKS_MAX];
} ClockList;

/* FENs, or their first fields. */
typedef struct {
    int count;
    char at[POSITIONS_MAX][FEN_SIZE];
} PositionList;

/* "3+2, 0.5+0, 10+0..15+10, 2 days": minutes + seconds, days a move. Days are written as "2d". */
extern const ListKind clocks_kind;

/* Time controls that Lichess takes in a challenge. Days a move are 1, 2, 3, 5, 7, 10 and 14.
 * Initial times are 0, 15, 30, 45, 60, 90 s and whole minutes from 2 to 180; increments at most 60
 * s. The estimate (initial time + 40 increments) is 30 s or more. Of a range its lower end counts.
 * False and an Error that names the nearest. */
bool clocks_exist(const ClockList *list, Error *err) MUST_CHECK;

/* "FEN, FEN". */
extern const ListKind positions_kind;

/* "1500..1800", "..1800", "1500..", "1500", within least..most. */
bool range_read(IntRange *out, const char *value, int least, int most, Error *err) MUST_CHECK;
