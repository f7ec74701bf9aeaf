/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/daemon.h"

#include "bot/daemon/ending.h"
#include "bot/daemon/parts.h"
#include "bot/daemon/callbacks.h"
#include "bot/ops/timer.h"
#include "bot/ops/version.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>

enum { RELOAD_LEAST_MS = 1000 }; /* from one signal's reload to the next one's */

/* Games are left as they are: the next start takes them up again. When all handles are closed,
 * the loop ends. */
static void close_all(Daemon *daemon)
{
    parts_end(daemon);
    ending_close_handles(daemon);
    uv_close((uv_handle_t *)&daemon->reloading, NULL);
    uv_close((uv_handle_t *)&daemon->on_hup, NULL);
}

static void daemon_on_ending(uv_timer_t *timer)
{
    close_all(timer->data);
}

static void daemon_on_reload_due(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    daemon->reloaded_ms = clock_now_ms();
    if (daemon->has_parts && !daemon->is_stopping)
        (void)daemon_on_reload(daemon, NULL); /* the log has all of it */
}

/* Signals that follow each other closely are one: the last one's file is read. */
static void daemon_on_hangup(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    (void)number;
    if (!daemon->is_stopping)
        timer_set(&daemon->reloading, daemon_on_reload_due, daemon->reloaded_ms + RELOAD_LEAST_MS);
}

static bool watch_hangup(Daemon *daemon, Error *err)
{
    int failure = uv_signal_start(&daemon->on_hup, daemon_on_hangup, SIGHUP);
    if (failure)
        error_set(err, ERR_IO, "signals: %s", uv_strerror(failure));
    return failure == 0;
}

static void do_nothing(uv_work_t *work)
{
    (void)work;
}

/* libuv makes its worker threads when they are first needed, and ends the process on failure.
 * Better now than in mid-game, when the hash has taken the memory. */
static void start_workers(Daemon *daemon)
{
    int failure = uv_queue_work(&daemon->loop, &daemon->first_work, do_nothing, NULL);
    assert(failure == 0);
    (void)failure;
}

ExitStatus daemon_run(Config *config, const char *path, Token *token, Log *log, int record_file,
                      PlayTime time)
{
    Error err = { 0 };
    Daemon *daemon = calloc(1, sizeof *daemon);
    int failure = daemon ? uv_loop_init(&daemon->loop) : UV_ENOMEM;
    if (failure) {
        log_error(log, "daemon", "no-start", FIELDS(F("why", uv_strerror(failure))));
        token_erase(token);
        free(daemon);
        return EXIT_FAULT;
    }
    signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
    start_workers(daemon);
    ending_init(daemon, time, daemon_on_ending);
    timer_init(&daemon->loop, &daemon->reloading, daemon);
    daemon->reloaded_ms = clock_now_ms() - RELOAD_LEAST_MS;
    uv_signal_init(&daemon->loop, &daemon->on_hup);
    daemon->on_hup.data = daemon;
    notify_init(&daemon->notify);
    daemon->config = config;
    daemon->config_path = path;
    ratelimit_init(&daemon->limit);
    slots_init(&daemon->slots, slot_limits_of(config));
    recent_games_init(&daemon->recent_games);
    daemon->context = (BotContext){
        .loop = &daemon->loop,
        .config = config,
        .log = log,
        .limit = &daemon->limit,
        .slots = &daemon->slots,
        .recent_games = &daemon->recent_games,
        .counters = &daemon->counters,
        .on_denied = daemon_on_denied,
        .on_reached = daemon_on_reached,
        .on_missed_start = daemon_on_missed_start,
        .user = daemon,
    };
    daemon->token = token->text;
    daemon->record_file = record_file;
    daemon->seed = (uint64_t)clock_now_us();
    daemon->context.ends_ms = timer_after(time.play_ms);
    bool ok = ending_watch_signals(daemon, &err) && watch_hangup(daemon, &err) &&
              parts_make(daemon, &err);
    log_info(log, "daemon", "start",
             FIELDS(F("version", version_text()), F("token_from", token->source)));
    token_erase(token);
    daemon->token = NULL;
    daemon->has_parts = ok;
    if (ok)
        ending_await(daemon);
    if (!ok && !daemon->is_stopping) {
        log_error(log, "daemon", "no-start", FIELDS(F("why", err.text)));
        daemon->status = EXIT_FAULT;
        close_all(daemon);
    }
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    failure = uv_loop_close(&daemon->loop);
    assert(failure == 0 && "a handle was left open");
    (void)failure;
    ExitStatus status = daemon->status;
    if (ok || daemon->is_stopping)
        log_info(log, "daemon", "stopped", FIELDS(F("status", (int)status)));
    notify_release(&daemon->notify);
    free(daemon);
    return status;
}
