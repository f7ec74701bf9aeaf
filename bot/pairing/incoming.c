/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/incoming.h"

#include "bot/archive/bot_game_quota.h"
#include "bot/archive/rematches.h"
#include "bot/game/game_log.h"
#include "bot/game/slots.h"
#include "bot/ops/timer.h"
#include "bot/pairing/challenger.h"
#include "engine/base/clock.h"

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
    Incoming *incoming;
    char id[GAME_ID_SIZE]; /* "": free */
    ApiCall *call;
    int tries;
    int64_t due_ms; /* of the next try; INT64_MAX: none */
} Acceptance;

struct Incoming {
    const BotContext *context;
    uv_timer_t timer;
    PlayerProfiles *profiles;
    Event held[HELD_MAX]; /* until their challengers' profiles are there; no json: free */
    Acceptance acceptances[ACCEPTANCES_MAX];
};

static void arm_timer(Incoming *incoming);
static void on_profile(void *user, const char *id);

static int64_t limited_ms(const Incoming *incoming, int64_t now_ms)
{
    return ratelimit_wait_ms(incoming->context->limit, FAMILY_CHALLENGE, now_ms);
}

/* Refusals. */

/* Nobody waits for this answer; what it says of our limits is all that counts. */
static void on_decline_answer(void *user, const ApiAnswer *answer)
{
    Incoming *incoming = user;
    if (answer->outcome != API_OK)
        log_debug(incoming->context->log, "challenge", "decline-answer outcome=%s why=%s",
                  api_outcome_name(answer->outcome), answer->reason);
}

static void send_refusal(Incoming *incoming, const char *id, DeclineReason reason)
{
    const BotContext *context = incoming->context;
    Error err = { 0 };
    if (limited_ms(incoming, clock_now_ms()) > 0)
        return; /* it will go by itself */
    if (!api_decline(context->api, id, reason, on_decline_answer, incoming, &err))
        log_error(context->log, "challenge", "decline id=%s why=%s", id, err.text);
}

/* Acceptances. */

/* Whose challenge it is; "": not known. */
static const char *player_accepted(const Slots *slots, const char *id)
{
    const SlotsList *accepted = &slots->accepted;
    for (int i = 0; i < accepted->count; i++)
        if (strcmp(accepted->entries[i].id, id) == 0)
            return accepted->entries[i].player.id;
    return "";
}

static void on_accept_answer(void *user, const ApiAnswer *answer)
{
    Acceptance *acceptance = user;
    Incoming *incoming = acceptance->incoming;
    const BotContext *context = incoming->context;
    acceptance->call = NULL;
    switch (answer->outcome) {
    case API_OK:
        acceptance->id[0] = '\0'; /* the game's start, or the lease's end, is the next we hear */
        break;
    case API_REFUSED:
    case API_LIMITED:
        log_info(context->log, "challenge", "not-accepted id=%s status=%d why=%s", acceptance->id,
                 answer->status, answer->reason);
        if (bot_game_quota_learn(context->archive, answer, context->our_id,
                                 player_accepted(context->slots, acceptance->id)))
            send_refusal(incoming, acceptance->id, DECLINE_LATER);
        slots_forget(context->slots, acceptance->id);
        acceptance->id[0] = '\0';
        incoming_slot_freed(incoming);
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
    arm_timer(incoming);
}

static void send_acceptance(Incoming *incoming, Acceptance *acceptance)
{
    const BotContext *context = incoming->context;
    Error err = { 0 };
    acceptance->due_ms = INT64_MAX;
    acceptance->tries++;
    acceptance->call = api_accept(context->api, acceptance->id, on_accept_answer, acceptance, &err);
    if (acceptance->call)
        return;
    log_error(context->log, "challenge", "not-accepted id=%s why=%s", acceptance->id, err.text);
    slots_forget(context->slots, acceptance->id);
    acceptance->id[0] = '\0';
}

static void accept_challenge(Incoming *incoming, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &incoming->acceptances[i];
        if (acceptance->id[0] != '\0')
            continue;
        *acceptance = (Acceptance){ .incoming = incoming };
        memcpy(acceptance->id, id, strlen(id) + 1);
        send_acceptance(incoming, acceptance);
        return;
    }
    log_error(incoming->context->log, "challenge", "not-accepted id=%s why=%s", id,
              "too many at once");
    slots_forget(incoming->context->slots, id);
}

