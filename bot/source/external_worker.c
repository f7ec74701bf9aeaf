/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_worker.h"

#include "bot/config/did_you_mean.h"
#include "bot/ops/timer.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    START_WAIT_MS = 30000,   /* for uciok: a full machine, a large network */
    PREPARE_WAIT_MS = 10000, /* for readyok after options or a new game: hash is cleared then */
    PREPARE_SHARE = 4,       /* of the time to think: for readyok in mid-game */
    PREPARE_MIN_MS = 500,
    PREPARE_MAX_MS = 3000,
    STOP_WAIT_MIN_MS = 500, /* for a best move after "stop" */
    LET_GO_WAIT_MS = 2000,
    SILENCE_MS = 1000, /* of an engine that thinks, before it is asked whether it is there */
    TRIES_MAX = 5,     /* to find out whether it answers that at all */
    PONG_WAIT_MS = 2000,
    RESTART_FIRST_MS = 250,
    RESTART_MAX_MS = 60000,
};

struct ExternalWorker {
    uv_loop_t *loop;
    const ExternalEngine *engine;
    ExternalOwner owner;
    uv_timer_t timer;
    ExternalProcess *process; /* NULL: down */
    UciTalk talk;
    bool is_set_up; /* it has been told its options, and has understood */
    bool is_closed;

    int failures; /* since it last found a move */
    int64_t restart_at_ms;

    int64_t heard_ms;      /* when it last wrote a line */
    int64_t owed_until_ms; /* INT64_MAX: nothing is owed */
    UciState owed_in;      /* the state in which that was worked out */
    bool owed_stop;
    int64_t stop_at_ms; /* of the request; INT64_MAX: never */
    int64_t stop_ms, prepare_ms;
    bool has_result; /* the timer is to hand it on */
    int tries;       /* to find out whether it answers while it thinks */

    const char *told_variant; /* NULL: none yet */
    bool told_960;
};

static void on_timer(uv_timer_t *timer);

static bool is_busy(const ExternalWorker *worker)
{
    return worker->talk.state == UCI_SEARCHING ||
           (worker->talk.state == UCI_PREPARING && worker->talk.has_search);
}

static bool may_ping(const ExternalWorker *worker)
{
    const UciTalk *talk = &worker->talk;
    return talk->readyoks_owed == 0 &&
           (talk->state == UCI_SEARCHING || talk->state == UCI_PONDERING);
}

/* Only one that is known to answer amid a search can be told to hang by its silence. So the first
 * searches are used to find out. */
static int64_t ping_at_ms(const ExternalWorker *worker)
{
    bool is_known = worker->talk.answers_amid_search || worker->tries >= TRIES_MAX;
    return worker->heard_ms + (is_known ? SILENCE_MS : 0);
}

static int64_t allowance_ms(const ExternalWorker *worker)
{
    switch (worker->talk.state) {
    case UCI_SILENT:
    case UCI_IDLE:
        return INT64_MAX;
    case UCI_GREETING:
        return START_WAIT_MS;
    case UCI_PREPARING:
        return worker->prepare_ms;
    case UCI_DISCARDING:
        return LET_GO_WAIT_MS;
    case UCI_SEARCHING:
    case UCI_PONDERING:
        break;
    }
    return !worker->talk.is_stopped             ? PONG_WAIT_MS
           : worker->stop_ms > STOP_WAIT_MIN_MS ? worker->stop_ms
                                                : STOP_WAIT_MIN_MS;
}

static const char *what_is_owed(const ExternalWorker *worker)
{
    switch (worker->talk.state) {
    case UCI_GREETING:
        return "no uciok: it is no UCI engine, or takes too long to start";
    case UCI_DISCARDING:
        return "hangs: no bestmove after stop";
    case UCI_SEARCHING:
        return worker->talk.is_stopped ? "hangs: no bestmove after stop"
                                       : "hangs: no readyok while it thinks";
    case UCI_SILENT:
    case UCI_IDLE:
    case UCI_PREPARING:
    case UCI_PONDERING:
        break;
    }
    return "hangs: no readyok";
}

