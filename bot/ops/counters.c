/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/counters.h"

const int echo_bounds_ms[ECHO_BUCKETS] = { 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000 };

void counters_confirmed(Counters *counters, int64_t ms)
{
    EchoTimes *echo = &counters->echo;
    echo->count++;
    echo->sum_ms += ms;
    if (ms > echo->worst_ms)
        echo->worst_ms = ms;
    for (int i = 0; i < ECHO_BUCKETS; i++) {
        if (ms <= echo_bounds_ms[i]) {
            echo->within[i]++;
            return;
        }
    }
}

const char *game_result_name(GameResult result)
{
    static const char *const names[RESULT_COUNT] = { "won", "lost", "drawn", "aborted", "unknown" };
    return names[result];
}

const char *stream_kind_name(StreamKind kind)
{
    static const char *const names[STREAM_KIND_COUNT] = { "event", "game" };
    return names[kind];
}
