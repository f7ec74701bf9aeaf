/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/daemon.h"

#include "bot/game/game_log.h"
#include "bot/game/ledger.h"
#include "bot/game/session.h"
#include "bot/lichess/account.h"
#include "bot/policy/accept.h"
#include "bot/source/own_engine.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ACCEPT_TRIES_MAX = 3,
    ACCEPT_RETRY_MS = 1000,
    PLAYING_RETRY_MS = 10000,
    PLAYING_LIST_MAX = 50, /* games that account/playing tells at most */
    SHORT_LIVES_TELL = 3,
};

/* The first question to the server: who are we? Asked until it is answered. */
static const BackoffPolicy account_policy = { .first_ms = 1000, .most_ms = 60000 };

typedef struct Daemon Daemon;

/* A challenge that is being accepted. */
typedef struct {
    Daemon *daemon;
    char id[GAME_ID_SIZE]; /* "": free */
    ApiCall *call;
    int tries;
    int64_t due_ms; /* of the next try; INT64_MAX: none */
} Acceptance;

/* More than can be accepted at once: an answer may outlast the challenge's slot. */
enum { ACCEPTANCES_MAX = 256 };

struct Daemon {
    const Config *config;
    Log *log;
    uv_loop_t loop;
    uv_timer_t timer;
    uv_signal_t on_term, on_int;
    Http *http;
    Api *api;
    Source *source;
    Ratelimit limit;
    SessionContext context;

    Backoff account_backoff;
    ApiCall *account_call;
    int64_t account_due_ms; /* INT64_MAX: not to be asked */

    Backoff event_backoff;
    ApiCall *events;
    int64_t events_due_ms; /* INT64_MAX: open, or not yet */
    bool events_were_lost;

    ApiCall *playing_call;
    int64_t playing_due_ms;

    Ledger ledger;
    Acceptance acceptances[ACCEPTANCES_MAX];
    Session *sessions[LEDGER_GAMES_MAX];
    int session_count;
    uint64_t seed;

    bool is_stopping; /* wanted */
    bool is_stopped;  /* everything is on its way out */
    ExitStatus status;
};

static void arm_timer(Daemon *daemon);

