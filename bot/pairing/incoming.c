/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/incoming.h"

#include "bot/account/bot_game_quota.h"
#include "bot/account/rematches.h"
#include "bot/game/game_log.h"
#include "bot/game/slots.h"
#include "bot/lichess/challenge_list.h"
#include "bot/ops/timer.h"
#include "bot/pairing/challenger.h"
#include "bot/policy/play_time.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ACCEPT_TRIES_MAX = 3,
    ACCEPT_RETRY_MS = 1000,
    ACCEPTANCES_MAX = 256, /* more than slots: an answer may outlast the challenge's */
    LOST_PAUSE_MS = 5000,  /* after the last try */
    LOOK_AGAIN_MS = 15000, /* whether an owner who was away is back */
    LOOK_LEAST_MS = 1000,
    LOOK_LATE_MS = 2000,      /* others do not wait longer for an answer about those before them */
    LOOK_FAILED_MS = 5000,    /* from one that failed to the next */
    LOOK_TRIES_MAX = 2,       /* that fail in a row */
    LOOK_BLIND_MS = 180000,   /* then nobody is doubted for so long */
    LOOK_OPENED_MS = 20000,   /* for what no event told, after the event stream's opening */
    LOOK_ROUTINE_MS = 180000, /* and after any look */
    HELD_MAX = 32,
    ANSWERED_MAX = 256, /* more than the server lists of refusals that have not arrived yet */
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
    int64_t pause_until_ms; /* no waiting challenge is accepted before */

    ApiCall *look;      /* at which challenges are open */
    int64_t looked_ms;  /* when the latest request went out; far in the past: never */
    int looks_failed;   /* in a row */
    int64_t line_ms;    /* when to see to those who wait again; INT64_MAX: after the look */
    bool may_not_look;  /* the token lacks the scope */
    int64_t routine_ms; /* of the next look without a reason; INT64_MAX: none */
    char answered[ANSWERED_MAX][GAME_ID_SIZE]; /* a ring: those that were refused, or refused us */
    int answered_next;
};

static void arm_timer(Incoming *incoming);
static void on_profile(void *user, const char *id);
static Event *find_held(Incoming *incoming, const char *id);

static int64_t limited_ms(const Incoming *incoming, int64_t now_ms)
{
    return ratelimit_wait_ms(incoming->context->limit, FAMILY_CHALLENGE, now_ms);
}

/* Refusals. */

/* Only what this answer says of our limits counts. */
static void on_decline_answer(void *user, const ApiAnswer *answer)
{
    Incoming *incoming = user;
    if (answer->outcome != API_OK)
        log_debug(
            incoming->context->log, "challenge", "decline-answer",
            FIELDS(F("outcome", api_outcome_name(answer->outcome)), F("why", answer->reason)));
}

static void note_answered(Incoming *incoming, const char *id)
{
    memcpy(incoming->answered[incoming->answered_next], id, strlen(id) + 1);
    incoming->answered_next = (incoming->answered_next + 1) % ANSWERED_MAX;
}

static bool was_answered(const Incoming *incoming, const char *id)
{
    for (int i = 0; i < ANSWERED_MAX; i++)
        if (strcmp(incoming->answered[i], id) == 0)
            return true;
    return false;
}