/* Sets the timer to the next thing that has to be seen to. */
static void supervise(ExternalWorker *worker)
{
    int64_t now = clock_now_ms(), next = worker->restart_at_ms;
    const UciTalk *talk = &worker->talk;
    if (worker->is_closed)
        return;
    if (worker->process) {
        bool is_news = worker->owed_in != talk->state || worker->owed_stop != talk->is_stopped;
        if (!uci_talk_is_owed(talk))
            worker->owed_until_ms = INT64_MAX;
        else if (is_news || worker->owed_until_ms == INT64_MAX)
            worker->owed_until_ms = now + allowance_ms(worker);
        worker->owed_in = talk->state;
        worker->owed_stop = talk->is_stopped;
        next = worker->owed_until_ms;
        if (is_busy(worker) && !talk->is_stopped)
            next = int64_min(next, worker->stop_at_ms);
        if (may_ping(worker))
            next = int64_min(next, ping_at_ms(worker));
    }
    if (worker->has_result)
        next = now;
    timer_set(&worker->timer, on_timer, next);
}

/* The process has gone or goes now; the next one comes after a while. */
static int64_t end_process(ExternalWorker *worker)
{
    int doublings = worker->failures < 16 ? worker->failures : 16;
    int64_t wait = worker->failures == 0
                       ? 0
                       : int64_min((int64_t)RESTART_FIRST_MS << (doublings - 1), RESTART_MAX_MS);
    if (worker->process)
        external_process_close(worker->process);
    worker->process = NULL;
    worker->is_set_up = false;
    worker->has_result = false;
    worker->failures++;
    worker->restart_at_ms = clock_now_ms() + wait;
    uci_talk_init(&worker->talk);
    return wait;
}

static void fail(ExternalWorker *worker, const char *why)
{
    int64_t wait = end_process(worker);
    log_warning(
        worker->engine->log, "engine", "failed",
        FIELDS(F("engine", worker->engine->config->name), F("why", why), F("retry_in_ms", wait)));
    supervise(worker);
    if (worker->owner.on_failure)
        worker->owner.on_failure(worker->owner.user, why);
}

/* Says what has been put together. */
static void say(ExternalWorker *worker, Buf *text, bool is_whole)
{
    assert(is_whole && "an order is shorter than what may be said");
    (void)is_whole;
    if (worker->process)
        external_process_say(worker->process, (Text){ text->text, text->len });
    buf_release(text);
}

static Buf new_text(void)
{
    Buf text;
    buf_init(&text, UCI_SAY_MAX);
    return text;
}

/* Its start. */

/* A total that the operator gave for all; the engine may not know so much. */
static bool put_share(const UciTalk *talk, const char *name, int share, Buf *text)
{
    char value[16];
    const UciOption *option = uci_talk_option(talk, name);
    if (!option || share <= 0)
        return true;
    int n = snprintf(value, sizeof value, "%d", (int)int64_clamp(share, option->lo, option->hi));
    return n > 0 && uci_talk_set(talk, option->name, value, text);
}

static void warn_of_unknown(const ExternalWorker *worker, const char *name)
{
    const char *names[UCI_OPTIONS_MAX];
    for (size_t i = 0; i < worker->talk.option_count; i++)
        names[i] = worker->talk.options[i].name;
    const char *meant = did_you_mean(name, names, worker->talk.option_count);
    log_warning(worker->engine->log, "engine", "no-such-option",
                FIELDS(F("engine", worker->engine->config->name), F("option", name),
                       F("nearest", meant ? meant : "-")));
}

static void set_up(ExternalWorker *worker)
{
    const ExternalEngine *engine = worker->engine;
    Buf text = new_text();
    bool ok = put_share(&worker->talk, "Threads", engine->threads, &text) &&
              put_share(&worker->talk, "Hash", engine->hash_mib, &text);
    for (size_t i = 0; i < engine->config->setting_count && ok; i++) {
        const ExternalSetting *setting = &engine->config->settings[i];
        const UciOption *option = uci_talk_option(&worker->talk, setting->name);
        if (option)
            ok = uci_talk_set(&worker->talk, option->name, setting->value, &text);
        else
            warn_of_unknown(worker, setting->name);
    }
    worker->prepare_ms = PREPARE_WAIT_MS;
    ok = ok && uci_talk_ping(&worker->talk, &text);
    say(worker, &text, ok);
}

