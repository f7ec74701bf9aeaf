/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counters.h - what has happened since the start, counted where it happens and shown by metrics.h
 * and status_json.h. Plain values, loop thread only. */
#pragma once
#include <stdint.h>

typedef enum {
    RESULT_WON,
    RESULT_LOST,
    RESULT_DRAWN,
    RESULT_ABORTED,
    RESULT_UNKNOWN,
    RESULT_COUNT
} GameResult;
typedef enum { STREAM_OF_EVENTS, STREAM_OF_GAME, STREAM_KIND_COUNT } StreamKind;

enum { ECHO_BUCKETS = 10, COUNTED_FAMILIES = 9 /* of requests: ratelimit.h's */ };

/* How long until a move of ours stood on the server's list. */
typedef struct {
    int64_t count, sum_ms, worst_ms;
    int64_t within[ECHO_BUCKETS]; /* of bucket n alone: more than n - 1's bound, up to n's */
} EchoTimes;

typedef struct Counters {
    int64_t games[RESULT_COUNT]; /* that were finished */
    EchoTimes echo;              /* of moves of ours that arrived */
    int64_t streams_opened[STREAM_KIND_COUNT];
    int64_t streams_lost[STREAM_KIND_COUNT]; /* and opened again, or tried to */
    int64_t limited[COUNTED_FAMILIES];       /* 429s that stopped a family */
    int64_t lost_by_fault;                   /* games, of those lost */
    int64_t engine_failures;                 /* of external engines */
} Counters;

/* The upper bounds in milliseconds, ascending; what is slower is in `count` alone. */
extern const int echo_bounds_ms[ECHO_BUCKETS];

void counters_confirmed(Counters *counters, int64_t ms);

/* "won", "event", …: as they are labelled. */
const char *game_result_name(GameResult result);
const char *stream_kind_name(StreamKind kind);
