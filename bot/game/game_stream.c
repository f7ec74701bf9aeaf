/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_stream.h"

void game_stream_close(Step *step)
{
    GameStream *stream = &step->game->stream;
    step_effect(step, EFFECT_CLOSE_STREAM);
    stream->is_open = false;
    stream->is_live = false;
}

void game_stream_keep_open(Step *step)
{
    GameStream *stream = &step->game->stream;
    if (stream->is_open || stream->due_ms > step->now_ms || step->game->correspondence.is_asleep)
        return;
    stream->is_open = true;
    backoff_attempt(&stream->backoff, step->now_ms);
    step_effect(step, EFFECT_OPEN_STREAM);
}

void game_stream_ended(Step *step, StreamEnd end)
{
    Game *game = step->game;
    GameStream *stream = &game->stream;
    stream->is_open = false;
    stream->is_live = false;
    stream->was_lost = true;
    int64_t wait = backoff_ended_ms(&stream->backoff, step->now_ms);
    if (end == STREAM_LIMITED) {
        int64_t limited = ratelimit_wait_ms(game->limit, FAMILY_GAME_STREAM, step->now_ms);
        wait = limited > wait ? limited : wait;
    }
    stream->due_ms = step->now_ms + wait;
    if (game->phase != GAME_ENDING)
        step_note(step, (Note){ .kind = NOTE_STREAM_LOST, .end = end, .ms = wait });
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
    stream->not_found = 0;
    backoff_opened(&stream->backoff, step->now_ms);
    if (stream->was_lost)
        step_note(step, (Note){ .kind = NOTE_STREAM_BACK });
    stream->was_lost = false;
}