static void on_heard(ExternalWorker *worker, UciHeard heard)
{
    const ExternalOwner *owner = &worker->owner;
    switch (heard) {
    case UCI_HEARD_NOTHING:
        break;
    case UCI_HEARD_UCIOK:
        set_up(worker);
        break;
    case UCI_HEARD_READY:
        if (!worker->is_set_up)
            log_info(worker->engine->log, "engine", "ready",
                     FIELDS(F("engine", worker->engine->config->name),
                            F("program", worker->talk.name),
                            F("pid", external_process_id(worker->process))));
        worker->is_set_up = true;
        if (owner->on_ready)
            owner->on_ready(owner->user);
        break;
    case UCI_HEARD_RESULT:
        if (owner->on_result)
            owner->on_result(owner->user, &worker->talk.result);
        if (worker->process) /* else the result was worth nothing */
            worker->failures = 0;
        break;
    }
}

static void on_line(void *user, Text line)
{
    ExternalWorker *worker = user;
    UciHeard heard;
    Buf text = new_text();
    worker->heard_ms = clock_now_ms();
    bool ok = uci_talk_hear(&worker->talk, line, &heard, &text);
    say(worker, &text, ok);
    on_heard(worker, heard);
    supervise(worker);
}

static void on_error_line(void *user, Text line)
{
    const ExternalWorker *worker = user;
    log_debug(worker->engine->log, "engine", "stderr",
              FIELDS(F("engine", worker->engine->config->name), F("line", line)));
}

static void on_end(void *user, const char *why)
{
    fail(user, why);
}

static void start(ExternalWorker *worker)
{
    const ExternalCallbacks callbacks = {
        .on_line = on_line,
        .on_error_line =
            worker->engine->config->errors == EXTERNAL_ERRORS_LOG ? on_error_line : NULL,
        .on_end = on_end,
        .user = worker,
    };
    ExternalCommand command;
    Error err = { 0 };
    bool ok = external_command_parse(&command, worker->engine->config->command, &err) &&
              external_command_find(&command, &err) &&
              external_process_new(&worker->process, worker->loop, &command, &callbacks, &err);
    worker->restart_at_ms = INT64_MAX;
    if (!ok) {
        fail(worker, err.text);
        return;
    }
    Buf text = new_text();
    worker->heard_ms = clock_now_ms();
    worker->owed_until_ms = INT64_MAX;
    worker->told_variant = NULL;
    worker->told_960 = false;
    worker->tries = 0;
    ok = uci_talk_greet(&worker->talk, &text);
    say(worker, &text, ok);
    supervise(worker);
}

static void on_timer(uv_timer_t *timer)
{
    ExternalWorker *worker = timer->data;
    int64_t now = clock_now_ms();
    Buf text = new_text();
    if (worker->has_result) {
        worker->has_result = false;
        on_heard(worker, UCI_HEARD_RESULT);
    } else if (!worker->process) {
        if (now >= worker->restart_at_ms)
            start(worker);
    } else if (now >= worker->owed_until_ms) {
        fail(worker, what_is_owed(worker));
    } else if (is_busy(worker) && now >= worker->stop_at_ms) {
        external_worker_stop(worker);
    } else if (may_ping(worker) && now >= ping_at_ms(worker)) {
        worker->tries++;
        bool ok = uci_talk_ping(&worker->talk, &text);
        say(worker, &text, ok);
    }
    buf_release(&text);
    supervise(worker);
}

bool external_worker_new(ExternalWorker **out, uv_loop_t *loop, const ExternalEngine *engine,
                         Error *err)
{
    ExternalWorker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        error_set(err, ERR_MEMORY, "no memory for an engine");
        return false;
    }
    int failure = uv_timer_init(loop, &worker->timer);
    if (failure) {
        error_set(err, ERR_IO, "timer: %s", uv_strerror(failure));
        free(worker);
        return false;
    }
    worker->timer.data = worker;
    worker->loop = loop;
    worker->engine = engine;
    start(worker);
    *out = worker;
    return true;
}