static uint64_t next_seed(Daemon *daemon)
{
    daemon->seed = daemon->seed * 6364136223846793005U + 1442695040888963407U;
    return daemon->seed;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Ends everything, but from the loop, not from inside whatever called this. */
static void stop(Daemon *daemon, ExitStatus status)
{
    if (daemon->is_stopping)
        return;
    daemon->is_stopping = true;
    daemon->status = status;
    arm_timer(daemon);
}

/* For a refusal of the token or account: only the operator can help. */
static void stop_denied(Daemon *daemon, const ApiAnswer *answer)
{
    AccountCheck check;
    if (daemon->is_stopping)
        return; /* one refusal has been told already */
    account_judge(&check, answer, daemon->config->account.url);
    log_error(daemon->log, "account", "refused status=%d why=%s advice=%s", answer->status,
              answer->reason, check.advice);
    stop(daemon, EXIT_REFUSED);
}

static bool is_denied(const ApiAnswer *answer)
{
    return answer->outcome == API_UNAUTHORIZED || answer->outcome == API_FORBIDDEN;
}

/* Games. */

static Session *find_session(const Daemon *daemon, const char *id)
{
    for (int i = 0; i < daemon->session_count; i++) {
        if (strcmp(session_game(daemon->sessions[i])->id, id) == 0)
            return daemon->sessions[i];
    }
    return NULL;
}

static void play(Daemon *daemon, const GameInfo *info)
{
    Error err = { 0 };
    Session *session;
    if (!info->playable) {
        log_info(daemon->log, "daemon", "not-for-bots id=%s variant=%.*s", info->id,
                 TEXT_ARGS(info->variant_text));
        return;
    }
    switch (ledger_game_started(&daemon->ledger, info->id)) {
    case LEDGER_KNOWN:
    case LEDGER_FINISHED:
        return;
    case LEDGER_FULL:
        log_error(daemon->log, "daemon", "too-many-games id=%s", info->id);
        return;
    case LEDGER_NEW:
        break;
    }
    if (!session_new(&session, &daemon->context, info->id, next_seed(daemon), &err)) {
        log_error(daemon->log, "daemon", "cannot-play id=%s why=%s", info->id, err.text);
        ledger_game_dropped(&daemon->ledger, info->id);
        daemon->playing_due_ms = clock_now_ms() + PLAYING_RETRY_MS;
        return;
    }
    daemon->sessions[daemon->session_count++] = session;
}

static void accept_waiting(Daemon *daemon);

static void on_game_over(void *user, Session *session)
{
    Daemon *daemon = user;
    ledger_game_over(&daemon->ledger, session_game(session)->id);
    for (int i = 0; i < daemon->session_count; i++) {
        if (daemon->sessions[i] != session)
            continue;
        daemon->sessions[i] = daemon->sessions[--daemon->session_count];
        break;
    }
    session_close(session);
    accept_waiting(daemon);
    arm_timer(daemon);
}

static void on_denied(void *user, const ApiAnswer *answer)
{
    stop_denied(user, answer);
}

/* Challenges. */

static void on_accept_answer(void *user, const ApiAnswer *answer)
{
    Acceptance *acceptance = user;
    Daemon *daemon = acceptance->daemon;
    acceptance->call = NULL;
    ratelimit_note_answer(&daemon->limit, answer);
    switch (answer->outcome) {
    case API_OK:
        acceptance->id[0] = '\0'; /* the game's start, or the lease's end, is the next we hear */
        break;
    case API_REFUSED:
    case API_LIMITED:
        log_info(daemon->log, "challenge", "not-accepted id=%s status=%d why=%s", acceptance->id,
                 answer->status, answer->reason);
        ledger_forget(&daemon->ledger, acceptance->id);
        acceptance->id[0] = '\0';
        accept_waiting(daemon);
        break;
    case API_UNAUTHORIZED:
    case API_FORBIDDEN:
        stop_denied(daemon, answer);
        break;
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        log_warning(daemon->log, "challenge", "accept-lost id=%s try=%d why=%s", acceptance->id,
                    acceptance->tries, answer->reason);
        if (acceptance->tries < ACCEPT_TRIES_MAX)
            acceptance->due_ms = clock_now_ms() + ACCEPT_RETRY_MS;
        else
            acceptance->id[0] = '\0';
        break;
    }
    arm_timer(daemon);
}

static void send_acceptance(Daemon *daemon, Acceptance *acceptance)
{
    Error err = { 0 };
    acceptance->due_ms = INT64_MAX;
    acceptance->tries++;
    acceptance->call = api_accept(daemon->api, acceptance->id, on_accept_answer, acceptance, &err);
    if (acceptance->call)
        return;
    log_error(daemon->log, "challenge", "not-accepted id=%s why=%s", acceptance->id, err.text);
    ledger_forget(&daemon->ledger, acceptance->id);
    acceptance->id[0] = '\0';
}

static void accept_challenge(Daemon *daemon, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &daemon->acceptances[i];
        if (acceptance->id[0] != '\0')
            continue;
        *acceptance = (Acceptance){ .daemon = daemon };
        memcpy(acceptance->id, id, strlen(id) + 1);
        send_acceptance(daemon, acceptance);
        return;
    }
    log_error(daemon->log, "challenge", "not-accepted id=%s why=%s", id, "too many at once");
    ledger_forget(&daemon->ledger, id);
}

/* A challenge that is no more is not accepted any more. */
static void drop_acceptance(Daemon *daemon, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &daemon->acceptances[i];
        if (strcmp(acceptance->id, id) != 0)
            continue;
        if (acceptance->call)
            api_cancel(acceptance->call);
        acceptance->call = NULL;
        acceptance->id[0] = '\0';
    }
}

