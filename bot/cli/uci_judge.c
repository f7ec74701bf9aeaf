/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/uci_judge.h"

#include "bot/child/child_process.h"
#include "bot/source/uci_position.h"
#include "engine/base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { SILENCE_MS = 60000 };

struct UciJudge {
    uv_loop_t loop;
    uv_timer_t timer;
    ChildProcess *process; /* NULL: it has ended */
    UciTalk talk;
    UciInput awaited; /* what ends a wait */
    bool has_come, is_late, is_960, is_new_game;
    Error failure; /* why it has ended */
};

static void say_to_engine(UciJudge *judge, Buf *text)
{
    if (judge->process)
        child_process_say(judge->process, (Text){ buf_view(text), text->len });
    buf_reset(text);
}

static void uci_judge_on_line(void *user, Text line)
{
    UciJudge *judge = user;
    UciInput input;
    Buf text;
    buf_init(&text, UCI_SAY_MAX);
    if (uci_talk_read(&judge->talk, line, &input, &text) && text.len > 0)
        say_to_engine(judge, &text);
    buf_release(&text);
    judge->has_come = judge->has_come || input == judge->awaited;
}

static void uci_judge_on_end(void *user, const char *why)
{
    UciJudge *judge = user;
    error_set(&judge->failure, ERR_IO, "the judge has ended: %s", why);
    child_process_close(judge->process);
    judge->process = NULL;
}

static void uci_judge_on_time(uv_timer_t *timer)
{
    ((UciJudge *)timer->data)->is_late = true;
}

/* Until the engine has said that; false and an Error where it does not. */
static bool await(UciJudge *judge, UciInput input, uint64_t most_ms, Error *err)
{
    judge->awaited = input;
    judge->has_come = judge->is_late = false;
    uv_timer_start(&judge->timer, uci_judge_on_time, most_ms, 0);
    while (!judge->has_come && !judge->is_late && judge->process)
        uv_run(&judge->loop, UV_RUN_ONCE);
    uv_timer_stop(&judge->timer);
    if (judge->has_come)
        return true;
    if (judge->process)
        error_set(err, ERR_IO, "the judge says nothing: is it a UCI engine?");
    else
        error_set(err, ERR_IO, "%s", judge->failure.text);
    return false;
}

static bool start(UciJudge *judge, const char *command_line, Error *err)
{
    const ChildCallbacks callbacks = { .on_line = uci_judge_on_line,
                                       .on_end = uci_judge_on_end,
                                       .user = judge };
    ChildCommand command;
    Buf text;
    if (!child_command_parse(&command, command_line, err) || !child_command_find(&command, err) ||
        !child_process_new(&judge->process, &judge->loop, &command, NULL, &callbacks, err))
        return false;
    buf_init(&text, UCI_SAY_MAX);
    bool ok = uci_talk_greet(&judge->talk, &text);
    say_to_engine(judge, &text);
    ok = ok && await(judge, UCI_INPUT_UCIOK, UCI_JUDGE_WAIT_MS, err) &&
         uci_talk_ping(&judge->talk, &text);
    say_to_engine(judge, &text);
    buf_release(&text);
    return ok && await(judge, UCI_INPUT_READY, UCI_JUDGE_WAIT_MS, err);
}

bool uci_judge_new(UciJudge **out, const char *command, Error *err)
{
    UciJudge *judge = alloc_zeroed(sizeof *judge, "the judge", err);
    if (!judge)
        return false;
    int failure = uv_loop_init(&judge->loop);
    if (failure) {
        error_set(err, ERR_IO, "event loop: %s", uv_strerror(failure));
        free(judge);
        return false;
    }
    uv_timer_init(&judge->loop, &judge->timer);
    judge->timer.data = judge;
    uci_talk_init(&judge->talk);
    if (!start(judge, command, err)) {
        uci_judge_free(judge);
        return false;
    }
    judge->is_new_game = true;
    *out = judge;
    return true;
}

void uci_judge_free(UciJudge *judge)
{
    if (!judge)
        return;
    if (judge->process)
        child_process_quit(judge->process, text_of("quit\n"));
    uv_close((uv_handle_t *)&judge->timer, NULL);
    uv_run(&judge->loop, UV_RUN_DEFAULT);
    uv_loop_close(&judge->loop);
    free(judge);
}

void uci_judge_begin(UciJudge *judge)
{
    judge->is_new_game = true;
}

static bool set_960(UciJudge *judge, bool is_960, Buf *text, Error *err)
{
    if (is_960 == judge->is_960)
        return true;
    if (!uci_talk_option(&judge->talk, "UCI_Chess960")) {
        error_set(err, ERR_INVALID, "the judge does not play chess960");
        return false;
    }
    judge->is_960 = is_960;
    return uci_talk_set(&judge->talk, "UCI_Chess960", is_960 ? "true" : "false", text);
}

/* What is to be said for a search. */
static bool put_search(UciJudge *judge, const MoveRequest *request, uint64_t nodes, Buf *text,
                       Error *err)
{
    Buf position;
    buf_init(&position, UCI_SAY_MAX);
    bool ok = uci_position_write(request, &position);
    const UciSearch search = { .position = buf_view(&position),
                               .is_new_game = judge->is_new_game,
                               .limits = { .nodes = nodes } };
    ok = ok && set_960(judge, uci_position_is_960(request), text, err) &&
         uci_talk_search(&judge->talk, &search, text);
    buf_release(&position);
    error_set(ok ? NULL : err, ERR_INVALID, "the position is none for a UCI engine");
    return ok;
}

bool uci_judge_go(UciJudge *judge, const MoveRequest *request, uint64_t nodes, UciResult *out,
                  Error *err)
{
    Buf text;
    if (!variant_is_chess(request->variant)) {
        error_set(err, ERR_INVALID, "a judge is asked about chess only");
        return false;
    }
    buf_init(&text, 2 * UCI_SAY_MAX);
    bool ok = put_search(judge, request, nodes, &text, err);
    if (ok)
        say_to_engine(judge, &text);
    buf_release(&text);
    if (!ok || !await(judge, UCI_INPUT_RESULT, SILENCE_MS + nodes, err))
        return false;
    judge->is_new_game = false;
    *out = judge->talk.result;
    return true;
}
