/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/waiting.h"

#include "bot/lichess/challenge_list.h"
#include "bot/lichess/dialect.h"
#include "bot/pairing/arenas.h"
#include "bot/pairing/incoming_answers.h"
#include "bot/policy/play_time.h"
#include "engine/base/minmax.h"

#include <string.h>

enum {
    LOOK_AGAIN_MS = 15000, /* between two checks for absent owners */
    LOOK_LEAST_MS = 1000,
    LOOK_LATE_MS = 2000,      /* others do not wait longer for an answer about those before them */
    LOOK_FAILED_MS = 5000,    /* from one that failed to the next */
    LOOK_TRIES_MAX = 2,       /* that fail in a row */
    LOOK_BLIND_MS = 180000,   /* then nobody is doubted for so long */
    LOOK_OPENED_MS = 20000,   /* for what no event told, after the event stream's opening */
    LOOK_ROUTINE_MS = 180000, /* and after any look */
};

void waiting_init(Incoming *incoming, const PairView *view)
{
    incoming->lacks_list = !dialect_has_lists(view->config->account.server);
    incoming->looked_ms = INT64_MIN / 2; /* never */
    incoming->line_ms = incoming->routine_ms = INT64_MAX;
}

static void note_challenge(PairStep *step, PairNoteKind kind, const char *id, const char *why)
{
    PairNote note = { .kind = kind };
    memcpy(note.id, id, strlen(id) + 1);
    pair_note(step, &note, why);
}

/* The server's list. */

static void look_at_list(PairStep *step)
{
    Incoming *incoming = &step->pairing->incoming;
    incoming->looked_ms = step->now.ms;
    if (incoming->routine_ms != INT64_MAX)
        incoming->routine_ms = incoming->looked_ms + LOOK_ROUTINE_MS;
    incoming->look = pair_request(step, PAIR_ASK_CHALLENGES, "")->ticket;
}

/* Two in a row, and whoever has waited for long is accepted all the same: one who has left costs a
 * short game, a list that cannot be read would cost all of them. */
static void look_failed(PairStep *step, int status, const char *why)
{
    const PairNote lost = { .kind = PAIR_NOTE_LIST_LOST, .number = status };
    const PairNote unreadable = { .kind = PAIR_NOTE_LIST_UNREADABLE };
    Incoming *incoming = &step->pairing->incoming;
    pair_note(step, &lost, why);
    if (++incoming->looks_failed == LOOK_TRIES_MAX)
        pair_note(step, &unreadable, why);
    if (incoming->routine_ms != INT64_MAX && incoming->looks_failed <= LOOK_TRIES_MAX)
        incoming->routine_ms = step->now.ms + LOOK_OPENED_MS; /* it may be the only way to one */
}

static bool is_in_list(void *list, const char *id)
{
    return challenge_list_has(list, id);
}

void waiting_list_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer)
{
    Incoming *incoming = &step->pairing->incoming;
    const PairNote scope_missing = { .kind = PAIR_NOTE_SCOPE_MISSING };
    ChallengeList list;
    Error err = { 0 };
    if (incoming->look != ticket)
        return;
    incoming->look = 0;
    if (answer->outcome == API_OK &&
        challenge_list_parse(&list, answer->body.at, answer->body.len, &err)) {
        incoming->looks_failed = 0;
        slots_update_presence(step->pairing->slots, is_in_list, &list, incoming->looked_ms,
                              step->now.ms);
    } else if (answer->outcome == API_FORBIDDEN && api_answer_is_denial(answer)) {
        incoming->lacks_list = true;
        pair_note(step, &scope_missing, answer->reason);
    } else {
        look_failed(step, answer->status, answer->outcome == API_OK ? err.text : answer->reason);
    }
    waiting_serve(step);
}

/* Must the server be asked whether the owner is still there? */
static bool owner_may_be_absent(const PairStep *step, const SlotsEntry *entry)
{
    const Incoming *incoming = &step->pairing->incoming;
    bool is_blind = incoming->looks_failed >= LOOK_TRIES_MAX &&
                    step->now.ms - incoming->looked_ms < LOOK_BLIND_MS;
    return !incoming->lacks_list && !is_blind && slots_owner_may_be_absent(entry, step->now.ms);
}

static int64_t look_failed_ms(const Incoming *incoming, int64_t usual_ms)
{
    return incoming->looks_failed > 0 ? LOOK_FAILED_MS : usual_ms;
}

/* Asks whether the next in line is still there; true: the others wait for the answer. */
static bool ask_about_next(PairStep *step)
{
    Incoming *incoming = &step->pairing->incoming;
    int64_t again_ms = incoming->looked_ms + look_failed_ms(incoming, 0);
    if (incoming->look == 0 && step->now.ms >= again_ms)
        look_at_list(step);
    if (incoming->look == 0) {
        incoming->line_ms = incoming->looked_ms + LOOK_FAILED_MS;
        return false;
    }
    bool is_late = incoming->looks_failed > 0 || step->now.ms - incoming->looked_ms >= LOOK_LATE_MS;
    incoming->line_ms = is_late ? INT64_MAX : incoming->looked_ms + LOOK_LATE_MS;
    return !is_late;
}