static void send_refusal(Incoming *incoming, const char *id, DeclineReason reason)
{
    const BotContext *context = incoming->context;
    Error err = { 0 };
    if (limited_ms(incoming, clock_now_ms()) > 0)
        return; /* it will go by itself */
    if (!api_decline(context->api, id, reason, on_decline_answer, incoming, &err))
        log_debug(context->log, "challenge", "decline-dropped",
                  FIELDS(F("id", id), F("why", err.text)));
    else
        note_answered(incoming, id);
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

/* The server said no: to this challenge, or to games between bots for today. */
static void give_up(Acceptance *acceptance, const ApiAnswer *answer)
{
    Incoming *incoming = acceptance->incoming;
    const BotContext *context = incoming->context;
    if (bot_game_quota_learn(context->archive, answer, context->our_id,
                             player_accepted(context->slots, acceptance->id)))
        send_refusal(incoming, acceptance->id, DECLINE_LATER);
    note_answered(incoming, acceptance->id);
    slots_forget(context->slots, acceptance->id);
    acceptance->id[0] = '\0';
    incoming_slot_freed(incoming);
}

/* It waits again, with its place kept. */
static void wait_again(Acceptance *acceptance)
{
    Incoming *incoming = acceptance->incoming;
    slots_return(incoming->context->slots, acceptance->id);
    acceptance->id[0] = '\0';
    incoming->pause_until_ms = clock_now_ms() + LOST_PAUSE_MS;
}

static void on_accept_answer(void *user, const ApiAnswer *answer)
{
    Acceptance *acceptance = user;
    Incoming *incoming = acceptance->incoming;
    const BotContext *context = incoming->context;
    acceptance->call = NULL;
    if (api_answer_is_denial(answer))
        context->on_denied(context->user, answer);
    if (answer->outcome != API_OK)
        log_info(context->log, "challenge", "not-accepted",
                 FIELDS(F("id", acceptance->id), F("try", acceptance->tries),
                        F("status", answer->status), F("why", answer->reason)));
    switch (answer->outcome) {
    case API_OK: /* the game's start, or the lease's end, comes next */
        log_info(context->log, "challenge", "accepted",
                 FIELDS(F("id", acceptance->id), F("try", acceptance->tries)));
        slots_granted(context->slots, acceptance->id, clock_now_ms());
        acceptance->id[0] = '\0';
        break;
    case API_REFUSED:
        give_up(acceptance, answer);
        break;
    case API_LIMITED:
        if (text_starts_with(answer->limit_key, "bot.vsBot"))
            give_up(acceptance, answer);
        else
            wait_again(acceptance);
        break;
    case API_FORBIDDEN:
    case API_UNAUTHORIZED:
        wait_again(acceptance);
        break;
    case API_SERVER_ERROR:
    case API_UNREACHABLE:
    case API_LOST:
    case API_SILENT:
        if (acceptance->tries < ACCEPT_TRIES_MAX)
            acceptance->due_ms = clock_now_ms() + ACCEPT_RETRY_MS;
        else
            wait_again(acceptance);
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
    acceptance->call =
        api_call(context->api, ENDPOINT_ACCEPT, acceptance->id, on_accept_answer, acceptance, &err);
    if (acceptance->call)
        return;
    log_error(context->log, "challenge", "not-accepted",
              FIELDS(F("id", acceptance->id), F("why", err.text)));
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
    log_error(incoming->context->log, "challenge", "not-accepted",
              FIELDS(F("id", id), F("why", "too many at once")));
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
    char from[PLAYER_TEXT_SIZE], clock[TIME_CONTROL_TEXT_SIZE];
    player_text(&challenge->challenger, from);
    time_control_text(&challenge->time, clock);
    log_info(log, "challenge", event,
             FIELDS(F("id", challenge->id), F("from", from),
                    F("rating", challenge->challenger.rating),
                    F("variant", challenge->variant_text), F("speed", challenge->speed_text),
                    F("clock", clock), F("rated", challenge->rated ? "yes" : "no"), F("why", why)));
}

static void decline(Incoming *incoming, const Challenge *challenge, DeclineReason reason,
                    const char *why)
{
    log_challenge(incoming->context->log, "declined", challenge, why);
    send_refusal(incoming, challenge->id, reason);
}

/* Who waits, and may have left. */

static bool is_in_list(void *list, const char *id)
{
    return challenge_list_has(list, id);
}

/* Two in a row, and whoever has waited for long is accepted all the same: one who has left costs a
 * short game, a list that cannot be read would cost all of them. */
static void look_failed(Incoming *incoming, int status, const char *why)
{
    Log *log = incoming->context->log;
    log_info(log, "challenge", "list-lost", FIELDS(F("status", status), F("why", why)));
    if (++incoming->looks_failed == LOOK_TRIES_MAX)
        log_warning(
            log, "challenge", "list-unreadable",
            FIELDS(F("why", why), F("next", "who waits is accepted, though perhaps gone by then")));
}

/* One that no event has told of, or of which we have lost sight. */
static void consider_unknown(void *user, const Event *event)
{
    Incoming *incoming = user;
    const char *id = event->challenge.id;
    if (slots_knows(incoming->context->slots, id) || was_answered(incoming, id) ||
        find_held(incoming, id))
        return;
    log_info(incoming->context->log, "challenge", "found", FIELDS(F("id", id)));
    incoming_consider(incoming, event);
}

static void on_list(void *user, const ApiAnswer *answer)
{
    Incoming *incoming = user;
    const BotContext *context = incoming->context;
    ChallengeList list;
    Error err = { 0 };
    incoming->look = NULL;
    if (answer->outcome == API_OK &&
        challenge_list_parse(&list, answer->body.at, answer->body.len, &err)) {
        incoming->looks_failed = 0;
        slots_sight(context->slots, is_in_list, &list, incoming->looked_ms, clock_now_ms());
        (void)challenge_list_each(answer->body.at, answer->body.len, consider_unknown, incoming);
    } else if (answer->outcome == API_FORBIDDEN && api_answer_is_denial(answer)) {
        incoming->may_not_look = true;
        log_warning(
            context->log, "challenge", "scope-missing",
            FIELDS(F("why", answer->reason),
                   F("advice",
                     "without challenge:read castled cannot see who has left and accepts them too: "
                     "castled login gets a token that may look")));
    } else {
        look_failed(incoming, answer->status,
                    answer->outcome == API_OK ? err.text : answer->reason);
    }
    incoming_slot_freed(incoming);
}

static void look(Incoming *incoming)
{
    Error err = { 0 };
    incoming->looked_ms = clock_now_ms();
    if (incoming->routine_ms != INT64_MAX)
        incoming->routine_ms = incoming->looked_ms + LOOK_ROUTINE_MS;
    incoming->look =
        api_call(incoming->context->api, ENDPOINT_CHALLENGES, NULL, on_list, incoming, &err);
    if (!incoming->look)
        look_failed(incoming, 0, err.text);
}

/* Must the server be asked whether the owner is still there? */
static bool is_doubtful(const Incoming *incoming, const SlotsEntry *entry, int64_t now_ms)
{
    bool is_blind =
        incoming->looks_failed >= LOOK_TRIES_MAX && now_ms - incoming->looked_ms < LOOK_BLIND_MS;
    return !incoming->may_not_look && !is_blind && slots_is_doubtful(entry, now_ms);
}

/* Asks whether the next in line is still there; true: the others wait for the answer. */
static bool ask_about_next(Incoming *incoming, int64_t now_ms)
{
    int64_t again_ms = incoming->looked_ms + (incoming->looks_failed > 0 ? LOOK_FAILED_MS : 0);
    if (!incoming->look && now_ms >= again_ms)
        look(incoming);
    if (!incoming->look) {
        incoming->line_ms = incoming->looked_ms + LOOK_FAILED_MS;
        return false;
    }
    bool is_late = incoming->looks_failed > 0 || now_ms - incoming->looked_ms >= LOOK_LATE_MS;
    incoming->line_ms = is_late ? INT64_MAX : incoming->looked_ms + LOOK_LATE_MS;
    return !is_late;
}

/* When to look by itself: for an owner who is away, and for what no event told; INT64_MAX: never.
 */
static int64_t look_at_ms(const Incoming *incoming)
{
    if (incoming->look || incoming->may_not_look)
        return INT64_MAX;
    return slots_miss_somebody(incoming->context->slots)
               ? int64_min(incoming->routine_ms, incoming->looked_ms + LOOK_AGAIN_MS)
               : incoming->routine_ms;
}

/* Time. */

/* Acceptances that never became a game, and those whose turn never came. */
static void expire(Incoming *incoming, int64_t now_ms)
{
    char id[GAME_ID_SIZE];
    SlotsExpired what;
    while ((what = slots_expire(incoming->context->slots, id, now_ms)) != SLOTS_NOTHING_EXPIRED) {
        log_info(incoming->context->log, "challenge", "expired", FIELDS(F("id", id)));
        drop_acceptance(incoming, id);
        if (what == SLOTS_WAIT_EXPIRED)
            send_refusal(incoming, id, DECLINE_LATER); /* it may still be there */
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
    if (look_at_ms(incoming) <= now)
        look(incoming);
    if (slots_miss_start(incoming->context->slots, now))
        incoming->context->on_missed_start(incoming->context->user);
    expire(incoming, now);
}

static int64_t next_at_ms(const Incoming *incoming)
{
    const Slots *slots = incoming->context->slots;
    int64_t now = clock_now_ms();
    int64_t next = int64_min(slots_next_at_ms(slots), look_at_ms(incoming));
    next = int64_min(next, incoming->line_ms);
    int64_t free_at = int64_max(incoming->pause_until_ms, now + limited_ms(incoming, now));
    if (slots->waiting.count > 0 && free_at > now)
        next = int64_min(next, free_at);
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        const Acceptance *acceptance = &incoming->acceptances[i];
        if (acceptance->id[0] != '\0' && !acceptance->call)
            next = int64_min(next, acceptance->due_ms);
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
    Incoming *incoming = alloc_zeroed(sizeof *incoming, "challenges", err);
    if (!incoming)
        return false;
    if (!player_profiles_new(&incoming->profiles, context, on_profile, incoming, err)) {
        free(incoming);
        return false;
    }
    incoming->context = context;
    incoming->looked_ms = INT64_MIN / 2; /* never */
    incoming->line_ms = incoming->routine_ms = INT64_MAX;
    timer_init(context->loop, &incoming->timer, incoming);
    *out = incoming;
    return true;
}

void incoming_close(Incoming *incoming)
{
    if (!incoming)
        return;
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        forget_acceptance(&incoming->acceptances[i]);
    if (incoming->look)
        api_cancel(incoming->look);
    for (int i = 0; i < HELD_MAX; i++)
        event_release(&incoming->held[i]);
    player_profiles_close(incoming->profiles);
    timer_close(&incoming->timer);
}

static SlotsPlayer player_of(const Challenge *challenge)
{
    return slots_player(challenge->challenger.id,
                        player_is_bot_account(&challenge->challenger) ? KIND_BOT : KIND_HUMAN);
}

/* Challenges whose owners' accounts are being asked for. */

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

static const char *why_it_waits(const Incoming *incoming, const SlotsTerms *terms, int64_t now_ms)
{
    if (terms->must_wait)
        return "rate limit";
    if (!slots_has_free(incoming->context->slots, terms->kind, terms->player.kind))
        return "all slots taken";
    return now_ms < incoming->pause_until_ms ? "an acceptance was lost, and is tried again"
                                             : "others come first, who may have left";
}

static void take(Incoming *incoming, const Challenge *challenge, int64_t rank)
{
    const BotContext *context = incoming->context;
    int64_t now = clock_now_ms();
    if (context->is_draining) {
        decline(incoming, challenge, DECLINE_LATER, "draining");
        return;
    }
    if (!play_time_suffices(&challenge->time, context->ends_ms, now)) {
        decline(incoming, challenge, DECLINE_TOO_SLOW, "castled ends before such a game can");
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
        .wanted = { challenge->time, challenge->variant, challenge->rated },
        .rank = rank,
        .is_rematch = challenge->rematch_of.len > 0,
    };
    switch (slots_offer(context->slots, challenge->id, &terms, now)) {
    case SLOTS_TAKEN:
        log_challenge(context->log, "accepting", challenge, "as configured");
        accept_challenge(incoming, challenge->id);
        break;
    case SLOTS_WAITS:
        log_challenge(context->log, "waits", challenge, why_it_waits(incoming, &terms, now));
        incoming_slot_freed(incoming);
        break;
    case SLOTS_FOLLOWS:
        log_challenge(context->log, "waits", challenge, "an earlier one is being accepted");
        break;
    case SLOTS_DUPLICATE: /* reported again: the owner is there */
        incoming_slot_freed(incoming);
        break;
    case SLOTS_NO_ROOM:
        decline(incoming, challenge, DECLINE_LATER, "queue is full");
        break;
    }
    arm_timer(incoming);
}

/* True if there is nothing to decide now: the challenger's profile is asked for, or cannot be. */
static bool wait_for_profile(Incoming *incoming, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    if (!player_profiles_may_ask(incoming->profiles)) {
        decline(incoming, challenge, DECLINE_LATER, "too many at once");
        return true;
    }
    if (!player_profiles_ask(incoming->profiles, challenge->challenger.id))
        return false;
    hold(incoming, event);
    return true;
}

static void drop_replaced(Incoming *incoming, const Challenge *challenge)
{
    SlotsPlayer player = player_of(challenge);
    char id[GAME_ID_SIZE];
    if (challenge->rematch_of.len > 0)
        return;
    while (slots_replace(incoming->context->slots, player.id, challenge->id, id))
        log_info(incoming->context->log, "challenge", "replaced",
                 FIELDS(F("id", id), F("by", challenge->id)));
    for (int i = 0; i < HELD_MAX; i++) {
        const Challenge *held = &incoming->held[i].challenge;
        if (incoming->held[i].json && held->rematch_of.len == 0 && player.id[0] != '\0' &&
            text_is(held->challenger.id, player.id) && strcmp(held->id, challenge->id) != 0)
            event_release(&incoming->held[i]);
    }
}

void incoming_consider(Incoming *incoming, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    ChallengerFacts challenger;
    if (find_held(incoming, challenge->id))
        return;
    drop_replaced(incoming, challenge);
    Verdict verdict = decide(incoming, challenge, &challenger);
    if (verdict.needs_profile && challenger.profile == PROFILE_UNKNOWN &&
        wait_for_profile(incoming, event))
        return;
    switch (verdict.kind) {
    case VERDICT_IGNORE:
        log_debug(incoming->context->log, "challenge", "ignored",
                  FIELDS(F("id", challenge->id), F("why", verdict.why)));
        break;
    case VERDICT_DECLINE:
        decline(incoming, challenge, verdict.reason, verdict.why);
        break;
    case VERDICT_ACCEPT:
        if (verdict.needs_profile)
            log_challenge(incoming->context->log, "not-vetted", challenge,
                          "the account could not be read");
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

void incoming_stream_opened(Incoming *incoming)
{
    incoming->routine_ms = clock_now_ms() + LOOK_OPENED_MS;
    arm_timer(incoming);
}

void incoming_withdraw(Incoming *incoming, const Challenge *challenge)
{
    if (slots_forget(incoming->context->slots, challenge->id))
        log_info(incoming->context->log, "challenge", "canceled", FIELDS(F("id", challenge->id)));
    Event *held = find_held(incoming, challenge->id);
    if (held)
        event_release(held);
    drop_acceptance(incoming, challenge->id);
    incoming_slot_freed(incoming);
}

/* One that waits. */
static void send_away(Incoming *incoming, const char *id, DeclineReason reason, const char *why)
{
    log_info(incoming->context->log, "challenge", "declined", FIELDS(F("id", id), F("why", why)));
    send_refusal(incoming, id, reason);
    slots_forget(incoming->context->slots, id);
}

void incoming_slot_freed(Incoming *incoming)
{
    const BotContext *context = incoming->context;
    Slots *slots = context->slots;
    char id[GAME_ID_SIZE];
    int64_t now = clock_now_ms();
    bool may = !context->is_draining && !context->is_in_arena && limited_ms(incoming, now) == 0 &&
               now >= incoming->pause_until_ms;
    const SlotsEntry *next = NULL;
    incoming->line_ms = INT64_MAX;
    while (may && (next = slots_peek(slots)) != NULL) {
        if (is_doubtful(incoming, next, now) &&
            (ask_about_next(incoming, now) || (next = slots_peek_seen(slots, now)) == NULL))
            break;
        memcpy(id, next->id, sizeof id);
        if (!play_time_suffices(&next->wanted.time, context->ends_ms, now)) {
            send_away(incoming, id, DECLINE_TOO_SLOW, "waited until castled ends too soon for it");
            continue;
        }
        slots_take(slots, id, now);
        log_info(context->log, "challenge", "accepting",
                 FIELDS(F("id", id), F("after", "waiting")));
        accept_challenge(incoming, id);
    }
    if (may && !incoming->look && slots_miss_somebody(slots) &&
        now - incoming->looked_ms >= (incoming->looks_failed > 0 ? LOOK_FAILED_MS : LOOK_LEAST_MS))
        look(incoming);
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
        send_away(incoming, id, DECLINE_LATER, why);
    }
    arm_timer(incoming);
}