static void forget_acceptance(Acceptance *acceptance)
{
    if (acceptance->call)
        api_cancel(acceptance->call);
    acceptance->call = NULL;
    acceptance->id[0] = '\0';
}

/* A challenge that is no more is not accepted any more. */
static void drop_acceptance(Incoming *incoming, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        if (strcmp(incoming->acceptances[i].id, id) == 0)
            forget_acceptance(&incoming->acceptances[i]);
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

static void decline(Incoming *incoming, const Challenge *challenge, DeclineReason reason,
                    const char *why)
{
    log_challenge(incoming->context->log, "declined", challenge, why);
    send_refusal(incoming, challenge->id, reason);
}

/* Time. */

/* What became of promises that nobody kept. */
static void expire(Incoming *incoming, int64_t now_ms)
{
    char id[GAME_ID_SIZE];
    while (slots_expire(incoming->context->slots, id, now_ms)) {
        log_info(incoming->context->log, "challenge", "expired id=%s", id);
        drop_acceptance(incoming, id);
    }
    incoming_slot_freed(incoming);
}

static void on_timer(uv_timer_t *timer)
{
    Incoming *incoming = timer->data;
    int64_t now = clock_now_ms();
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &incoming->acceptances[i];
        if (acceptance->id[0] != '\0' && !acceptance->call && acceptance->due_ms <= now)
            send_acceptance(incoming, acceptance);
    }
    expire(incoming, now);
}

static int64_t next_at_ms(const Incoming *incoming)
{
    const Slots *slots = incoming->context->slots;
    int64_t now = clock_now_ms();
    int64_t next = slots_next_at_ms(slots);
    int64_t limited = limited_ms(incoming, now);
    if (slots->waiting.count > 0 && limited > 0 && now + limited < next)
        next = now + limited;
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        const Acceptance *acceptance = &incoming->acceptances[i];
        if (acceptance->id[0] != '\0' && !acceptance->call && acceptance->due_ms < next)
            next = acceptance->due_ms;
    }
    return next;
}

static void arm_timer(Incoming *incoming)
{
    timer_set(&incoming->timer, on_timer, next_at_ms(incoming));
}

/* The incoming. */

bool incoming_new(Incoming **out, const BotContext *context, Error *err)
{
    Incoming *incoming = calloc(1, sizeof *incoming);
    if (!incoming) {
        error_set(err, ERR_MEMORY, "no memory for challenges");
        return false;
    }
    if (!player_profiles_new(&incoming->profiles, context, on_profile, incoming, err)) {
        free(incoming);
        return false;
    }
    incoming->context = context;
    uv_timer_init(context->loop, &incoming->timer);
    incoming->timer.data = incoming;
    *out = incoming;
    return true;
}

static void on_timer_closed(uv_handle_t *handle)
{
    free(handle->data);
}

void incoming_close(Incoming *incoming)
{
    if (!incoming)
        return;
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        forget_acceptance(&incoming->acceptances[i]);
    for (int i = 0; i < HELD_MAX; i++)
        event_release(&incoming->held[i]);
    player_profiles_close(incoming->profiles);
    uv_close((uv_handle_t *)&incoming->timer, on_timer_closed);
}

static SlotsPlayer player_of(const Challenge *challenge)
{
    return slots_player(challenge->challenger.id,
                        text_is(challenge->challenger.title, "BOT") ? KIND_BOT : KIND_HUMAN);
}

/* Challenges of people about whose accounts Lichess is being asked. */

static Event *find_held(Incoming *incoming, const char *id)
{
    for (int i = 0; i < HELD_MAX; i++)
        if (incoming->held[i].json && strcmp(incoming->held[i].challenge.id, id) == 0)
            return &incoming->held[i];
    return NULL;
}

static void hold(Incoming *incoming, const Event *event)
{
    for (int i = 0; i < HELD_MAX; i++) {
        if (incoming->held[i].json)
            continue;
        incoming->held[i] = event_share(event);
        return;
    }
    decline(incoming, &event->challenge, DECLINE_LATER, "too many at once");
}

/* Gathers, then decides. */
static Verdict decide(const Incoming *incoming, const Challenge *challenge,
                      ChallengerFacts *challenger)
{
    const BotContext *context = incoming->context;
    GameFacts game = facts_of_challenge(challenge);
    Config settings;
    rules_apply(context->config, &game, &settings, NULL);
    *challenger = challenger_facts(context, incoming->profiles, challenge);
    return accept_decide(challenge, &settings, context->our_id, challenger);
}

