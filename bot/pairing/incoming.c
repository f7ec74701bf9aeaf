/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/incoming.h"

#include "bot/game/game_log.h"
#include "bot/game/session.h"
#include "bot/ops/timer.h"
#include "bot/policy/accept.h"
#include "bot/pairing/player_profiles.h"
#include "bot/archive/rematches.h"
#include "bot/archive/bot_game_quota.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ACCEPT_TRIES_MAX = 3,
    ACCEPT_RETRY_MS = 1000,
    ACCEPTANCES_MAX = 256, /* more than slots: an answer may outlast the challenge's */
    HELD_MAX = 32,
};

/* A challenge that is being accepted. */
typedef struct {
    Desk *desk;
    char id[GAME_ID_SIZE]; /* "": free */
    ApiCall *call;
    int tries;
    int64_t due_ms; /* of the next try; INT64_MAX: none */
} Acceptance;

struct Desk {
    const BotContext *context;
    uv_timer_t timer;
    Profiles *profiles;
    Event held[HELD_MAX]; /* until their challengers' profiles are there; no json: free */
    Acceptance acceptances[ACCEPTANCES_MAX];
};

static void arm_timer(Desk *desk);
static void on_profile(void *user, const char *id);

static int64_t limited_ms(const Desk *desk, int64_t now_ms)
{
    return ratelimit_wait_ms(desk->context->limit, FAMILY_CHALLENGE, now_ms);
}

/* Refusals. */

/* Nobody waits for this answer; what it says of our limits is all that counts. */
static void on_decline_answer(void *user, const ApiAnswer *answer)
{
    Desk *desk = user;
    if (answer->outcome != API_OK)
        log_debug(desk->context->log, "challenge", "decline-answer outcome=%s why=%s",
                  api_outcome_name(answer->outcome), answer->reason);
}

static void send_refusal(Desk *desk, const char *id, DeclineReason reason)
{
    const BotContext *context = desk->context;
    Error err = { 0 };
    if (limited_ms(desk, clock_now_ms()) > 0)
        return; /* it will go by itself */
    if (!api_decline(context->api, id, reason, on_decline_answer, desk, &err))
        log_error(context->log, "challenge", "decline id=%s why=%s", id, err.text);
}

/* Acceptances. */

/* Whose challenge it is; "": not known. */
static const char *player_accepted(const Ledger *ledger, const char *id)
{
    const LedgerList *accepted = &ledger->accepted;
    for (int i = 0; i < accepted->count; i++)
        if (strcmp(accepted->entries[i].id, id) == 0)
            return accepted->entries[i].player.id;
    return "";
}

static void on_accept_answer(void *user, const ApiAnswer *answer)
{
    Acceptance *acceptance = user;
    Desk *desk = acceptance->desk;
    const BotContext *context = desk->context;
    acceptance->call = NULL;
    switch (answer->outcome) {
    case API_OK:
        acceptance->id[0] = '\0'; /* the game's start, or the lease's end, is the next we hear */
        break;
    case API_REFUSED:
    case API_LIMITED:
        log_info(context->log, "challenge", "not-accepted id=%s status=%d why=%s", acceptance->id,
                 answer->status, answer->reason);
        if (spent_learn(context->archive, answer, context->our_id,
                        player_accepted(context->ledger, acceptance->id)))
            send_refusal(desk, acceptance->id, DECLINE_LATER);
        ledger_forget(context->ledger, acceptance->id);
        acceptance->id[0] = '\0';
        desk_slot_freed(desk);
        break;
    case API_UNAUTHORIZED:
    case API_FORBIDDEN:
        context->on_denied(context->user, answer);
        break;
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        log_warning(context->log, "challenge", "accept-lost id=%s try=%d why=%s", acceptance->id,
                    acceptance->tries, answer->reason);
        if (acceptance->tries < ACCEPT_TRIES_MAX)
            acceptance->due_ms = clock_now_ms() + ACCEPT_RETRY_MS;
        else
            acceptance->id[0] = '\0';
        break;
    }
    arm_timer(desk);
}