void external_worker_assign(ExternalWorker *worker, const ExternalOwner *owner)
{
    worker->owner = owner ? *owner : (ExternalOwner){ .user = NULL };
    external_worker_discard(worker);
}

bool external_worker_is_ready(const ExternalWorker *worker)
{
    return worker->is_set_up && !worker->has_result &&
           (worker->talk.state == UCI_IDLE || worker->talk.state == UCI_PREPARING);
}

bool external_worker_is_up(const ExternalWorker *worker)
{
    return worker->is_set_up;
}

bool external_worker_is_out(const ExternalWorker *worker)
{
    return !worker->process && worker->restart_at_ms > clock_now_ms();
}

const UciTalk *external_worker_talk(const ExternalWorker *worker)
{
    return &worker->talk;
}

static bool put_variant(ExternalWorker *worker, const ExternalTask *task, Buf *text)
{
    const UciTalk *talk = &worker->talk;
    const char *name = uci_variant_name(task->variant);
    bool ok = true;
    if (talk->has_variants && (!worker->told_variant || strcmp(worker->told_variant, name) != 0))
        ok = uci_talk_set(talk, "UCI_Variant", name, text);
    worker->told_variant = name;
    if (ok && worker->told_960 != task->is_960 && uci_talk_option(talk, "UCI_Chess960"))
        ok = uci_talk_set(talk, "UCI_Chess960", task->is_960 ? "true" : "false", text);
    worker->told_960 = task->is_960;
    return ok;
}

static void set_timeout(ExternalWorker *worker, int64_t search_ms, int64_t stop_ms)
{
    worker->stop_at_ms = search_ms == INT64_MAX ? INT64_MAX : clock_now_ms() + search_ms;
    worker->stop_ms = stop_ms;
}

void external_worker_search(ExternalWorker *worker, const ExternalTask *task)
{
    assert(external_worker_is_ready(worker));
    Buf text = new_text();
    bool ok =
        put_variant(worker, task, &text) && uci_talk_search(&worker->talk, &task->search, &text);
    set_timeout(worker, task->search_ms, task->stop_ms);
    worker->prepare_ms = task->search.is_new_game ? PREPARE_WAIT_MS
                                                  : int64_clamp(task->search_ms / PREPARE_SHARE,
                                                                PREPARE_MIN_MS, PREPARE_MAX_MS);
    worker->owed_until_ms = INT64_MAX; /* what was owed before, if anything, comes with this */
    say(worker, &text, ok);
    supervise(worker);
}

bool external_worker_ponderhit(ExternalWorker *worker, int64_t search_ms, int64_t stop_ms)
{
    const UciTalk *talk = &worker->talk;
    bool is_searching =
        talk->state == UCI_PONDERING || (talk->state == UCI_PREPARING && talk->has_search);
    if (!is_searching || !talk->is_guess)
        return false;
    Buf text = new_text();
    bool ok = uci_talk_ponderhit(&worker->talk, &worker->has_result, &text);
    set_timeout(worker, search_ms, stop_ms);
    say(worker, &text, ok);
    supervise(worker);
    return true;
}

void external_worker_stop(ExternalWorker *worker)
{
    Buf text = new_text();
    bool ok = uci_talk_stop(&worker->talk, &text);
    say(worker, &text, ok);
    supervise(worker);
}

void external_worker_discard(ExternalWorker *worker)
{
    Buf text = new_text();
    bool ok = uci_talk_discard(&worker->talk, &text);
    worker->has_result = false;
    say(worker, &text, ok);
    supervise(worker);
}

void external_worker_restart(ExternalWorker *worker, const char *why)
{
    int64_t wait = end_process(worker);
    log_warning(
        worker->engine->log, "engine", "replaced",
        FIELDS(F("engine", worker->engine->config->name), F("why", why), F("retry_in_ms", wait)));
    supervise(worker);
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void external_worker_close(ExternalWorker *worker)
{
    worker->is_closed = true;
    worker->owner = (ExternalOwner){ .user = NULL };
    if (worker->process)
        external_process_quit(worker->process);
    worker->process = NULL;
    uv_close((uv_handle_t *)&worker->timer, on_timer_closed);
}
