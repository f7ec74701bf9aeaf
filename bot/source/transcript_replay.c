/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/transcript_replay.h"

#include "bot/model/variant_start.h"
#include "bot/ops/printable.h"
#include "bot/child/child_process.h"
#include "bot/source/transcript.h"
#include "bot/source/uci_text.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <stdarg.h>
#include <stdio.h>

enum {
    START_WAIT_MS = 30000, /* for uciok */
    SPARE_WAIT_MS = 10000, /* for an answer, beyond the time that it took in the game */
    LAST_WORDS_MS = 200,   /* what a fault may take longer than it did */
    BEST_SIZE = 24,        /* longer than any move: what is cut must not look like one */
    SEARCH_MAX_MS = 60000, /* for an answer that never came in the game */
    US_IN_MS = 1000,
};

/* What the transcript says of one search. */
typedef struct {
    Text position; /* the order; empty: none yet */
    int ply;
    int64_t go_us;
    bool was_answered;
    Text answer; /* the move */
    int64_t answer_us;
} Search;

typedef struct {
    const ReplayOrder *order;
    ReplayResult *result;
    uv_loop_t loop;
    uv_timer_t timer;
    ChildProcess *process; /* NULL: none runs */
    Variant variant;
    bool has_uciok;
    int readyoks_owed;
    bool has_best, is_searching;
    char best[BEST_SIZE];
    int64_t go_ms;   /* when the search that runs began */
    int64_t told_us; /* when the transcript's latest order was */
    Search search;
    bool is_over, timed_out;
} Replay;

static void PRINTF_LIKE(3, 4) end(Replay *replay, ReplayVerdict verdict, const char *format, ...)
{
    ReplayResult *result = replay->result;
    va_list arguments;
    if (replay->is_over)
        return;
    va_start(arguments, format);
    text_format_cut_v(result->words, sizeof result->words, format, arguments);
    va_end(arguments);
    replay->is_over = true;
    result->verdict = verdict;
    result->ply = replay->search.ply;
}

/* The process. */

static void transcript_replay_on_line(void *user, Text line)
{
    Replay *replay = user;
    Text rest = line;
    Text word = uci_text_next(&rest);
    if (text_is(word, "uciok"))
        replay->has_uciok = true;
    else if (text_is(word, "readyok"))
        replay->readyoks_owed -= replay->readyoks_owed > 0;
    else if (text_is(word, "bestmove") && replay->is_searching && !replay->has_best) {
        printable_copy(replay->best, sizeof replay->best, uci_text_next(&rest));
        replay->has_best = true;
    }
}

static void transcript_replay_on_error_line(void *user, Text line)
{
    (void)user, (void)line; /* the game's are in the transcript */
}

static void close_process(Replay *replay)
{
    if (replay->process)
        child_process_close(replay->process);
    replay->process = NULL;
    replay->has_uciok = false;
    replay->readyoks_owed = 0;
    replay->is_searching = replay->has_best = false;
}

static void transcript_replay_on_end(void *user, const char *why)
{
    Replay *replay = user;
    if (replay->search.position.len == 0)
        end(replay, REPLAY_UNUSABLE, "it has ended before the first move: %s", why);
    else
        end(replay, REPLAY_CRASHED, "it crashes: %s", why);
    close_process(replay);
}

static void start_process(Replay *replay)
{
    const ReplayOrder *order = replay->order;
    const ChildCallbacks callbacks = { .on_line = transcript_replay_on_line,
                                       .on_error_line = transcript_replay_on_error_line,
                                       .on_end = transcript_replay_on_end,
                                       .user = replay };
    Error err = { 0 };
    close_process(replay);
    if (!child_process_new(&replay->process, &replay->loop, order->command, order->secrets,
                           &callbacks, &err))
        end(replay, REPLAY_UNUSABLE, "%s", err.text);
}

/* Waiting. */

static void transcript_replay_on_time(uv_timer_t *timer)
{
    Replay *replay = timer->data;
    replay->timed_out = true;
}

/* Until `is_there`, or the end; false: the time has passed. */
static bool wait_for(Replay *replay, bool (*is_there)(const Replay *replay), int64_t wait_ms)
{
    replay->timed_out = false;
    uv_update_time(&replay->loop);
    uv_timer_start(&replay->timer, transcript_replay_on_time, wait_ms > 0 ? (uint64_t)wait_ms : 0,
                   0);
    while (!replay->is_over && !replay->timed_out && !is_there(replay))
        uv_run(&replay->loop, UV_RUN_ONCE);
    uv_timer_stop(&replay->timer);
    return replay->is_over || is_there(replay);
}

static bool has_uciok(const Replay *replay)
{
    return replay->has_uciok;
}