static void accept_waiting(Daemon *daemon)
{
    char id[GAME_ID_SIZE];
    int64_t now = clock_now_ms();
    if (daemon->is_stopping || ratelimit_wait_ms(&daemon->limit, FAMILY_CHALLENGE, now) > 0)
        return;
    while (ledger_next(&daemon->ledger, id, now)) {
        log_info(daemon->log, "challenge", "accepted id=%s after=%s", id, "waiting");
        accept_challenge(daemon, id);
    }
}

/* Nobody waits for this answer; what it says of our limits is all that counts. */
static void on_decline_answer(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    ratelimit_note_answer(&daemon->limit, answer);
    if (answer->outcome != API_OK)
        log_debug(daemon->log, "challenge", "decline-answer outcome=%s why=%s",
                  api_outcome_name(answer->outcome), answer->reason);
}

static void log_challenge(Daemon *daemon, const char *event, const Challenge *challenge,
                          const char *why)
{
    char from[PLAYER_NAME_SIZE], clock[48];
    player_name_write(&challenge->challenger, from);
    int len = challenge->time.kind == TIME_CLOCK
                  ? snprintf(clock, sizeof clock, "%" PRId64 "+%" PRId64, challenge->time.base_s,
                             challenge->time.increment_s)
                  : snprintf(clock, sizeof clock, "none");
    (void)len;
    log_info(daemon->log, "challenge",
             "%s id=%s from=%s rating=%d variant=%.*s speed=%.*s clock=%s rated=%s why=%s", event,
             challenge->id, from, challenge->challenger.rating, TEXT_ARGS(challenge->variant_text),
             TEXT_ARGS(challenge->speed_text), clock, challenge->rated ? "yes" : "no", why);
}

static void decline(Daemon *daemon, const Challenge *challenge, DeclineReason reason,
                    const char *why)
{
    Error err = { 0 };
    log_challenge(daemon, "declined", challenge, why);
    if (ratelimit_wait_ms(&daemon->limit, FAMILY_CHALLENGE, clock_now_ms()) > 0)
        return; /* it will go by itself */
    if (!api_decline(daemon->api, challenge->id, reason, on_decline_answer, daemon, &err))
        log_error(daemon->log, "challenge", "decline id=%s why=%s", challenge->id, err.text);
}

static void consider(Daemon *daemon, const Challenge *challenge)
{
    Verdict verdict = accept_judge(challenge, daemon->config, daemon->context.our_id);
    switch (verdict.kind) {
    case VERDICT_IGNORE:
        log_debug(daemon->log, "challenge", "ignored id=%s why=%s", challenge->id, verdict.why);
        return;
    case VERDICT_DECLINE:
        decline(daemon, challenge, verdict.reason, verdict.why);
        return;
    case VERDICT_ACCEPT:
        break;
    }
    int64_t now = clock_now_ms();
    LedgerTerms terms = {
        .is_realtime = challenge->time.kind == TIME_CLOCK,
        .must_wait = ratelimit_wait_ms(&daemon->limit, FAMILY_CHALLENGE, now) > 0,
    };
    switch (ledger_offer(&daemon->ledger, challenge->id, &terms, now)) {
    case LEDGER_TAKEN:
        log_challenge(daemon, "accepted", challenge, "as configured");
        accept_challenge(daemon, challenge->id);
        break;
    case LEDGER_WAITS:
        log_challenge(daemon, "waits", challenge,
                      terms.must_wait ? "rate limit" : "all slots taken");
        break;
    case LEDGER_DUPLICATE:
        break;
    case LEDGER_NO_ROOM:
        decline(daemon, challenge, DECLINE_LATER, "queue is full");
        break;
    }
}

static void challenge_gone(Daemon *daemon, const Challenge *challenge)
{
    if (ledger_forget(&daemon->ledger, challenge->id))
        log_info(daemon->log, "challenge", "canceled id=%s", challenge->id);
    drop_acceptance(daemon, challenge->id);
    accept_waiting(daemon);
}

