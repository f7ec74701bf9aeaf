/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lag.h - what a move costs besides searching: its way from the server to us and back. Lichess does
 * not compensate bots for the network, so this is kept back from the clock. It follows from the
 * last delays, later ones weighted more. A delay far off counts for the worst case alone, and is
 * dropped after some moves. A line that becomes slower or faster is noticed after four to seven
 * moves. Pure values, milliseconds. */
#pragma once
#include "engine/base/text.h"

#include <stdint.h>

enum { LAG_SAMPLES = 16, LAG_TEXT_SIZE = 128, OVERHEAD_AUTO = -1 };

/* Against Lichess's own engine the server holds each move of ours for so long, on our clock: that
 * is no lag. */
enum { LAG_AI_HOLD_MS = 500 };

typedef struct {
    int count;
    int32_t delay_ms[LAG_SAMPLES]; /* the latest first */
} LagMeter;

typedef struct {
    int64_t usual_ms; /* for each move to come */
    int64_t worst_ms; /* for the next one */
} Lag;

/* A meter without samples, which assumes a slow line. */
void lag_meter_init(LagMeter *meter);

/* One measured delay; what no line takes, a lost request for example, counts as three seconds. */
void lag_meter_add(LagMeter *meter, int64_t delay_ms);

/* What to keep back: `configured_ms`, or the meter's answer for OVERHEAD_AUTO. */
Lag lag_meter_expected(const LagMeter *meter, int64_t configured_ms);

/* "31 30 45", the latest first. Reading leaves out what it can't read: then more is assumed. */
void lag_meter_write(const LagMeter *meter, char out[LAG_TEXT_SIZE]);
void lag_meter_read(LagMeter *meter, Text text);
