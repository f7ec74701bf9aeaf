/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/daemon.h"

#include "bot/ops/timer.h"
#include "bot/ops/version.h"
#include "bot/archive/archive.h"
#include "bot/archive/pgn_files.h"
#include "bot/account/remote_lists.h"
#include "bot/daemon/engine_names_file.h"
#include "bot/policy/recent_games.h"
#include "bot/game/slots.h"
#include "bot/ops/clock_watch.h"
#include "bot/ops/counters.h"
#include "bot/source/source.h"
#include "bot/archive/state_dir.h"
#include "bot/account/event_stream.h"
#include "bot/account/online_check.h"
#include "bot/game/game_set.h"
#include "bot/admin/alerts.h"
#include "bot/admin/control_commands.h"
#include "bot/pairing/pairing_shell.h"
#include "bot/pairing/outgoing.h"
#include "bot/daemon/service_manager.h"
#include "bot/daemon/reload.h"
#include "bot/account/signon.h"
#include "bot/source/assemble.h"
#include "bot/source/transcript.h"
#include "bot/admin/status_page.h"
#include "bot/account/token_expiry.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum {
    DRAIN_LOOK_MS = 200,
    RELOAD_LEAST_MS = 1000,  /* from one signal's reload to the next one's */
    FACTS_AWAITED_MS = 2000, /* games wait for us, and what is read later still counts */
    NEW_TYPES_MAX = 16,
    NEW_TYPE_SIZE = 32,
};

typedef struct {
    uv_loop_t loop;
    uv_timer_t ending;   /* set when it is time to end */
    uv_timer_t draining; /* looks whether all games are over */
    uv_timer_t reloading;
    uv_timer_t playing;  /* until it is time to finish */
    int64_t finish_ms;   /* as in PlayTime */
    bool term_drains;    /* likewise, until the first one */
    int64_t reloaded_ms; /* by a signal, the latest time */
    int64_t drained_at_ms;
    uv_work_t first_work;
    uv_signal_t on_term, on_int, on_hup;
    Config *config;
    const char *config_path;
    const char *token; /* NULL once the parts have it */
    int record_file;   /* -1: none, or the recording's */
    uint64_t seed;
    Notify notify;
    Http *http;
    Recording *recording; /* NULL: none */
    Ratelimit limit;
    Slots slots;
    RecentGames recent_games;
    Counters counters;
    EngineNames *engine_names;
    RemoteLists *lists;
    BotContext context;

    Signon *signon;
    TokenExpiry *token_expiry;
    EventStream *events;
    OnlineCheck *online_check;
    GameSet *games;
    ServiceManager *service_manager;
    ControlCommands *op;
    StatusPage *page;
    PairingShell *pairing;
    Alerts *alerts;
    ClockWatch *clock_watch;

    char new_types[NEW_TYPES_MAX][NEW_TYPE_SIZE]; /* of events that we don't know, and have told */
    int new_type_count;
    int part_count; /* so many of `parts` have been made, or were tried */
    bool has_parts; /* all of them */
    bool is_stopping;
    ExitStatus status;
} Daemon;

/* The end. */

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void end_parts(Daemon *daemon);

/* Games are left as they are: the next start takes them up again. When all handles are closed,
 * the loop ends. */
static void wind_up(Daemon *daemon)
{
    end_parts(daemon);
    close_handle((uv_handle_t *)&daemon->ending);
    close_handle((uv_handle_t *)&daemon->draining);
    close_handle((uv_handle_t *)&daemon->reloading);
    close_handle((uv_handle_t *)&daemon->playing);
    close_handle((uv_handle_t *)&daemon->on_term);
    close_handle((uv_handle_t *)&daemon->on_int);
    close_handle((uv_handle_t *)&daemon->on_hup);
}

static void on_ending(uv_timer_t *timer)
{
    wind_up(timer->data);
}

/* Ends everything, but from the loop, not from inside whatever called this. */
static void stop(Daemon *daemon, ExitStatus status)
{
    if (daemon->is_stopping)
        return;
    daemon->is_stopping = true;
    daemon->status = status;
    uv_timer_start(&daemon->ending, on_ending, 0, 0);
}