/* What became of promises that nobody kept. */
static void expire(Daemon *daemon, int64_t now_ms)
{
    char id[GAME_ID_SIZE];
    while (ledger_expire(&daemon->ledger, id, now_ms)) {
        log_info(daemon->log, "challenge", "expired id=%s", id);
        drop_acceptance(daemon, id);
    }
    accept_waiting(daemon);
}

/* The account's list of games: what the event stream may have dropped. */

static void on_playing(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    Playing playing;
    Error err = { 0 };
    daemon->playing_call = NULL;
    ratelimit_note_answer(&daemon->limit, answer);
    if (is_denied(answer)) {
        stop_denied(daemon, answer);
        return;
    }
    if (answer->outcome != API_OK ||
        !playing_parse(&playing, answer->body.at, answer->body.len, &err)) {
        const char *why = answer->outcome == API_OK ? err.text : answer->reason;
        log_warning(daemon->log, "daemon", "games-unknown why=%s", why);
        int64_t now = clock_now_ms();
        int64_t limited = ratelimit_wait_ms(&daemon->limit, FAMILY_REST, now);
        daemon->playing_due_ms = now + later(limited, PLAYING_RETRY_MS);
        arm_timer(daemon);
        return;
    }
    for (size_t i = 0; i < playing.count; i++)
        play(daemon, &playing.games[i]);
    for (int i = 0; i < daemon->session_count && playing.count < PLAYING_LIST_MAX; i++) {
        bool is_listed = false;
        for (size_t j = 0; j < playing.count && !is_listed; j++)
            is_listed = strcmp(session_game(daemon->sessions[i])->id, playing.games[j].id) == 0;
        if (!is_listed)
            session_doubt(daemon->sessions[i]);
    }
    playing_release(&playing);
    arm_timer(daemon);
}

static void ask_playing(Daemon *daemon)
{
    Error err = { 0 };
    daemon->playing_due_ms = INT64_MAX;
    if (daemon->playing_call)
        return;
    daemon->playing_call = api_playing(daemon->api, on_playing, daemon, &err);
    if (!daemon->playing_call) {
        log_error(daemon->log, "daemon", "games-unknown why=%s", err.text);
        daemon->playing_due_ms = clock_now_ms() + PLAYING_RETRY_MS;
    }
}

/* The event stream. */

static void on_events_open(void *user)
{
    Daemon *daemon = user;
    backoff_opened(&daemon->event_backoff, clock_now_ms());
    log_info(daemon->log, "daemon", "%s account=%s",
             daemon->events_were_lost ? "online-again" : "online", daemon->context.our_id);
    daemon->events_were_lost = false;
    ask_playing(daemon);
    arm_timer(daemon);
}

static void on_event(void *user, const Event *event)
{
    Daemon *daemon = user;
    Session *session;
    if (daemon->is_stopping)
        return;
    switch (event->type) {
    case EVENT_GAME_START:
        play(daemon, &event->game);
        break;
    case EVENT_GAME_FINISH:
        session = find_session(daemon, event->game.id);
        if (session)
            session_finished(session, event->game.status, event->game.winner);
        break;
    case EVENT_CHALLENGE:
        consider(daemon, &event->challenge);
        break;
    case EVENT_CHALLENGE_CANCELED:
        challenge_gone(daemon, &event->challenge);
        break;
    case EVENT_CHALLENGE_DECLINED:
        log_debug(daemon->log, "challenge", "declined-event id=%s", event->challenge.id);
        break;
    case EVENT_UNKNOWN:
    case EVENT_GAME_FULL:
    case EVENT_GAME_STATE:
    case EVENT_CHAT_LINE:
    case EVENT_OPPONENT_GONE:
    case EVENT_TYPE_COUNT:
        log_info(daemon->log, "daemon", "unknown-event type=%.*s", TEXT_ARGS(event->type_name));
        break;
    }
    arm_timer(daemon);
}

