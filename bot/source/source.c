/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/source.h"

#include <assert.h>

enum {
    RESERVE_MS = 500, /* besides the overhead: for those who come after */
    CLOCK_SHARE = 4,  /* of the clock: more than a sound engine takes for a move */
    SLACK_MS = 1000,  /* beyond a time that the operator or the lack of a clock sets */
    STOP_MIN_MS = 30,
    STOP_MAX_MS = 1000,
    STOP_SHARE = 5, /* of the time to think */
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t clamp(int64_t value, int64_t lo, int64_t hi)
{
    return value < lo ? lo : value > hi ? hi : value;
}

/* Where the copy lies; what does not fit is a mistake of the caller's. */
static const char *keep(char *to, size_t size, Text text)
{
    size_t len = text.len < size ? text.len : size - 1;
    assert(len == text.len);
    if (len > 0)
        memcpy(to, text.at, len);
    to[len] = '\0';
    return to;
}

void move_request_keep(MoveRequestCopy *copy, const MoveRequest *order, int64_t now_ms)
{
    copy->order = *order;
    copy->since_ms = now_ms;
    copy->order.game = keep(copy->game, sizeof copy->game, text_of(order->game));
    if (order->engines)
        copy->order.engines = keep(copy->engines, sizeof copy->engines, text_of(order->engines));
    copy->order.fen = keep(copy->fen, sizeof copy->fen, text_of(order->fen));
    copy->order.moves.at = keep(copy->moves, sizeof copy->moves, order->moves);
    if (order->position) {
        copy->position = *order->position;
        copy->order.position = &copy->position;
    }
}

MoveRequest move_request_by_now(const MoveRequestCopy *copy, int64_t now_ms)
{
    MoveRequest order = copy->order;
    int64_t *left = &order.limits.time_ms[order.us];
    if (order.limits.has_clock)
        *left = clamp(*left - (now_ms - copy->since_ms), 1, *left);
    return order;
}

MoveRequestTimeout move_request_timeout(const MoveRequest *order)
{
    const SearchLimits *limits = &order->limits;
    int64_t think = INT64_MAX;
    if (limits->movetime_ms > 0)
        think = limits->movetime_ms + SLACK_MS;
    if (limits->has_clock) {
        int64_t left = limits->time_ms[order->us];
        int64_t reserve = smaller(2 * order->overhead_ms + RESERVE_MS, left / 2);
        int64_t share = left / CLOCK_SHARE + limits->increment_ms[order->us];
        think = smaller(think, smaller((left - reserve) / 2, share));
    }
    return (MoveRequestTimeout){ think, clamp(think / STOP_SHARE, STOP_MIN_MS, STOP_MAX_MS) };
}
