/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/callbacks.h"

#include "bot/archive/archive.h"
#include "bot/daemon/ending.h"
#include "bot/daemon/parts.h"
#include "bot/daemon/reload.h"
#include "bot/source/source.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/text_format.h"

#include <string.h>

SlotLimits slot_limits_of(const Config *config)
{
    return (SlotLimits){ .of_kind = { [SLOTS_REALTIME] = config->games.concurrency,
                                      [SLOTS_CORRESPONDENCE] = config->games.correspondence },
                         .for_humans = config->challenge.human_slots };
}

/* A slot may be free. */
static void serve_waiting(Daemon *daemon)
{
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SLOT_FREED });
}

/* Games may begin: our account is known, the configuration has changed, or what kept them from it.
 */
static void begin_games(Daemon *daemon)
{
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SETTINGS });
}

bool daemon_on_reload(void *user, Buf *lines)
{
    Daemon *daemon = user;
    const Config *config = daemon->config;
    service_manager_reloading(daemon->service_manager);
    bool ok = reload_config(daemon->config, daemon->config_path, daemon->context.log, lines);
    if (ok) {
        daemon->context.log->level = config->log.level;
        slots_resize(&daemon->slots, slot_limits_of(config));
        source_configure(daemon->context.source, config);
        begin_games(daemon);
    }
    service_manager_reloaded(daemon->service_manager);
    return ok;
}

void daemon_on_denied(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    log_warning(daemon->context.log, "account", "denied",
                FIELDS(F("status", answer->status), F("why", answer->reason)));
    signon_confirm(daemon->signon, SIGNON_DENIED);
}

void daemon_on_reached(void *user)
{
    event_stream_hurry(((Daemon *)user)->events);
}

void daemon_on_missed_start(void *user)
{
    game_set_missed_event(((Daemon *)user)->games);
}

void daemon_on_account_ready(void *user, const AccountCheck *check)
{
    Daemon *daemon = user;
    Error err = { 0 };
    CHECK(strlen(check->id) < sizeof daemon->context.our_id);
    memcpy(daemon->context.our_id, check->id, strlen(check->id) + 1);
    if (!http_set_user(daemon->http, text_of(check->name), &err))
        log_warning(daemon->context.log, "account", "user-agent", FIELDS(F("why", err.text)));
    archive_set_account(daemon->context.archive, check->id);
    if (daemon->recording)
        recording_account(daemon->recording, check->id, check->name);
    event_stream_open(daemon->events);
    game_set_reconcile(
        daemon->games); /* games go on where the stream may not be opened for minutes */
    begin_games(daemon);
}

/* The start is over, too: whoever waits for it would wait as long as the server is away. */
void daemon_on_account_unknown(void *user)
{
    service_manager_started(((Daemon *)user)->service_manager);
}

void daemon_on_account_refused(void *user)
{
    ending_stop(user, EXIT_REFUSED);
}

void daemon_on_events_open(void *user)
{
    Daemon *daemon = user;
    daemon->counters.streams_opened[STREAM_OF_EVENTS]++;
    game_set_reconcile(daemon->games);
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_STREAM_OPENED });
    game_set_reached(daemon->games);
    service_manager_update(daemon->service_manager);
}

void daemon_on_events_lost(void *user)
{
    Daemon *daemon = user;
    daemon->counters.streams_lost[STREAM_OF_EVENTS]++;
    service_manager_update(daemon->service_manager);
}

void daemon_on_events_skipped(void *user)
{
    game_set_missed_event(((Daemon *)user)->games);
}

/* Each is told once: a type that the server has added may come every few seconds. */
static bool is_new_type(Daemon *daemon, Text type)
{
    if (type.len >= NEW_TYPE_SIZE)
        type.len = NEW_TYPE_SIZE - 1;
    for (int i = 0; i < daemon->new_type_count; i++)
        if (text_is(type, daemon->new_types[i]))
            return false;
    return daemon->new_type_count < NEW_TYPES_MAX &&
           text_copy(daemon->new_types[daemon->new_type_count++], NEW_TYPE_SIZE, type);
}

void daemon_on_event(void *user, const Event *event)
{
    Daemon *daemon = user;
    PairInput input;
    bool was_known;
    if (daemon->is_stopping)
        return;
    switch (event->type) {
    case EVENT_GAME_START:
        was_known = slots_plays(&daemon->slots, event->game.id) || /* or by the process before us */
                    archive_recall(daemon->context.archive, FACT_VISIT, text_of(event->game.id));
        game_set_play(daemon->games, &event->game);
        input = (PairInput){ .kind = PAIR_ON_GAME_STARTED,
                             .game = { &event->game, !was_known && slots_plays(&daemon->slots,
                                                                               event->game.id) } };
        pairing_shell_take(daemon->pairing, &input);
        service_manager_update(daemon->service_manager);
        break;
    case EVENT_GAME_FINISH:
        game_set_finish(daemon->games, &event->game);
        input = (PairInput){ .kind = PAIR_ON_GAME_FINISHED, .game = { .info = &event->game } };
        pairing_shell_take(daemon->pairing, &input);
        break;
    case EVENT_CHALLENGE:
        input = (PairInput){ .kind = PAIR_ON_CHALLENGE, .event = event };
        pairing_shell_take(daemon->pairing, &input);
        break;
    case EVENT_CHALLENGE_CANCELED:
        input = (PairInput){ .kind = PAIR_ON_CANCELED, .challenge = &event->challenge };
        pairing_shell_take(daemon->pairing, &input);
        break;
    case EVENT_CHALLENGE_DECLINED:
        input = (PairInput){ .kind = PAIR_ON_DECLINED, .challenge = &event->challenge };
        pairing_shell_take(daemon->pairing, &input);
        break;
    case EVENT_UNKNOWN:
    case EVENT_GAME_FULL:
    case EVENT_GAME_STATE:
    case EVENT_CHAT_LINE:
    case EVENT_OPPONENT_GONE:
    case EVENT_TYPE_COUNT:
        if (is_new_type(daemon, event->type_name))
            log_info(daemon->context.log, "daemon", "unknown-event",
                     FIELDS(F("type", event->type_name)));
        break;
    }
}