static void on_events_skipped(void *user, Text start, size_t line_len, const Error *err)
{
    Daemon *daemon = user;
    log_warning(daemon->log, "daemon", "unreadable bytes=%zu why=%s start=%.*s", line_len,
                err->text, TEXT_ARGS(start));
    ask_playing(daemon); /* it may have been a game's start */
}

static void on_events_end(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    int64_t now = clock_now_ms();
    daemon->events = NULL;
    ratelimit_note_answer(&daemon->limit, answer);
    if (is_denied(answer)) {
        stop_denied(daemon, answer);
        return;
    }
    int64_t wait = backoff_ended_ms(&daemon->event_backoff, now);
    wait = later(wait, ratelimit_wait_ms(&daemon->limit, FAMILY_EVENT_STREAM, now));
    daemon->events_due_ms = now + wait;
    daemon->events_were_lost = true;
    log_warning(daemon->log, "daemon", "offline end=%s status=%d why=%s retry_ms=%lld",
                api_outcome_name(answer->outcome), answer->status, answer->reason, (long long)wait);
    if (answer->outcome == API_OK && daemon->event_backoff.short_lives == SHORT_LIVES_TELL)
        log_error(daemon->log, "daemon", "second-client advice=%s",
                  "Lichess closes our event stream again and again: most likely another program "
                  "uses the same token; stop it, or give each its own");
    arm_timer(daemon);
}

static void open_events(Daemon *daemon)
{
    static const ApiStreamCallbacks callbacks = {
        .on_open = on_events_open,
        .on_event = on_event,
        .on_skipped = on_events_skipped,
        .on_end = on_events_end,
    };
    ApiStreamCallbacks ours = callbacks;
    Error err = { 0 };
    int64_t now = clock_now_ms();
    ours.user = daemon;
    daemon->events_due_ms = INT64_MAX;
    backoff_attempt(&daemon->event_backoff, now);
    daemon->events = api_stream_events(daemon->api, &ours, &err);
    if (!daemon->events) {
        log_error(daemon->log, "daemon", "offline why=%s", err.text);
        daemon->events_due_ms = now + later(backoff_ended_ms(&daemon->event_backoff, now), 1000);
    }
}

/* The account. */

static void on_account_ready(Daemon *daemon, const AccountCheck *check)
{
    Error err = { 0 };
    assert(strlen(check->id) < sizeof daemon->context.our_id);
    memcpy(daemon->context.our_id, check->id, strlen(check->id) + 1);
    if (!http_set_user(daemon->http, text_of(check->name), &err))
        log_warning(daemon->log, "account", "user-agent why=%s", err.text);
    log_info(daemon->log, "account", "ready name=%s url=%s", check->name,
             daemon->config->account.url);
    open_events(daemon);
}

static void on_account(void *user, const ApiAnswer *answer)
{
    Daemon *daemon = user;
    AccountCheck check;
    int64_t now = clock_now_ms();
    daemon->account_call = NULL;
    ratelimit_note_answer(&daemon->limit, answer);
    account_judge(&check, answer, daemon->config->account.url);
    if (check.verdict == ACCOUNT_READY) {
        on_account_ready(daemon, &check);
    } else if (account_is_hopeless(check.verdict)) {
        log_error(daemon->log, "account", "refused status=%d why=%s advice=%s", answer->status,
                  answer->reason, check.advice);
        stop(daemon, EXIT_REFUSED);
    } else {
        int64_t wait = backoff_ended_ms(&daemon->account_backoff, now);
        wait = later(wait, ratelimit_wait_ms(&daemon->limit, FAMILY_REST, now));
        wait = later(wait, account_policy.first_ms);
        daemon->account_due_ms = now + wait;
        log_warning(daemon->log, "account", "unreachable why=%s advice=%s retry_ms=%lld",
                    answer->reason, check.advice, (long long)wait);
    }
    arm_timer(daemon);
}

