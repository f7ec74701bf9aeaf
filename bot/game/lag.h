/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lag.h - what a move costs besides thinking: its way from the server to us and back.
 * Lichess does not compensate bots for the network, so that this has to be kept back from the
 * clock. Judged by the last delays, the later the heavier: one that is far off counts as what may
 * happen at worst and not as what is usual, and is forgotten after some moves; a line that has
 * become slower or faster is known as such after four to seven. Pure values, milliseconds. */
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

/* A meter that knows nothing, and so assumes a slow line. */
void lag_init(LagMeter *meter);

/* One measured delay; what no line takes, a lost request for example, counts as three seconds. */
void lag_add(LagMeter *meter, int64_t delay_ms);

/* What to keep back: `configured_ms`, or the meter's answer for OVERHEAD_AUTO. */
Lag lag_expected(const LagMeter *meter, int64_t configured_ms);

/* "31 30 45", the latest first. Reading leaves out what it can't read: then more is assumed. */
void lag_write(const LagMeter *meter, char out[LAG_TEXT_SIZE]);
void lag_read(LagMeter *meter, Text text);