static void send_acceptance(Desk *desk, Acceptance *acceptance)
{
    const BotContext *context = desk->context;
    Error err = { 0 };
    acceptance->due_ms = INT64_MAX;
    acceptance->tries++;
    acceptance->call = api_accept(context->api, acceptance->id, on_accept_answer, acceptance, &err);
    if (acceptance->call)
        return;
    log_error(context->log, "challenge", "not-accepted id=%s why=%s", acceptance->id, err.text);
    ledger_forget(context->ledger, acceptance->id);
    acceptance->id[0] = '\0';
}

static void accept_challenge(Desk *desk, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &desk->acceptances[i];
        if (acceptance->id[0] != '\0')
            continue;
        *acceptance = (Acceptance){ .desk = desk };
        memcpy(acceptance->id, id, strlen(id) + 1);
        send_acceptance(desk, acceptance);
        return;
    }
    log_error(desk->context->log, "challenge", "not-accepted id=%s why=%s", id, "too many at once");
    ledger_forget(desk->context->ledger, id);
}

static void forget_acceptance(Acceptance *acceptance)
{
    if (acceptance->call)
        api_cancel(acceptance->call);
    acceptance->call = NULL;
    acceptance->id[0] = '\0';
}

/* A challenge that is no more is not accepted any more. */
static void drop_acceptance(Desk *desk, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        if (strcmp(desk->acceptances[i].id, id) == 0)
            forget_acceptance(&desk->acceptances[i]);
    }
}

/* Verdicts. */

static void log_challenge(Log *log, const char *event, const Challenge *challenge, const char *why)
{
    char from[PLAYER_NAME_SIZE], clock[48];
    player_name_write(&challenge->challenger, from);
    const TimeControl *time = &challenge->time;
    int len = time->kind == TIME_CLOCK ? snprintf(clock, sizeof clock, "%" PRId64 "+%" PRId64,
                                                  time->base_s, time->increment_s)
              : time->kind == TIME_CORRESPONDENCE ? snprintf(clock, sizeof clock, "%dd", time->days)
                                                  : snprintf(clock, sizeof clock, "none");
    (void)len;
    log_info(log, "challenge",
             "%s id=%s from=%s rating=%d variant=%.*s speed=%.*s clock=%s rated=%s why=%s", event,
             challenge->id, from, challenge->challenger.rating, TEXT_ARGS(challenge->variant_text),
             TEXT_ARGS(challenge->speed_text), clock, challenge->rated ? "yes" : "no", why);
}

static void decline(Desk *desk, const Challenge *challenge, DeclineReason reason, const char *why)
{
    log_challenge(desk->context->log, "declined", challenge, why);
    send_refusal(desk, challenge->id, reason);
}

/* Time. */

/* What became of promises that nobody kept. */
static void expire(Desk *desk, int64_t now_ms)
{
    char id[GAME_ID_SIZE];
    while (ledger_expire(desk->context->ledger, id, now_ms)) {
        log_info(desk->context->log, "challenge", "expired id=%s", id);
        drop_acceptance(desk, id);
    }
    desk_slot_freed(desk);
}

static void on_timer(uv_timer_t *timer)
{
    Desk *desk = timer->data;
    int64_t now = clock_now_ms();
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &desk->acceptances[i];
        if (acceptance->id[0] != '\0' && !acceptance->call && acceptance->due_ms <= now)
            send_acceptance(desk, acceptance);
    }
    expire(desk, now);
}

static int64_t next_at_ms(const Desk *desk)
{
    const Ledger *ledger = desk->context->ledger;
    int64_t now = clock_now_ms();
    int64_t next = ledger_next_at_ms(ledger);
    int64_t limited = limited_ms(desk, now);
    if (ledger->waiting.count > 0 && limited > 0 && now + limited < next)
        next = now + limited;
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        const Acceptance *acceptance = &desk->acceptances[i];
        if (acceptance->id[0] != '\0' && !acceptance->call && acceptance->due_ms < next)
            next = acceptance->due_ms;
    }
    return next;
}