static void ask_account(Daemon *daemon)
{
    Error err = { 0 };
    int64_t now = clock_now_ms();
    daemon->account_due_ms = INT64_MAX;
    backoff_attempt(&daemon->account_backoff, now);
    daemon->account_call = api_account(daemon->api, on_account, daemon, &err);
    if (!daemon->account_call) {
        log_error(daemon->log, "account", "unreachable why=%s", err.text);
        daemon->account_due_ms = now + account_policy.most_ms;
    }
}

/* The end. */

static void close_handle(uv_handle_t *handle)
{
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

/* Games are left as they are: the next start takes them up again. When all handles are closed, the
 * loop ends. */
static void wind_up(Daemon *daemon)
{
    daemon->is_stopped = true;
    while (daemon->session_count > 0)
        session_close(daemon->sessions[--daemon->session_count]);
    api_free(daemon->api);
    http_close(daemon->http, NULL, NULL);
    source_close(daemon->source, NULL, NULL);
    close_handle((uv_handle_t *)&daemon->timer);
    close_handle((uv_handle_t *)&daemon->on_term);
    close_handle((uv_handle_t *)&daemon->on_int);
}

static void on_signal(uv_signal_t *handle, int number)
{
    Daemon *daemon = handle->data;
    log_info(daemon->log, "daemon", "stopping signal=%s games=%d",
             number == SIGTERM ? "SIGTERM" : "SIGINT", daemon->session_count);
    stop(daemon, EXIT_FINE);
}

/* Time. */

static void on_timer(uv_timer_t *timer)
{
    Daemon *daemon = timer->data;
    int64_t now = clock_now_ms();
    if (daemon->is_stopping) {
        wind_up(daemon);
        return;
    }
    if (daemon->account_due_ms <= now)
        ask_account(daemon);
    if (daemon->events_due_ms <= now)
        open_events(daemon);
    if (daemon->playing_due_ms <= now)
        ask_playing(daemon);
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        if (daemon->acceptances[i].id[0] != '\0' && !daemon->acceptances[i].call &&
            daemon->acceptances[i].due_ms <= now)
            send_acceptance(daemon, &daemon->acceptances[i]);
    }
    expire(daemon, now);
    arm_timer(daemon);
}

static int64_t next_at_ms(const Daemon *daemon, int64_t now_ms)
{
    if (daemon->is_stopping)
        return now_ms;
    int64_t next = ledger_next_at_ms(&daemon->ledger);
    int64_t limited = ratelimit_wait_ms(&daemon->limit, FAMILY_CHALLENGE, now_ms);
    if (daemon->ledger.waiting.count > 0 && limited > 0)
        next = earlier(next, now_ms + limited);
    next = earlier(next, daemon->account_due_ms);
    next = earlier(next, daemon->events_due_ms);
    next = earlier(next, daemon->playing_due_ms);
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        if (daemon->acceptances[i].id[0] != '\0' && !daemon->acceptances[i].call)
            next = earlier(next, daemon->acceptances[i].due_ms);
    }
    return next;
}

static void arm_timer(Daemon *daemon)
{
    if (daemon->is_stopped)
        return;
    int64_t now = clock_now_ms();
    int64_t next = next_at_ms(daemon, now);
    if (next == INT64_MAX) {
        uv_timer_stop(&daemon->timer);
        return;
    }
    uv_update_time(&daemon->loop); /* a timer counts from the loop's idea of now */
    uv_timer_start(&daemon->timer, on_timer, next > now ? (uint64_t)(next - now) : 0, 0);
}

/* The start. */

static bool init_loop(Daemon *daemon, Error *err)
{
    int failure = uv_loop_init(&daemon->loop);
    if (failure) {
        error_set(err, ERR_IO, "event loop: %s", uv_strerror(failure));
        return false;
    }
    uv_timer_init(&daemon->loop, &daemon->timer);
    uv_signal_init(&daemon->loop, &daemon->on_term);
    uv_signal_init(&daemon->loop, &daemon->on_int);
    daemon->timer.data = daemon;
    daemon->on_term.data = daemon;
    daemon->on_int.data = daemon;
    if ((failure = uv_signal_start(&daemon->on_term, on_signal, SIGTERM)) == 0)
        failure = uv_signal_start(&daemon->on_int, on_signal, SIGINT);
    if (failure)
        error_set(err, ERR_IO, "signals: %s", uv_strerror(failure));
    return failure == 0;
}

