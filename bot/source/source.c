/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/source.h"

#include "engine/base/minmax.h"
#include "engine/base/check.h"

#include <stdlib.h>

enum {
    RESERVE_MS = 500, /* besides the overhead: for those who come after */
    CLOCK_SHARE = 4,  /* of the clock: more than a sound engine takes for a move */
    SLACK_MS = 1000,  /* beyond a time that the operator or the lack of a clock sets */
    STOP_MIN_MS = 30,
    STOP_MAX_MS = 1000,
    STOP_SHARE = 5, /* of the search time */
};

/* Where the copy lies; what does not fit is a mistake of the caller's. */
static const char *keep_text(char *to, size_t size, Text text)
{
    CHECK(text_copy(to, size, text));
    return to;
}

void move_request_copy(MoveRequestCopy *copy, const MoveRequest *request, int64_t now_ms)
{
    copy->request = *request;
    copy->since_ms = now_ms;
    copy->request.game = keep_text(copy->game, sizeof copy->game, text_of(request->game));
    if (request->engines)
        copy->request.engines =
            keep_text(copy->engines, sizeof copy->engines, text_of(request->engines));
    if (request->opponent)
        copy->request.opponent =
            keep_text(copy->opponent, sizeof copy->opponent, text_of(request->opponent));
    if (request->human)
        copy->request.human = keep_text(copy->human, sizeof copy->human, text_of(request->human));
    if (request->book.files)
        copy->request.book.files =
            keep_text(copy->books, sizeof copy->books, text_of(request->book.files));
    copy->request.fen = keep_text(copy->fen, sizeof copy->fen, text_of(request->fen));
    copy->request.moves.at = keep_text(copy->moves, sizeof copy->moves, request->moves);
    if (request->position) {
        copy->position = *request->position;
        copy->request.position = &copy->position;
    }
}

MoveRequest move_request_with_time_elapsed(const MoveRequestCopy *copy, int64_t now_ms)
{
    MoveRequest request = copy->request;
    int64_t *left = &request.limits.time_ms[request.us];
    if (request.limits.has_clock)
        *left = int64_clamp(*left - (now_ms - copy->since_ms), 1, *left);
    return request;
}

MoveRequestTimeout move_request_timeout(const MoveRequest *request)
{
    const SearchLimits *limits = &request->limits;
    int64_t search = INT64_MAX;
    if (limits->movetime_ms > 0)
        search = limits->movetime_ms + SLACK_MS;
    if (limits->has_clock) {
        int64_t left = limits->time_ms[request->us];
        int64_t reserve = int64_min(2 * request->overhead_ms + RESERVE_MS, left / 2);
        int64_t share = left / CLOCK_SHARE + limits->increment_ms[request->us];
        search = int64_min(search, int64_min((left - reserve) / 2, share));
    }
    return (MoveRequestTimeout){ search,
                                 int64_clamp(search / STOP_SHARE, STOP_MIN_MS, STOP_MAX_MS) };
}

void source_free(Source *source)
{
    void (*on_closed)(void *) = source->on_closed;
    void *user = source->on_closed_user;
    free(source);
    if (on_closed)
        on_closed(user);
}