static bool has_readyok(const Replay *replay)
{
    return replay->readyoks_owed == 0;
}

static bool has_best(const Replay *replay)
{
    return replay->has_best;
}

/* Answers. */

static bool is_legal(const Replay *replay, const char *move)
{
    TranscriptPosition told;
    Position pos;
    Move found;
    char fen[FEN_SIZE];
    if (!transcript_read_position(&told, replay->search.position) ||
        !text_copy(fen, sizeof fen, told.fen) ||
        !variant_start_read(&pos, replay->variant, fen, FEN_LENIENT, NULL, NULL))
        return true; /* nobody can tell */
    for (Text rest = told.moves; rest.len > 0;) {
        Text word = uci_text_next(&rest);
        Undo undo;
        if (!uci_move_match(&pos, word.at, word.len, &found, NULL))
            return true;
        position_make(&pos, found, &undo);
    }
    return uci_move_match(&pos, move, strlen(move), &found, NULL);
}

/* The best move has come. */
static void take_best(Replay *replay)
{
    ReplayResult *result = replay->result;
    const Search *search = &replay->search;
    replay->is_searching = replay->has_best = false;
    if (!is_legal(replay, replay->best)) {
        end(replay, REPLAY_ILLEGAL, "it plays an illegal move: \"%s\"", replay->best);
        return;
    }
    result->searches++;
    if (!search->was_answered || text_is(search->answer, replay->best))
        return;
    if (result->others++ == 0)
        result->other_ply = search->ply;
    if (replay->order->wants_same)
        end(replay, REPLAY_OTHER, "it plays %s, and played %.*s in the game", replay->best,
            TEXT_ARGS(search->answer));
}

static int64_t since_go_ms(const Replay *replay)
{
    return clock_now_ms() - replay->go_ms;
}

/* The engine is asked something else next, and had answered by then. */
static void await_answer(Replay *replay)
{
    const Search *search = &replay->search;
    int64_t took_ms = (search->answer_us - search->go_us) / US_IN_MS;
    if (!wait_for(replay, has_best, took_ms + SPARE_WAIT_MS - since_go_ms(replay)))
        end(replay, REPLAY_SILENT,
            "it is silent: no best move after %d ms, but after %d ms in "
            "the game",
            (int)since_go_ms(replay), (int)took_ms);
    else if (!replay->is_over)
        take_best(replay);
}

/* Orders. */

static void begin_search(Replay *replay, int64_t at_us)
{
    replay->search.go_us = at_us;
    replay->search.was_answered = false;
    replay->is_searching = true;
    replay->has_best = false;
    replay->go_ms = clock_now_ms();
}

/* What is said amid a search comes when it came. */
static void keep_pace(Replay *replay, int64_t at_us)
{
    int64_t wait_ms = (at_us - replay->search.go_us) / US_IN_MS - since_go_ms(replay);
    if (wait_ms > 0)
        (void)wait_for(replay, has_best, wait_ms); /* it may answer before */
}

static void await_reply(Replay *replay, Text text)
{
    if (text_is(text, "uci")) {
        if (!wait_for(replay, has_uciok, START_WAIT_MS))
            end(replay, REPLAY_UNUSABLE, "it says no uciok");
    } else if (text_is(text, "isready")) {
        replay->readyoks_owed++; /* amid a search it is answered when it may be */
        if (!replay->is_searching && !wait_for(replay, has_readyok, SPARE_WAIT_MS))
            end(replay, REPLAY_SILENT, "it is silent: no readyok");
    }
}

static void tell_engine(Replay *replay, const TranscriptLine *line)
{
    static const char newline[] = "\n";
    TranscriptPosition position;
    if (!replay->process)
        return;
    if (replay->is_searching && replay->search.was_answered)
        await_answer(replay);
    else if (replay->is_searching)
        keep_pace(replay, line->at_us);
    if (replay->is_over)
        return;
    if (transcript_read_position(&position, line->text)) {
        replay->search = (Search){ .position = line->text, .ply = position.ply };
    } else if (text_is(line->text, "go") || text_starts_with(line->text, "go ")) {
        begin_search(replay, line->at_us);
    }
    replay->told_us = line->at_us;
    child_process_say(replay->process, line->text);
    child_process_say(replay->process, text_of(newline));
    await_reply(replay, line->text);
}

/* Was it castled that had waited long enough? Else the engine ended by itself, perhaps at once, and
 * a better one needs its time. */
static bool was_patience(Text why)
{
    Text ply = text_next_word(&why, " ");
    Text reason = text_next_word(&why, " ");
    return ply.len > 0 && (text_is(reason, "hangs:") || text_is(reason, "lost"));
}

