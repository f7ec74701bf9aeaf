/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/ending.h"

#include "bot/pairing/outgoing.h"
#include "bot/ops/timer.h"
#include "engine/base/clock.h"

#include <signal.h>

enum { DRAIN_LOOK_MS = 200 };

void ending_stop(Daemon *daemon, ExitStatus status)
{
    if (daemon->is_stopping)
        return;
    daemon->is_stopping = true;
    daemon->status = status;
    uv_timer_start(&daemon->ending, daemon->on_ending, 0, 0);
}

static void ending_on_signal(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    uv_signal_stop(&daemon->on_term);
    uv_signal_stop(&daemon->on_int); /* a second one ends us, whatever hangs */
    log_info(daemon->context.log, "daemon", "stopping",
             FIELDS(F("signal", number == SIGTERM ? "SIGTERM" : "SIGINT"),
                    F("games", daemon->has_parts ? game_set_count(daemon->games) : 0)));
    ending_stop(daemon, EXIT_FINE);
}

static void send_waiting_away(Daemon *daemon, const char *why)
{
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SEND_AWAY, .why = why });
}

/* Correspondence games are not waited for: they go on after the next start. */
static void ending_on_draining(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    const Outgoing *ours = &pairing_shell_view(daemon->pairing)->outgoing;
    bool is_empty = slots_used(&daemon->slots, SLOTS_REALTIME) == 0 &&
                    outgoing_count(ours, SLOTS_REALTIME) == 0 &&
                    outgoing_count(ours, SLOTS_CORRESPONDENCE) == 0;
    bool is_late = clock_now_ms() >= daemon->drained_at_ms;
    if (!is_empty && !is_late)
        return;
    log_info(daemon->context.log, "daemon", "drained",
             FIELDS(F("games", game_set_count(daemon->games))));
    ending_stop(daemon, EXIT_FINE);
}

void ending_drain(void *user, int64_t deadline_ms)
{
    Daemon *daemon = user;
    log_info(daemon->context.log, "daemon", "draining",
             FIELDS(F("games", game_set_count(daemon->games))));
    daemon->context.is_draining = true;
    daemon->drained_at_ms = deadline_ms;
    send_waiting_away(daemon, "draining");
    uv_timer_start(&daemon->draining, ending_on_draining, DRAIN_LOOK_MS, DRAIN_LOOK_MS);
}

/* What sends it may end us later, whatever we do: games then stay resumable, as ever. */
static void ending_on_terminate(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    if (!daemon->term_drains || !daemon->has_parts || daemon->is_stopping) {
        ending_on_signal(handle, number);
        return;
    }
    daemon->term_drains = false; /* a second one ends us */
    if (!daemon->context.is_draining)
        ending_drain(daemon, timer_after(daemon->finish_ms));
}

/* A drain by hand may have a deadline of its own. */
static void ending_on_play_time_over(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    if (daemon->is_stopping || daemon->context.is_draining)
        return;
    log_info(daemon->context.log, "daemon", "time-over",
             FIELDS(F("games", game_set_count(daemon->games))));
    ending_drain(daemon, timer_after(daemon->finish_ms));
}

void ending_init(Daemon *daemon, PlayTime time, uv_timer_cb on_ending)
{
    daemon->on_ending = on_ending;
    daemon->finish_ms = time.finish_ms;
    daemon->term_drains = time.term_drains;
    timer_init(&daemon->loop, &daemon->ending, daemon);
    timer_init(&daemon->loop, &daemon->draining, daemon);
    timer_init(&daemon->loop, &daemon->playing, daemon);
    uv_signal_init(&daemon->loop, &daemon->on_term);
    uv_signal_init(&daemon->loop, &daemon->on_int);
    daemon->on_term.data = daemon;
    daemon->on_int.data = daemon;
}

bool ending_watch_signals(Daemon *daemon, Error *err)
{
    int failure = uv_signal_start(&daemon->on_term, ending_on_terminate, SIGTERM);
    if (failure == 0)
        failure = uv_signal_start(&daemon->on_int, ending_on_signal, SIGINT);
    if (failure)
        error_set(err, ERR_IO, "signals: %s", uv_strerror(failure));
    return failure == 0;
}

void ending_await(Daemon *daemon)
{
    timer_set(&daemon->playing, ending_on_play_time_over, daemon->context.ends_ms);
}

/* Whoever takes a drain back wants games, also where our time is over. */
bool ending_resume(void *user, Error *err)
{
    Daemon *daemon = user;
    if (daemon->is_stopping || !daemon->context.is_draining) {
        error_set(err, ERR_NOT_NOW,
                  daemon->is_stopping ? "too late, castled is stopping"
                                      : "castled is not draining");
        return false;
    }
    log_info(daemon->context.log, "daemon", "resumed",
             FIELDS(F("games", game_set_count(daemon->games))));
    daemon->context.is_draining = false;
    if (clock_now_ms() >= daemon->context.ends_ms)
        daemon->context.ends_ms = INT64_MAX;
    uv_timer_stop(&daemon->draining);
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SETTINGS });
    return true;
}

void ending_close_handles(Daemon *daemon)
{
    uv_close((uv_handle_t *)&daemon->ending, NULL);
    uv_close((uv_handle_t *)&daemon->draining, NULL);
    uv_close((uv_handle_t *)&daemon->playing, NULL);
    uv_close((uv_handle_t *)&daemon->on_term, NULL);
    uv_close((uv_handle_t *)&daemon->on_int, NULL);
}
