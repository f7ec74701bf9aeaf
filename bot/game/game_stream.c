/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_stream.h"

#include "bot/game/list_check.h"
#include "engine/base/minmax.h"

enum { GAME_FULL_WAIT_MS = 30000 };

/* Closed, by whomever. */
static void set_closed(Step *step)
{
    GameStream *stream = &step->game->stream;
    stream->is_open = false;
    stream->is_live = false;
    stream->early_plies = -1;
    stream->down_ms = int64_min(stream->down_ms, step->now_ms);
}

void game_stream_close(Step *step)
{
    step_effect(step, EFFECT_CLOSE_STREAM);
    set_closed(step);
}

void game_stream_keep_open(Step *step)
{
    GameStream *stream = &step->game->stream;
    if (stream->is_open && !stream->is_live && step->now_ms - stream->heard_ms >= GAME_FULL_WAIT_MS)
        game_stream_resync(step);
    if (stream->is_open || stream->due_ms > step->now_ms || step->game->correspondence.is_asleep)
        return;
    stream->is_open = true;
    stream->heard_ms = step->now_ms;
    backoff_attempt(&stream->backoff, step->now_ms);
    step_effect(step, EFFECT_OPEN_STREAM);
}

int64_t game_stream_next_at_ms(const Game *game)
{
    const GameStream *stream = &game->stream;
    if (stream->is_open)
        return stream->is_live ? INT64_MAX : stream->heard_ms + GAME_FULL_WAIT_MS;
    return game->correspondence.is_asleep ? INT64_MAX : stream->due_ms;
}

void game_stream_ended(Step *step, StreamEnd end)
{
    Game *game = step->game;
    GameStream *stream = &game->stream;
    set_closed(step);
    stream->lost_count++;
    int64_t wait = backoff_ended_ms(&stream->backoff, step->now_ms);
    if (end == STREAM_LIMITED) {
        int64_t limited = ratelimit_wait_ms(game->limit, FAMILY_GAME_STREAM, step->now_ms);
        wait = limited > wait ? limited : wait;
    }
    stream->due_ms = step->now_ms + wait;
    if (game->phase != GAME_ENDING)
        step_note(step, (Note){ .kind = NOTE_STREAM_LOST,
                                .end = end,
                                .count = stream->lost_count,
                                .ms = wait });
}

void game_stream_hurry(Step *step)
{
    const Game *game = step->game;
    if (ratelimit_wait_ms(game->limit, FAMILY_GAME_STREAM, step->now_ms) == 0)
        step->game->stream.due_ms = int64_min(game->stream.due_ms, step->now_ms);
}

void game_stream_resync(Step *step)
{
    GameStream *stream = &step->game->stream;
    if (!stream->is_open)
        return;
    game_stream_close(step);
    stream->due_ms = step->now_ms + backoff_ended_ms(&stream->backoff, step->now_ms);
}

void game_stream_set_live(Step *step)
{
    GameStream *stream = &step->game->stream;
    stream->is_live = true;
    stream->early_plies = -1;
    stream->down_ms = INT64_MAX;
    stream->not_found = 0;
    list_check_news(step);
    backoff_opened(&stream->backoff, step->now_ms);
    if (stream->lost_count > 0)
        step_note(step, (Note){ .kind = NOTE_STREAM_BACK });
    stream->lost_count = 0;
}
