/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon/parts.h"

#include "bot/archive/archive.h"
#include "bot/archive/pgn_files.h"
#include "bot/archive/state_dir.h"
#include "bot/daemon/ending.h"
#include "bot/daemon/engine_names_file.h"
#include "bot/daemon/callbacks.h"
#include "bot/source/assemble.h"
#include "bot/source/transcript.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/random.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { FACTS_AWAITED_MS = 2000 }; /* games wait for us, and what is read later still counts */

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
    archive_on_facts(daemon->context.archive, daemon_on_late_facts, daemon);
    archive_await_facts(daemon->context.archive, FACTS_AWAITED_MS, &daemon->is_stopping);
    if (daemon->is_stopping)
        return false; /* a signal came, and all is closed already */
    archive_each_fact(daemon->context.archive, FACT_LIMIT, daemon_on_old_limit, daemon);
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
    const ApiQueue queue = {
        .loop = &daemon->loop,
        .limit = &daemon->limit,
        .on_limited = daemon_on_limited,
        .user = daemon,
    };
    if (!api_new(&daemon->context.api, daemon->http, daemon->config->account.url, err) ||
        !api_speak(daemon->context.api, daemon->config->account.server, err) ||
        !api_queue(daemon->context.api, &queue, err))
        return false;
    if (daemon->recording)
        api_record(daemon->context.api, daemon->recording);
    return true;
}

static void end_api(Daemon *daemon)
{
    api_free(daemon->context.api);
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
        .on_engine_failed = daemon_on_engine_failed,
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

static bool make_games(Daemon *daemon, Error *err)
{
    return game_set_new(&daemon->games, &daemon->context, random_next(&daemon->seed),
                        daemon_on_game_over, daemon_on_wish, daemon, err);
}

static void end_games(Daemon *daemon)
{
    game_set_close(daemon->games);
}

static bool make_events(Daemon *daemon, Error *err)
{
    const EventStreamCallbacks callbacks = {
        .on_open = daemon_on_events_open,
        .on_lost = daemon_on_events_lost,
        .on_event = daemon_on_event,
        .on_skipped = daemon_on_events_skipped,
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
        .on_ready = daemon_on_account_ready,
        .on_waiting = daemon_on_account_unknown,
        .on_refused = daemon_on_account_refused,
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
        .on_drain = ending_drain,
        .on_resume = ending_resume,
        .on_reload = daemon_on_reload,
        .config_path = daemon->config_path,
        .user = daemon,
    };
    return control_commands_new(&daemon->control, &options, err) &&
           status_page_new(&daemon->page, &options.view, err);
}

static void end_operators_doors(Daemon *daemon)
{
    control_commands_close(daemon->control);
    status_page_close(daemon->page);
}

static bool make_clock_watch(Daemon *daemon, Error *err)
{
    return clock_watch_new(&daemon->clock_watch, &daemon->loop, daemon_on_clock_jump, daemon, err);
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

bool parts_make(Daemon *daemon, Error *err)
{
    bool ok = true;
    while (ok && !daemon->is_stopping && daemon->part_count < PARTS)
        ok = parts[daemon->part_count++].make(daemon, err);
    return ok && !daemon->is_stopping;
}

void parts_end(Daemon *daemon)
{
    while (daemon->part_count > 0)
        parts[--daemon->part_count].end(daemon);
}