static void arm_timer(Desk *desk)
{
    timer_set(&desk->timer, on_timer, next_at_ms(desk));
}

/* The desk. */

bool desk_new(Desk **out, const BotContext *context, Error *err)
{
    Desk *desk = calloc(1, sizeof *desk);
    if (!desk) {
        error_set(err, ERR_MEMORY, "no memory for challenges");
        return false;
    }
    if (!profiles_new(&desk->profiles, context, on_profile, desk, err)) {
        free(desk);
        return false;
    }
    desk->context = context;
    uv_timer_init(context->loop, &desk->timer);
    desk->timer.data = desk;
    *out = desk;
    return true;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void desk_close(Desk *desk)
{
    if (!desk)
        return;
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        forget_acceptance(&desk->acceptances[i]);
    for (int i = 0; i < HELD_MAX; i++)
        event_release(&desk->held[i]);
    profiles_close(desk->profiles);
    uv_close((uv_handle_t *)&desk->timer, on_timer_closed);
}

static LedgerPlayer player_of(const Challenge *challenge)
{
    return ledger_player(challenge->challenger.id, text_is(challenge->challenger.title, "BOT"));
}

static Acquaintance acquaintance(const BotContext *context, const Challenge *challenge,
                                 int64_t now_ms)
{
    Text id = challenge->challenger.id;
    LedgerPlayer player = player_of(challenge);
    LedgerCounts counts = ledger_count_player(context->ledger, player.id, challenge->id);
    bool is_spent = player.is_bot && (spent_has(context->archive, id) ||
                                      spent_has(context->archive, text_of(context->our_id)));
    return (Acquaintance){
        .is_spent = is_spent,
        .is_blocked = lists_block(context->lists, id),
        .has_allow_lists = lists_restrict(context->lists),
        .is_allowed = lists_allow(context->lists, id),
        .games_now = counts.running + counts.pending,
        .games_in_hour =
            visits_count(context->visits, id, DURATION_HOUR_MS, now_ms) + counts.pending,
        .games_in_day = visits_count(context->visits, id, DURATION_DAY_MS, now_ms) + counts.pending,
        .rematches = rematches_before(context->archive, challenge),
    };
}

/* Challenges of people about whose accounts Lichess is being asked. */

static Event *find_held(Desk *desk, const char *id)
{
    for (int i = 0; i < HELD_MAX; i++)
        if (desk->held[i].json && strcmp(desk->held[i].challenge.id, id) == 0)
            return &desk->held[i];
    return NULL;
}

static void hold(Desk *desk, const Event *event)
{
    for (int i = 0; i < HELD_MAX; i++) {
        if (desk->held[i].json)
            continue;
        desk->held[i] = event_share(event);
        return;
    }
    decline(desk, &event->challenge, DECLINE_LATER, "too many at once");
}

/* False: it is held until more is known. */
static bool judge(Desk *desk, const Event *event, Verdict *verdict)
{
    const BotContext *context = desk->context;
    const Challenge *challenge = &event->challenge;
    Acquaintance known = acquaintance(context, challenge, clock_now_ms());
    Profile profile;
    *verdict = accept_judge(challenge, context->config, context->our_id, &known);
    if (verdict->kind != VERDICT_ACCEPT || !accept_needs_profile(challenge, context->config))
        return true;
    switch (profiles_get(desk->profiles, challenge->challenger.id, &profile)) {
    case PROFILE_ASKED:
        hold(desk, event);
        return false;
    case PROFILE_MISSING:
        log_challenge(context->log, "not-vetted", challenge, "the account could not be looked at");
        return true;
    case PROFILE_KNOWN:
        break;
    }
    known.has_profile = true;
    known.games_played = profile.games;
    known.account_days = (int)((clock_unix_ms() - profile.created_ms) / DURATION_DAY_MS);
    *verdict = accept_judge(challenge, context->config, context->our_id, &known);
    return true;
}

static void take(Desk *desk, const Challenge *challenge)
{
    const BotContext *context = desk->context;
    int64_t now = clock_now_ms();
    if (context->is_draining) {
        decline(desk, challenge, DECLINE_LATER, "draining");
        return;
    }
    if (context->is_in_arena && challenge->time.kind == TIME_CLOCK) {
        decline(desk, challenge, DECLINE_LATER, "in a tournament");
        return;
    }
    rematches_note(context->archive, challenge);
    LedgerTerms terms = {
        .kind = challenge->time.kind == TIME_CLOCK ? LEDGER_REALTIME : LEDGER_CORRESPONDENCE,
        .must_wait = limited_ms(desk, now) > 0,
        .player = player_of(challenge),
        .rank = accept_rank(challenge, context->config),
    };
    switch (ledger_offer(context->ledger, challenge->id, &terms, now)) {
    case LEDGER_TAKEN:
        log_challenge(context->log, "accepted", challenge, "as configured");
        accept_challenge(desk, challenge->id);
        break;
    case LEDGER_WAITS:
        log_challenge(context->log, "waits", challenge,
                      terms.must_wait ? "rate limit" : "all slots taken");
        break;
    case LEDGER_DUPLICATE:
        break;
    case LEDGER_NO_ROOM:
        decline(desk, challenge, DECLINE_LATER, "queue is full");
        break;
    }
    arm_timer(desk);
}

void desk_consider(Desk *desk, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    Verdict verdict;
    if (find_held(desk, challenge->id) || !judge(desk, event, &verdict))
        return;
    switch (verdict.kind) {
    case VERDICT_IGNORE:
        log_debug(desk->context->log, "challenge", "ignored id=%s why=%s", challenge->id,
                  verdict.why);
        break;
    case VERDICT_DECLINE:
        decline(desk, challenge, verdict.reason, verdict.why);
        break;
    case VERDICT_ACCEPT:
        take(desk, challenge);
        break;
    }
}

static void on_profile(void *user, const char *id)
{
    Desk *desk = user;
    for (int i = 0; i < HELD_MAX; i++) {
        Event event = desk->held[i];
        if (!event.json || !text_is(event.challenge.challenger.id, id))
            continue;
        desk->held[i] = (Event){ 0 };
        desk_consider(desk, &event);
        event_release(&event);
    }
}

void desk_withdraw(Desk *desk, const Challenge *challenge)
{
    if (ledger_forget(desk->context->ledger, challenge->id))
        log_info(desk->context->log, "challenge", "canceled id=%s", challenge->id);
    Event *held = find_held(desk, challenge->id);
    if (held)
        event_release(held);
    drop_acceptance(desk, challenge->id);
    desk_slot_freed(desk);
}

void desk_slot_freed(Desk *desk)
{
    char id[GAME_ID_SIZE];
    int64_t now = clock_now_ms();
    bool may = !desk->context->is_draining && !desk->context->is_in_arena;
    while (may && limited_ms(desk, now) == 0 && ledger_next(desk->context->ledger, id, now)) {
        log_info(desk->context->log, "challenge", "accepted id=%s after=%s", id, "waiting");
        accept_challenge(desk, id);
    }
    arm_timer(desk);
}

void desk_send_away(Desk *desk, const char *why)
{
    const BotContext *context = desk->context;
    LedgerList *waiting = &context->ledger->waiting;
    for (int i = waiting->count - 1; i >= 0; i--) {
        char id[GAME_ID_SIZE];
        if (waiting->entries[i].kind != LEDGER_REALTIME)
            continue;
        memcpy(id, waiting->entries[i].id, sizeof id);
        log_info(context->log, "challenge", "declined id=%s why=%s", id, why);
        send_refusal(desk, id, DECLINE_LATER);
        ledger_forget(context->ledger, id);
    }
    arm_timer(desk);
}