static void on_signal(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    uv_signal_stop(&daemon->on_term);
    uv_signal_stop(&daemon->on_int); /* a second one ends us, whatever hangs */
    log_info(daemon->context.log, "daemon", "stopping",
             FIELDS(F("signal", number == SIGTERM ? "SIGTERM" : "SIGINT"),
                    F("games", daemon->has_parts ? game_set_count(daemon->games) : 0)));
    stop(daemon, EXIT_FINE);
}

static SlotLimits slots_of(const Config *config)
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

static void send_waiting_away(Daemon *daemon, const char *why)
{
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SEND_AWAY, .why = why });
}

/* Games may begin: our account is known, the configuration has changed, or what kept them from it.
 */
static void begin_games(Daemon *daemon)
{
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_SETTINGS });
}

static bool reload(void *user, Buf *told)
{
    Daemon *daemon = user;
    const Config *config = daemon->config;
    service_manager_reloading(daemon->service_manager);
    bool ok = reload_config(daemon->config, daemon->config_path, daemon->context.log, told);
    if (ok) {
        daemon->context.log->level = config->log.level;
        slots_resize(&daemon->slots, slots_of(config));
        source_configure(daemon->context.source, config);
        begin_games(daemon);
    }
    service_manager_reloaded(daemon->service_manager);
    return ok;
}

static void on_reload_due(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    daemon->reloaded_ms = clock_now_ms();
    if (daemon->has_parts && !daemon->is_stopping)
        (void)reload(daemon, NULL); /* the log has all of it */
}

/* Signals that follow each other closely are one: the last one's file is read. */
static void on_hangup(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    (void)number;
    if (!daemon->is_stopping)
        timer_set(&daemon->reloading, on_reload_due, daemon->reloaded_ms + RELOAD_LEAST_MS);
}

/* Correspondence games are not waited for: they go on after the next start. */
static void on_draining(uv_timer_t *timer)
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
    stop(daemon, EXIT_FINE);
}

static void on_drain(void *user, int64_t deadline_ms)
{
    Daemon *daemon = user;
    log_info(daemon->context.log, "daemon", "draining",
             FIELDS(F("games", game_set_count(daemon->games))));
    daemon->context.is_draining = true;
    daemon->drained_at_ms = deadline_ms;
    send_waiting_away(daemon, "draining");
    uv_timer_start(&daemon->draining, on_draining, DRAIN_LOOK_MS, DRAIN_LOOK_MS);
}

/* What sends it may end us later, whatever we do: games then stay resumable, as ever. */
static void on_terminate(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    if (!daemon->term_drains || !daemon->has_parts || daemon->is_stopping) {
        on_signal(handle, number);
        return;
    }
    daemon->term_drains = false; /* a second one ends us */
    if (!daemon->context.is_draining)
        on_drain(daemon, timer_after(daemon->finish_ms));
}

/* A drain by hand may have a deadline of its own. */
static void on_play_time_over(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    if (daemon->is_stopping || daemon->context.is_draining)
        return;
    log_info(daemon->context.log, "daemon", "time-over",
             FIELDS(F("games", game_set_count(daemon->games))));
    on_drain(daemon, timer_after(daemon->finish_ms));
}

static void limit_play_time(Daemon *daemon, PlayTime time)
{
    daemon->finish_ms = time.finish_ms;
    daemon->term_drains = time.term_drains;
    daemon->context.ends_ms = timer_after(time.play_ms);
}

/* Whoever takes a drain back wants games, also where our time is over. */
static bool on_resume(void *user, Error *err)
{
    Daemon *daemon = user;
    if (daemon->is_stopping || !daemon->context.is_draining) {
        error_set(err, ERR_NOT_NOW,
                  daemon->is_stopping ? "too late, castled is stopping" : "castled does not drain");
        return false;
    }
    log_info(daemon->context.log, "daemon", "resumed",
             FIELDS(F("games", game_set_count(daemon->games))));
    daemon->context.is_draining = false;
    if (clock_now_ms() >= daemon->context.ends_ms)
        daemon->context.ends_ms = INT64_MAX;
    uv_timer_stop(&daemon->draining);
    begin_games(daemon);
    return true;
}

/* The parts' callbacks. */

static void on_denied(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    log_warning(daemon->context.log, "account", "denied",
                FIELDS(F("status", answer->status), F("why", answer->reason)));
    signon_confirm(daemon->signon, SIGNON_DENIED);
}

static void on_reached(void *user)
{
    event_stream_hurry(((Daemon *)user)->events);
}