static bool init_parts(Daemon *daemon, const char *token, Error *err)
{
    const Config *config = daemon->config;
    const HttpOptions http = {
        .origin = config->account.url,
        .ca_file = config->account.ca_file,
        .token = token,
    };
    const OwnEngineOptions engine = {
        .threads = config->engine.threads,
        .hash_mib = config->engine.hash_mib,
        .games = config->games.concurrency,
    };
    return http_new(&daemon->http, &daemon->loop, &http, err) &&
           api_new(&daemon->api, daemon->http, config->account.url, err) &&
           own_engine_new(&daemon->source, &daemon->loop, &engine, err);
}

static void init_context(Daemon *daemon)
{
    const Config *config = daemon->config;
    daemon->context = (SessionContext){
        .loop = &daemon->loop,
        .api = daemon->api,
        .source = daemon->source,
        .log = daemon->log,
        .limit = &daemon->limit,
        .options = { .overhead_ms = config->engine.overhead_ms,
                     .abort_after_ms = (int64_t)config->games.abort_after_s * 1000,
                     .takebacks = config->games.takebacks },
        .per_move = { .nodes = (uint64_t)config->engine.nodes,
                      .depth = config->engine.depth_plies,
                      .movetime_ms = config->engine.movetime_ms },
        .on_over = on_game_over,
        .on_denied = on_denied,
        .user = daemon,
    };
}

static void init_state(Daemon *daemon)
{
    int64_t now = clock_now_ms();
    daemon->seed = (uint64_t)clock_now_us();
    daemon->account_due_ms = now;
    daemon->events_due_ms = INT64_MAX;
    daemon->playing_due_ms = INT64_MAX;
    ratelimit_init(&daemon->limit);
    ledger_init(&daemon->ledger, daemon->config->games.concurrency);
    backoff_init(&daemon->account_backoff, &account_policy, next_seed(daemon));
    backoff_init(&daemon->event_backoff, &BACKOFF_EVENT_STREAM, next_seed(daemon));
}

/* What init_parts() got up to before it failed. */
static void give_up(Daemon *daemon)
{
    api_free(daemon->api);
    if (daemon->http)
        http_close(daemon->http, NULL, NULL);
    close_handle((uv_handle_t *)&daemon->timer);
    close_handle((uv_handle_t *)&daemon->on_term);
    close_handle((uv_handle_t *)&daemon->on_int);
}

ExitStatus daemon_run(const Config *config, Token *token, Log *log)
{
    Error err = { 0 };
    Daemon *daemon = calloc(1, sizeof *daemon);
    if (!daemon || (daemon->config = config, daemon->log = log, !init_loop(daemon, &err))) {
        log_error(log, "daemon", "no-start why=%s", daemon ? err.text : "no memory");
        token_erase(token);
        free(daemon);
        return EXIT_FAULT;
    }
    signal(SIGPIPE, SIG_IGN); /* a peer that went is an error code, not the end */
    bool ok = init_parts(daemon, token->text, &err);
    log_info(log, "daemon", "start version=%s token=%s", CASTLED_VERSION, token->source);
    token_erase(token);
    if (ok) {
        init_context(daemon);
        init_state(daemon);
        arm_timer(daemon);
    } else {
        log_error(log, "daemon", "no-start why=%s", err.text);
        daemon->status = EXIT_FAULT;
        give_up(daemon);
    }
    uv_run(&daemon->loop, UV_RUN_DEFAULT);
    int failure = uv_loop_close(&daemon->loop);
    assert(failure == 0 && "a handle was left open");
    (void)failure;
    ExitStatus status = daemon->status;
    if (ok)
        log_info(log, "daemon", "stopped status=%d", (int)status);
    free(daemon);
    return status;
}