void daemon_on_engine_failed(void *user, const char *engine, const char *why)
{
    Daemon *daemon = user;
    char text[ALERT_TEXT_SIZE];
    daemon->counters.engine_failures++;
    text_format_cut(text, sizeof text, "engine %s has failed: %s", engine, why);
    if (daemon->alerts)
        alerts_raise(daemon->alerts, ALERT_ENGINE, text);
}

void daemon_on_game_over(void *user, const char *game_id, const char *fault)
{
    Daemon *daemon = user;
    char text[CONFIG_TEXT_SIZE + ALERT_TEXT_SIZE];
    if (fault)
        text_format_cut(text, sizeof text, "lost %s/%s: %s", daemon->context.config->account.url,
                        game_id, fault);
    if (fault && daemon->alerts)
        alerts_raise(daemon->alerts, ALERT_GAME, text);
    if (daemon->is_stopping)
        return;
    serve_waiting(daemon);
    service_manager_update(daemon->service_manager);
}

void daemon_on_limited(void *user, ApiFamily family, int64_t until_ms)
{
    Daemon *daemon = user;
    int64_t wait = until_ms - clock_now_ms();
    daemon->counters.limited[family]++;
    log_warning(daemon->context.log, "daemon", "rate-limited",
                FIELDS(F("family", api_family_name(family)), F("retry_in_s", (wait / 1000))));
    archive_remember(daemon->context.archive, FACT_LIMIT, text_of(api_family_name(family)),
                     "blocked", clock_unix_ms() + wait);
}

void daemon_on_old_limit(void *user, const Fact *fact)
{
    Daemon *daemon = user;
    int64_t wait = fact->expires_ms - clock_unix_ms();
    for (int family = 0; family < FAMILY_COUNT; family++) {
        if (strcmp(fact_id(FACT_LIMIT, fact), api_family_name((ApiFamily)family)) != 0)
            continue;
        int64_t held = ratelimit_restore(&daemon->limit, (ApiFamily)family, wait, clock_now_ms());
        if (held < wait)
            log_warning(daemon->context.log, "clock", "was-wrong",
                        FIELDS(F("why", "a limit was remembered for longer than there is one"),
                               F("family", api_family_name((ApiFamily)family)),
                               F("wait_s", wait / 1000)));
        log_info(daemon->context.log, "daemon", "still-limited",
                 FIELDS(F("family", api_family_name((ApiFamily)family)),
                        F("retry_in_s", (held / 1000))));
    }
}

/* A step of the wall clock hurts no connection. A sleep does: nobody answered for us. */
void daemon_on_clock_jump(void *user, const ClockJump *jump)
{
    Daemon *daemon = user;
    if (daemon->is_stopping)
        return;
    if (jump->slept_ms != 0) {
        log_warning(daemon->context.log, "clock", "slept",
                    FIELDS(F("for_s", jump->slept_ms / 1000), F("next", "new connections")));
        http_distrust(daemon->http, "the machine slept");
    }
    if (jump->set_ms != 0) {
        log_warning(daemon->context.log, "clock", "jumped", FIELDS(F("by_s", jump->set_ms / 1000)));
        signon_confirm(daemon->signon,
                       SIGNON_CLOCK_SET); /* whose answer tells whether it is right now */
    }
}

/* What the archive's file knows, read after the parts were made: a disk may come late. */
void daemon_on_late_facts(void *user, const Facts *stored)
{
    Daemon *daemon = user;
    if (!daemon->has_parts || daemon->is_stopping)
        return; /* who asks is told */
    facts_each(stored, fact_prefix(FACT_LIMIT), clock_unix_ms(), daemon_on_old_limit, daemon);
    remote_lists_recall(daemon->lists);
    game_set_recall(daemon->games, stored);
    const PairInput late = { .kind = PAIR_ON_LATE_FACTS, .facts = stored };
    pairing_shell_take(daemon->pairing, &late);
}

bool daemon_on_wish(void *user, const GameRecord *record, const Wish *wish, Error *err)
{
    ChallengeRequest request;
    return challenge_request_wished(&request, record, wish, err) &&
           pairing_shell_fulfil(((Daemon *)user)->pairing, &request, record_opponent(record), err);
}