static void on_missed_start(void *user)
{
    game_set_missed_event(((Daemon *)user)->games);
}

static void on_account_ready(void *user, const AccountCheck *check)
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
static void on_account_unknown(void *user)
{
    service_manager_started(((Daemon *)user)->service_manager);
}

static void on_account_refused(void *user)
{
    stop(user, EXIT_REFUSED);
}

static void on_events_open(void *user)
{
    Daemon *daemon = user;
    daemon->counters.streams_opened[STREAM_OF_EVENTS]++;
    game_set_reconcile(daemon->games);
    pairing_shell_take(daemon->pairing, &(PairInput){ .kind = PAIR_ON_STREAM_OPENED });
    game_set_reached(daemon->games);
    service_manager_update(daemon->service_manager);
}

static void on_events_lost(void *user)
{
    Daemon *daemon = user;
    daemon->counters.streams_lost[STREAM_OF_EVENTS]++;
    service_manager_update(daemon->service_manager);
}

static void on_events_skipped(void *user)
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

static void on_event(void *user, const Event *event)
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

static void on_engine_failed(void *user, const char *engine, const char *why)
{
    Daemon *daemon = user;
    char text[ALERT_TEXT_SIZE];
    daemon->counters.engine_failures++;
    text_format_cut(text, sizeof text, "engine %s has failed: %s", engine, why);
    if (daemon->alerts)
        alerts_raise(daemon->alerts, ALERT_ENGINE, text);
}

static void on_game_over(void *user, const char *game_id, const char *fault)
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

/* The start. */

static bool watch_signals(Daemon *daemon, Error *err)
{
    int failure = uv_signal_start(&daemon->on_term, on_terminate, SIGTERM);
    if (failure == 0)
        failure = uv_signal_start(&daemon->on_int, on_signal, SIGINT);
    if (failure == 0)
        failure = uv_signal_start(&daemon->on_hup, on_hangup, SIGHUP);
    if (failure)
        error_set(err, ERR_IO, "signals: %s", uv_strerror(failure));
    return failure == 0;
}