/* When to look by itself: for an owner who is away, and for what no event told; INT64_MAX: never.
 */
static int64_t look_at_ms(const Pairing *pairing)
{
    const Incoming *incoming = &pairing->incoming;
    if (incoming->look != 0 || incoming->lacks_list)
        return INT64_MAX;
    return slots_next_is_absent(pairing->slots)
               ? int64_min(incoming->routine_ms, incoming->looked_ms + LOOK_AGAIN_MS)
               : incoming->routine_ms;
}

void waiting_stream_opened(PairStep *step)
{
    step->pairing->incoming.routine_ms = step->now.ms + LOOK_OPENED_MS;
}

/* The queue. */

static void send_away(PairStep *step, const char *id, DeclineReason reason, const char *why)
{
    note_challenge(step, PAIR_NOTE_SENT_AWAY, id, why);
    incoming_refuse(step, id, reason);
    slots_forget(step->pairing->slots, id);
}

void waiting_send_away(PairStep *step, const char *why)
{
    const SlotsList *waiting = slots_waiting(step->pairing->slots);
    for (int i = waiting->count - 1; i >= 0; i--) {
        char id[GAME_ID_SIZE];
        if (waiting->entries[i].kind != SLOTS_REALTIME)
            continue;
        memcpy(id, waiting->entries[i].id, sizeof id);
        send_away(step, id, DECLINE_LATER, why);
    }
}

static bool may_accept(const PairStep *step)
{
    return !step->view->is_draining && !arenas_are_on(&step->pairing->arenas) &&
           incoming_limited_ms(step) == 0 && step->now.ms >= step->pairing->incoming.pause_until_ms;
}

/* Whose turn it is now; NULL: nobody's, or an answer about them is awaited. */
static const SlotsEntry *next_in_line(PairStep *step)
{
    const Slots *slots = step->pairing->slots;
    const SlotsEntry *next = slots_peek(slots);
    if (!next || !owner_may_be_absent(step, next))
        return next;
    return ask_about_next(step) ? NULL : slots_peek_seen(slots, step->now.ms);
}

static void accept_next(PairStep *step, const SlotsEntry *next)
{
    char id[GAME_ID_SIZE];
    memcpy(id, next->id, sizeof id);
    if (!play_time_suffices(&next->wanted.time, step->view->ends_ms, step->now.ms)) {
        send_away(step, id, DECLINE_TOO_SLOW, "waited until castled ends too soon for it");
        return;
    }
    slots_take(step->pairing->slots, id, step->now.ms);
    note_challenge(step, PAIR_NOTE_ACCEPTS_NEXT, id, "");
    incoming_accept(step, id);
}

/* Somebody could be accepted, were they not away. */
static bool is_worth_a_look(const PairStep *step)
{
    const Incoming *incoming = &step->pairing->incoming;
    return incoming->look == 0 && slots_next_is_absent(step->pairing->slots) &&
           step->now.ms - incoming->looked_ms >= look_failed_ms(incoming, LOOK_LEAST_MS);
}

void waiting_serve(PairStep *step)
{
    const SlotsEntry *next;
    step->pairing->incoming.line_ms = INT64_MAX;
    if (!may_accept(step))
        return;
    while (pair_has_room(step) && (next = next_in_line(step)) != NULL)
        accept_next(step, next);
    if (!pair_has_room(step))
        step->pairing->incoming.line_ms = step->now.ms;
    if (is_worth_a_look(step))
        look_at_list(step);
}

/* Acceptances that never became a game, and those whose turn never came. */
static void expire(PairStep *step)
{
    char id[GAME_ID_SIZE];
    while (pair_has_room(step)) {
        SlotsExpired what = slots_expire(step->pairing->slots, id, step->now.ms);
        if (what == SLOTS_NOTHING_EXPIRED)
            return;
        note_challenge(step, PAIR_NOTE_EXPIRED, id, "");
        incoming_drop_acceptance(step, id);
        if (what == SLOTS_WAIT_EXPIRED)
            incoming_refuse(step, id, DECLINE_LATER); /* it may still be there */
    }
}

void waiting_time(PairStep *step)
{
    if (look_at_ms(step->pairing) <= step->now.ms)
        look_at_list(step);
    if (slots_miss_start(step->pairing->slots, step->now.ms))
        pair_effect(step, PAIR_DO_LOOK_FOR_GAMES);
    expire(step);
    waiting_serve(step);
}

int64_t waiting_next_at_ms(const Pairing *pairing, const PairView *view, int64_t now_ms)
{
    const Incoming *incoming = &pairing->incoming;
    int64_t next = int64_min(slots_next_at_ms(pairing->slots), look_at_ms(pairing));
    int64_t limited_ms = ratelimit_wait_ms(view->limit, FAMILY_CHALLENGE, now_ms);
    int64_t free_at = int64_max(incoming->pause_until_ms, now_ms + limited_ms);
    if (slots_waiting(pairing->slots)->count > 0 && free_at > now_ms)
        next = int64_min(next, free_at);
    return int64_min(next, incoming->line_ms);
}