/* In the game it had failed by now. */
static void pass_fault(Replay *replay, int64_t at_us, Text why)
{
    if (replay->result->recorded[0] == '\0')
        printable_copy(replay->result->recorded, sizeof replay->result->recorded, why);
    if (!replay->process || !replay->is_searching)
        return;
    if (replay->search.was_answered) {
        await_answer(replay); /* with what we would not play */
        return;
    }
    int64_t wait_ms = (at_us - replay->search.go_us) / US_IN_MS - since_go_ms(replay);
    if (wait_for(replay, has_best, wait_ms + (was_patience(why) ? LAST_WORDS_MS : SEARCH_MAX_MS))) {
        if (!replay->is_over)
            take_best(replay);
        return;
    }
    end(replay, REPLAY_SILENT, "it is silent: no best move after %d ms", (int)since_go_ms(replay));
}

static void hear(Replay *replay, const TranscriptLine *line)
{
    Text rest = line->text;
    if (!text_is(uci_text_next(&rest), "bestmove") || replay->search.go_us == 0 ||
        replay->search.was_answered)
        return;
    replay->search.was_answered = true;
    replay->search.answer = uci_text_next(&rest);
    replay->search.answer_us = line->at_us;
}

/* From the note of its start. */
static int read_earlier(Text rest)
{
    const size_t len = sizeof TRANSCRIPT_EARLIER - 1;
    int64_t number;
    return text_starts_with(rest, TRANSCRIPT_EARLIER) &&
                   number_parse(rest.at + len, rest.len - len, 0, INT32_MAX, &number, NULL)
               ? (int)number
               : 0;
}

static void note(Replay *replay, const TranscriptLine *line)
{
    Text rest;
    if (transcript_is_note(line, TRANSCRIPT_START, &rest)) {
        replay->result->earlier = int_max(replay->result->earlier, read_earlier(rest));
        start_process(replay);
    } else if (transcript_is_note(line, TRANSCRIPT_VARIANT, &rest)) {
        replay->variant = variant_of(rest);
    } else if (transcript_is_note(line, TRANSCRIPT_FAULT, &rest)) {
        pass_fault(replay, line->at_us, rest);
    }
}

/* Lines between two positions belong to the first of them; those before the first, and after a
 * start, to none. */
static bool is_wanted(const Replay *replay, const TranscriptLine *line, int *ply)
{
    TranscriptPosition position;
    Text rest;
    if (transcript_is_note(line, TRANSCRIPT_START, &rest))
        *ply = 0;
    else if (line->kind == TRANSCRIPT_TOLD && transcript_read_position(&position, line->text))
        *ply = position.ply;
    return replay->order->ply == 0 || *ply == 0 || *ply == replay->order->ply;
}

static void run_line(Replay *replay, const TranscriptLine *line)
{
    switch (line->kind) {
    case TRANSCRIPT_TOLD:
        tell_engine(replay, line);
        break;
    case TRANSCRIPT_HEARD:
        hear(replay, line);
        break;
    case TRANSCRIPT_NOTE:
        note(replay, line);
        break;
    case TRANSCRIPT_ERROR:
        break;
    }
}

static void run(Replay *replay)
{
    Text rest = replay->order->transcript;
    int ply = 0;
    while (rest.len > 0 && !replay->is_over) {
        const char *newline = memchr(rest.at, '\n', rest.len);
        Text text = { rest.at, newline ? (size_t)(newline - rest.at) : rest.len };
        TranscriptLine line;
        rest.at += text.len + (newline != NULL);
        rest.len -= text.len + (newline != NULL);
        if (transcript_read(&line, text) && is_wanted(replay, &line, &ply))
            run_line(replay, &line);
    }
    if (!replay->is_over && replay->is_searching && replay->search.was_answered)
        await_answer(replay);
    if (replay->result->searches == 0)
        end(replay, REPLAY_UNUSABLE, "there was nothing to ask it");
    end(replay, REPLAY_FINE, "it answered as it should");
}

bool transcript_replay(const ReplayOrder *order, ReplayResult *out, Error *err)
{
    Replay replay = { .order = order, .result = out, .variant = VARIANT_STANDARD };
    *out = (ReplayResult){ .verdict = REPLAY_FINE };
    int failure = uv_loop_init(&replay.loop);
    if (failure) {
        error_set(err, ERR_IO, "no event loop: %s", uv_strerror(failure));
        return false;
    }
    uv_timer_init(&replay.loop, &replay.timer);
    replay.timer.data = &replay;
    run(&replay);
    close_process(&replay);
    uv_close((uv_handle_t *)&replay.timer, NULL);
    uv_run(&replay.loop, UV_RUN_DEFAULT);
    uv_loop_close(&replay.loop);
    return true;
}