static void init_handles(Daemon *daemon)
{
    timer_init(&daemon->loop, &daemon->ending, daemon);
    timer_init(&daemon->loop, &daemon->draining, daemon);
    timer_init(&daemon->loop, &daemon->reloading, daemon);
    timer_init(&daemon->loop, &daemon->playing, daemon);
    daemon->reloaded_ms = clock_now_ms() - RELOAD_LEAST_MS;
    uv_signal_init(&daemon->loop, &daemon->on_term);
    uv_signal_init(&daemon->loop, &daemon->on_int);
    uv_signal_init(&daemon->loop, &daemon->on_hup);
    daemon->on_term.data = daemon;
    daemon->on_int.data = daemon;
    daemon->on_hup.data = daemon;
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

/* Limits outlive the process as facts, in the world's time. */

static void on_limited(void *user, ApiFamily family, int64_t until_ms)
{
    Daemon *daemon = user;
    int64_t wait = until_ms - clock_now_ms();
    daemon->counters.limited[family]++;
    log_warning(daemon->context.log, "daemon", "rate-limited",
                FIELDS(F("family", api_family_name(family)), F("retry_in_s", (wait / 1000))));
    archive_remember(daemon->context.archive, FACT_LIMIT, text_of(api_family_name(family)),
                     "blocked", clock_unix_ms() + wait);
}

static void on_old_limit(void *user, const Fact *fact)
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
static void on_clock_jump(void *user, const ClockJump *jump)
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
static void on_late_facts(void *user, const Facts *stored)
{
    Daemon *daemon = user;
    if (!daemon->has_parts || daemon->is_stopping)
        return; /* who asks is told */
    facts_each(stored, fact_prefix(FACT_LIMIT), clock_unix_ms(), on_old_limit, daemon);
    remote_lists_recall(daemon->lists);
    game_set_recall(daemon->games, stored);
    const PairInput late = { .kind = PAIR_ON_LATE_FACTS, .facts = stored };
    pairing_shell_take(daemon->pairing, &late);
}

/* Without a place for it there is no archive, and games all the same. */
static bool make_archive(Daemon *daemon, Error *err)
{
    const char *file = daemon->context.config->archive.file;
    char path[PATH_MAX];
    Error why = { 0 };
    bool is_wanted = strcmp(file, "off") != 0;
    bool has_place = is_wanted && state_dir_path(path, sizeof path, file, &why);
    if (is_wanted && !has_place)
        log_error(daemon->context.log, "archive", "off", FIELDS(F("why", why.text)));
    if (!archive_new(&daemon->context.archive, &daemon->loop, has_place ? path : NULL,
                     daemon->context.log, err))
        return false;
    archive_on_facts(daemon->context.archive, on_late_facts, daemon);
    archive_await_facts(daemon->context.archive, FACTS_AWAITED_MS, &daemon->is_stopping);
    if (daemon->is_stopping)
        return false; /* a signal came, and all is closed already */
    archive_each_fact(daemon->context.archive, FACT_LIMIT, on_old_limit, daemon);
    const char *server = daemon->context.config->archive.database;
    return !has_place || server[0] == '\0' || archive_forward(daemon->context.archive, server, err);
}

static void end_archive(Daemon *daemon)
{
    archive_close(daemon->context.archive);
}

/* Without a place for them there are no files, and games all the same. */
static bool make_pgn_files(Daemon *daemon, Error *err)
{
    const Config *config = daemon->context.config;
    Error why = { 0 };
    (void)err;
    if (config->archive.pgn[0] != '\0' &&
        !pgn_files_new(&daemon->context.pgn_files, &daemon->loop, config->archive.pgn,
                       config->account.url, daemon->context.log, &why))
        log_error(daemon->context.log, "archive", "pgn-off", FIELDS(F("why", why.text)));
    return true;
}

static void end_pgn_files(Daemon *daemon)
{
    pgn_files_close(daemon->context.pgn_files);
}

static bool make_recording(Daemon *daemon, Error *err)
{
    return daemon->record_file < 0 ||
           recording_new(&daemon->recording, &daemon->loop, daemon->record_file,
                         RECORDING_BYTES_MAX, daemon->context.log, err);
}

static void end_recording(Daemon *daemon)
{
    recording_close(daemon->recording);
}

/* Beside the archive's file, wherever that is; "": there is no place for them. */
static void find_transcripts(const Daemon *daemon, char out[PATH_MAX])
{
    const char *file = daemon->context.config->archive.file;
    char path[PATH_MAX];
    Error err = { 0 };
    bool is_off = strcmp(file, "off") == 0;
    if (daemon->context.config->external_count > 0 &&
        state_dir_path(path, sizeof path, is_off ? TRANSCRIPT_FOLDER : file, &err) &&
        state_dir_beside(out, PATH_MAX, path, TRANSCRIPT_FOLDER "/") && state_dir_make(out, &err)) {
        out[strlen(out) - 1] = '\0';
        return;
    }
    out[0] = '\0';
    if (err.text[0] != '\0')
        log_warning(daemon->context.log, "engine", "no-transcript",
                    FIELDS(F("file", TRANSCRIPT_FOLDER), F("why", err.text)));
}

static bool make_http(Daemon *daemon, Error *err)
{
    const HttpOptions options = {
        .origin = daemon->config->account.url,
        .ca_file = daemon->config->account.ca_file,
        .token = daemon->token,
        .header = dialect_header(daemon->config->account.server),
    };
    return http_new(&daemon->http, &daemon->loop, &options, err);
}

static void end_http(Daemon *daemon)
{
    if (daemon->http)
        http_close(daemon->http, NULL, NULL);
}

static bool make_api(Daemon *daemon, Error *err)
{
    const ApiPace pace = {
        .loop = &daemon->loop,
        .limit = &daemon->limit,
        .on_limited = on_limited,
        .user = daemon,
    };
    if (!api_new(&daemon->context.api, daemon->http, daemon->config->account.url, err) ||
        !api_speak(daemon->context.api, daemon->config->account.server, err) ||
        !api_pace(daemon->context.api, &pace, err))
        return false;
    if (daemon->recording)
        api_record(daemon->context.api, daemon->recording);
    return true;
}

static void end_api(Daemon *daemon)
{
    api_free(daemon->context.api);
}

static bool make_source(Daemon *daemon, Error *err)
{
    char transcripts[PATH_MAX];
    find_transcripts(daemon, transcripts);
    const SourceAssembly sources = {
        .config = daemon->config,
        .config_file = daemon->config_path,
        .token = daemon->token,
        .limit = &daemon->limit,
        .book_stats = archive_book_stats(daemon->context.archive),
        .transcripts = transcripts,
        .log = daemon->context.log,
        .on_engine_failed = on_engine_failed,
        .user = daemon,
    };
    return source_assemble(&daemon->context.source, &daemon->loop, &sources, err);
}

static void end_source(Daemon *daemon)
{
    if (daemon->context.source)
        source_close(daemon->context.source, NULL, NULL);
}

/* A file that is wrong or away keeps nobody offline. */
static bool make_engine_names(Daemon *daemon, Error *err)
{
    Error why = { 0 };
    EngineNames *names = alloc_zeroed(sizeof *names, "engines' names", err);
    daemon->engine_names = names;
    daemon->context.engine_names = names;
    if (names && !engine_names_load(names, daemon->config->engine_names, &why)) {
        log_warning(daemon->context.log, "chat", "engine-names-unread", FIELDS(F("why", why.text)));
        return engine_names_load(names, "", err);
    }
    return names;
}

static void end_engine_names(Daemon *daemon)
{
    free(daemon->engine_names);
}

static bool make_lists(Daemon *daemon, Error *err)
{
    bool ok = remote_lists_new(&daemon->lists, &daemon->context, err);
    daemon->context.lists = daemon->lists;
    return ok;
}

static void end_lists(Daemon *daemon)
{
    remote_lists_close(daemon->lists);
}

static bool on_wish(void *user, const GameRecord *record, const Wish *wish, Error *err)
{
    ChallengeRequest request;
    return challenge_request_wished(&request, record, wish, err) &&
           pairing_shell_fulfil(((Daemon *)user)->pairing, &request, record_opponent(record), err);
}

static bool make_games(Daemon *daemon, Error *err)
{
    return game_set_new(&daemon->games, &daemon->context, random_next(&daemon->seed), on_game_over,
                        on_wish, daemon, err);
}

static void end_games(Daemon *daemon)
{
    game_set_close(daemon->games);
}

static bool make_events(Daemon *daemon, Error *err)
{
    const EventStreamCallbacks callbacks = {
        .on_open = on_events_open,
        .on_lost = on_events_lost,
        .on_event = on_event,
        .on_skipped = on_events_skipped,
        .user = daemon,
    };
    return event_stream_new(&daemon->events, &daemon->context, random_next(&daemon->seed),
                            &callbacks, err);
}

static void end_events(Daemon *daemon)
{
    event_stream_close(daemon->events);
}

static bool make_online_check(Daemon *daemon, Error *err)
{
    return !dialect_has_lists(daemon->config->account.server) ||
           online_check_new(&daemon->online_check, &daemon->context, daemon->events, err);
}

static void end_online_check(Daemon *daemon)
{
    online_check_close(daemon->online_check);
}

static bool make_token_expiry(Daemon *daemon, Error *err)
{
    return token_expiry_new(&daemon->token_expiry, &daemon->context, err);
}

static void end_token_expiry(Daemon *daemon)
{
    token_expiry_close(daemon->token_expiry);
}

static bool make_signon(Daemon *daemon, Error *err)
{
    const SignonCallbacks callbacks = {
        .on_ready = on_account_ready,
        .on_waiting = on_account_unknown,
        .on_refused = on_account_refused,
        .user = daemon,
    };
    return signon_new(&daemon->signon, &daemon->context, random_next(&daemon->seed), &callbacks,
                      err);
}

static void end_signon(Daemon *daemon)
{
    signon_close(daemon->signon);
}

static bool make_service_manager(Daemon *daemon, Error *err)
{
    return service_manager_new(&daemon->service_manager, &daemon->context, &daemon->notify,
                               daemon->events, daemon->games, err);
}

static void end_service_manager(Daemon *daemon)
{
    service_manager_close(daemon->service_manager);
}

static bool make_pairing(Daemon *daemon, Error *err)
{
    return pairing_shell_new(&daemon->pairing, &daemon->context, daemon->events,
                             random_next(&daemon->seed), err);
}

static void end_pairing(Daemon *daemon)
{
    pairing_shell_close(daemon->pairing);
}

static bool make_alerts(Daemon *daemon, Error *err)
{
    const AlertsView view = {
        .context = &daemon->context,
        .events = daemon->events,
        .token = daemon->token_expiry,
        .config_file = daemon->config_path,
    };
    return alerts_new(&daemon->alerts, &view, err);
}

static void end_alerts(Daemon *daemon)
{
    alerts_close(daemon->alerts);
    daemon->alerts = NULL; /* an engine may still fail */
}

static bool make_operators_doors(Daemon *daemon, Error *err)
{
    const ControlCommandsOptions options = {
        .view = { .context = &daemon->context,
                  .events = daemon->events,
                  .games = daemon->games,
                  .pairing = pairing_shell_view(daemon->pairing),
                  .token = daemon->token_expiry,
                  .started_ms = clock_now_ms() },
        .games = daemon->games,
        .pairing = daemon->pairing,
        .on_drain = on_drain,
        .on_resume = on_resume,
        .on_reload = reload,
        .config_path = daemon->config_path,
        .user = daemon,
    };
    return control_commands_new(&daemon->op, &options, err) &&
           status_page_new(&daemon->page, &options.view, err);
}

static void end_operators_doors(Daemon *daemon)
{
    control_commands_close(daemon->op);
    status_page_close(daemon->page);
}

static bool make_clock_watch(Daemon *daemon, Error *err)
{
    return clock_watch_new(&daemon->clock_watch, &daemon->loop, on_clock_jump, daemon, err);
}

static void end_clock_watch(Daemon *daemon)
{
    clock_watch_close(daemon->clock_watch);
}

/* Each stands below what it uses: made from the first to the last, ended from the last to the
 * first. `end` also takes what could not be made. */
static const struct {
    bool (*make)(Daemon *daemon, Error *err);
    void (*end)(Daemon *daemon);
} parts[] = {
    { make_recording, end_recording },
    { make_http, end_http },
    { make_api, end_api },
    { make_pgn_files, end_pgn_files },
    { make_archive, end_archive },
    { make_source, end_source },
    { make_engine_names, end_engine_names },
    { make_lists, end_lists },
    { make_games, end_games },
    { make_events, end_events },
    { make_online_check, end_online_check },
    { make_token_expiry, end_token_expiry },
    { make_signon, end_signon },
    { make_service_manager, end_service_manager },
    { make_pairing, end_pairing },
    { make_alerts, end_alerts },
    { make_operators_doors, end_operators_doors },
    { make_clock_watch, end_clock_watch },
};

enum { PARTS = sizeof parts / sizeof *parts };

/* A signal that comes meanwhile ends what has been made so far, and no more is made. */
static bool make_parts(Daemon *daemon, Error *err)
{
    bool ok = true;
    while (ok && !daemon->is_stopping && daemon->part_count < PARTS)
        ok = parts[daemon->part_count++].make(daemon, err);
    return ok && !daemon->is_stopping;
}

static void end_parts(Daemon *daemon)
{
    while (daemon->part_count > 0)
        parts[--daemon->part_count].end(daemon);
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
    init_handles(daemon);
    notify_init(&daemon->notify);
    daemon->config = config;
    daemon->config_path = path;
    ratelimit_init(&daemon->limit);
    slots_init(&daemon->slots, slots_of(config));
    recent_games_init(&daemon->recent_games);
    daemon->context = (BotContext){
        .loop = &daemon->loop,
        .config = config,
        .log = log,
        .limit = &daemon->limit,
        .slots = &daemon->slots,
        .recent_games = &daemon->recent_games,
        .counters = &daemon->counters,
        .on_denied = on_denied,
        .on_reached = on_reached,
        .on_missed_start = on_missed_start,
        .user = daemon,
    };
    daemon->token = token->text;
    daemon->record_file = record_file;
    daemon->seed = (uint64_t)clock_now_us();
    limit_play_time(daemon, time);
    bool ok = watch_signals(daemon, &err) && make_parts(daemon, &err);
    log_info(log, "daemon", "start",
             FIELDS(F("version", version_text()), F("token_from", token->source)));
    token_erase(token);
    daemon->token = NULL;
    daemon->has_parts = ok;
    if (ok)
        timer_set(&daemon->playing, on_play_time_over, daemon->context.ends_ms);
    if (!ok && !daemon->is_stopping) {
        log_error(log, "daemon", "no-start", FIELDS(F("why", err.text)));
        daemon->status = EXIT_FAULT;
        wind_up(daemon);
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