static void take(Incoming *incoming, const Challenge *challenge, int64_t rank)
{
    const BotContext *context = incoming->context;
    int64_t now = clock_now_ms();
    if (context->is_draining) {
        decline(incoming, challenge, DECLINE_LATER, "draining");
        return;
    }
    if (context->is_in_arena && challenge->time.kind == TIME_CLOCK) {
        decline(incoming, challenge, DECLINE_LATER, "in a tournament");
        return;
    }
    rematches_note(context->archive, challenge);
    SlotsTerms terms = {
        .kind = challenge->time.kind == TIME_CLOCK ? SLOTS_REALTIME : SLOTS_CORRESPONDENCE,
        .must_wait = limited_ms(incoming, now) > 0,
        .player = player_of(challenge),
        .rank = rank,
    };
    switch (slots_offer(context->slots, challenge->id, &terms, now)) {
    case SLOTS_TAKEN:
        log_challenge(context->log, "accepted", challenge, "as configured");
        accept_challenge(incoming, challenge->id);
        break;
    case SLOTS_WAITS:
        log_challenge(context->log, "waits", challenge,
                      terms.must_wait ? "rate limit" : "all slots taken");
        break;
    case SLOTS_DUPLICATE:
        break;
    case SLOTS_NO_ROOM:
        decline(incoming, challenge, DECLINE_LATER, "queue is full");
        break;
    }
    arm_timer(incoming);
}

/* True if the decision waits for the challenger's profile. */
static bool wait_for_profile(Incoming *incoming, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    if (!player_profiles_ask(incoming->profiles, challenge->challenger.id))
        return false;
    hold(incoming, event);
    return true;
}

void incoming_consider(Incoming *incoming, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    ChallengerFacts challenger;
    if (find_held(incoming, challenge->id))
        return;
    Verdict verdict = decide(incoming, challenge, &challenger);
    if (verdict.needs_profile && challenger.profile == PROFILE_UNKNOWN &&
        wait_for_profile(incoming, event))
        return;
    switch (verdict.kind) {
    case VERDICT_IGNORE:
        log_debug(incoming->context->log, "challenge", "ignored id=%s why=%s", challenge->id,
                  verdict.why);
        break;
    case VERDICT_DECLINE:
        decline(incoming, challenge, verdict.reason, verdict.why);
        break;
    case VERDICT_ACCEPT:
        if (verdict.needs_profile)
            log_challenge(incoming->context->log, "not-vetted", challenge,
                          "the account could not be looked at");
        take(incoming, challenge, verdict.rank);
        break;
    }
}

static void on_profile(void *user, const char *id)
{
    Incoming *incoming = user;
    for (int i = 0; i < HELD_MAX; i++) {
        Event event = incoming->held[i];
        if (!event.json || !text_is(event.challenge.challenger.id, id))
            continue;
        incoming->held[i] = (Event){ 0 };
        incoming_consider(incoming, &event);
        event_release(&event);
    }
}

void incoming_withdraw(Incoming *incoming, const Challenge *challenge)
{
    if (slots_forget(incoming->context->slots, challenge->id))
        log_info(incoming->context->log, "challenge", "canceled id=%s", challenge->id);
    Event *held = find_held(incoming, challenge->id);
    if (held)
        event_release(held);
    drop_acceptance(incoming, challenge->id);
    incoming_slot_freed(incoming);
}

void incoming_slot_freed(Incoming *incoming)
{
    char id[GAME_ID_SIZE];
    int64_t now = clock_now_ms();
    bool may = !incoming->context->is_draining && !incoming->context->is_in_arena;
    while (may && limited_ms(incoming, now) == 0 && slots_next(incoming->context->slots, id, now)) {
        log_info(incoming->context->log, "challenge", "accepted id=%s after=%s", id, "waiting");
        accept_challenge(incoming, id);
    }
    arm_timer(incoming);
}

void incoming_send_away(Incoming *incoming, const char *why)
{
    const BotContext *context = incoming->context;
    SlotsList *waiting = &context->slots->waiting;
    for (int i = waiting->count - 1; i >= 0; i--) {
        char id[GAME_ID_SIZE];
        if (waiting->entries[i].kind != SLOTS_REALTIME)
            continue;
        memcpy(id, waiting->entries[i].id, sizeof id);
        log_info(context->log, "challenge", "declined id=%s why=%s", id, why);
        send_refusal(incoming, id, DECLINE_LATER);
        slots_forget(context->slots, id);
    }
    arm_timer(incoming);
}
