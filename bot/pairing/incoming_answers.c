/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/incoming_answers.h"

#include "bot/account/bot_game_quota.h"
#include "engine/base/minmax.h"

#include <string.h>

enum {
    ACCEPT_TRIES_MAX = 3,
    ACCEPT_RETRY_MS = 1000,
    LOST_PAUSE_MS = 5000, /* after the last try */
};

int64_t incoming_limited_ms(const PairStep *step)
{
    return ratelimit_wait_ms(step->view->limit, FAMILY_CHALLENGE, step->now.ms);
}

/* Refusals. */

static void note_answered(PairStep *step, const char *id)
{
    Incoming *incoming = &step->pairing->incoming;
    memcpy(incoming->answered[incoming->answered_next], id, strlen(id) + 1);
    incoming->answered_next = (incoming->answered_next + 1) % INCOMING_ANSWERED_MAX;
}

bool incoming_was_answered(const Incoming *incoming, const char *id)
{
    for (int i = 0; i < INCOMING_ANSWERED_MAX; i++)
        if (id[0] != '\0' && strcmp(incoming->answered[i], id) == 0)
            return true;
    return false;
}

void incoming_refuse(PairStep *step, const char *id, DeclineReason reason)
{
    if (incoming_limited_ms(step) > 0)
        return;
    pair_request(step, PAIR_ASK_DECLINE, id)->reason = reason;
    note_answered(step, id);
}

/* A refusal that never left us is none: the challenge may be found in the list again. */
static void forget_answered(Incoming *incoming, const char *id)
{
    for (int i = 0; i < INCOMING_ANSWERED_MAX; i++)
        if (strcmp(incoming->answered[i], id) == 0)
            incoming->answered[i][0] = '\0';
}

void incoming_refusal_answered(PairStep *step, const char *id, const ApiAnswer *answer)
{
    const PairNote note = { .kind = PAIR_NOTE_DECLINE_ANSWER,
                            .to = api_outcome_name(answer->outcome) };
    if (answer->outcome == API_UNREACHABLE)
        forget_answered(&step->pairing->incoming, id);
    if (answer->outcome != API_OK)
        pair_note(step, &note, answer->reason);
}

/* Acceptances. */

static Acceptance *find_acceptance(PairStep *step, uint32_t ticket)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        if (step->pairing->incoming.acceptances[i].ticket == ticket)
            return &step->pairing->incoming.acceptances[i];
    return NULL;
}

static void note_acceptance(PairStep *step, PairNoteKind kind, const Acceptance *acceptance,
                            const ApiAnswer *answer)
{
    PairNote note = { .kind = kind, .number = answer->status, .count = acceptance->tries };
    memcpy(note.id, acceptance->id, sizeof note.id);
    pair_note(step, &note, answer->reason);
}

/* The server said no: to this challenge, or to games between bots for today. */
static void give_up(PairStep *step, Acceptance *acceptance, const ApiAnswer *answer)
{
    Slots *slots = step->pairing->slots;
    if (pair_learn_quota(step, answer, slots_accepted_player(slots, acceptance->id)))
        incoming_refuse(step, acceptance->id, DECLINE_LATER);
    note_answered(step, acceptance->id);
    slots_forget(slots, acceptance->id);
    acceptance->id[0] = '\0';
}

/* It waits again, with its place kept. */
static void wait_again(PairStep *step, Acceptance *acceptance)
{
    slots_return(step->pairing->slots, acceptance->id);
    acceptance->id[0] = '\0';
    step->pairing->incoming.pause_until_ms = step->now.ms + LOST_PAUSE_MS;
}

/* The game's start, or the lease's end, comes next. */
static void granted(PairStep *step, Acceptance *acceptance)
{
    slots_granted(step->pairing->slots, acceptance->id, step->now.ms);
    acceptance->id[0] = '\0';
}

/* Asks for patience, in a way that another try would not change. */
static bool is_of_us(const ApiAnswer *answer)
{
    return answer->outcome == API_LIMITED || answer->outcome == API_UNAUTHORIZED ||
           answer->outcome == API_FORBIDDEN;
}

bool incoming_accept_answered(PairStep *step, uint32_t ticket, const ApiAnswer *answer)
{
    Acceptance *acceptance = find_acceptance(step, ticket);
    bool is_day_over =
        answer->outcome == API_LIMITED && text_starts_with(answer->limit_key, "bot.vsBot");
    if (!acceptance)
        return false;
    acceptance->ticket = 0;
    if (api_answer_is_denial(answer))
        pair_effect(step, PAIR_DO_REPORT_DENIAL);
    note_acceptance(step, answer->outcome == API_OK ? PAIR_NOTE_ACCEPTED : PAIR_NOTE_NOT_ACCEPTED,
                    acceptance, answer);
    if (answer->outcome == API_OK) {
        granted(step, acceptance);
    } else if (answer->outcome == API_REFUSED || is_day_over) {
        give_up(step, acceptance, answer);
        return true;
    } else if (is_of_us(answer) || acceptance->tries >= ACCEPT_TRIES_MAX) {
        wait_again(step, acceptance);
    } else {
        acceptance->due_ms = step->now.ms + ACCEPT_RETRY_MS;
    }
    return false;
}

static void send_acceptance(PairStep *step, Acceptance *acceptance)
{
    acceptance->due_ms = INT64_MAX;
    acceptance->tries++;
    acceptance->ticket = pair_request(step, PAIR_ASK_ACCEPT, acceptance->id)->ticket;
}

void incoming_drop_acceptance(PairStep *step, const char *id)
{
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &step->pairing->incoming.acceptances[i];
        if (id[0] == '\0' || strcmp(acceptance->id, id) != 0)
            continue;
        pair_hang_up(step, &acceptance->ticket);
        acceptance->id[0] = '\0';
    }
}

void incoming_accept(PairStep *step, const char *id)
{
    PairNote note = { .kind = PAIR_NOTE_ACCEPT_NO_ROOM };
    incoming_drop_acceptance(step, id); /* of a game that is over already */
    for (int i = 0; i < ACCEPTANCES_MAX; i++) {
        Acceptance *acceptance = &step->pairing->incoming.acceptances[i];
        if (acceptance->id[0] != '\0')
            continue;
        *acceptance = (Acceptance){ .tries = 0 };
        memcpy(acceptance->id, id, strlen(id) + 1);
        send_acceptance(step, acceptance);
        return;
    }
    memcpy(note.id, id, strlen(id) + 1);
    pair_note(step, &note, "too many at once");
    slots_forget(step->pairing->slots, id);
}

static bool is_to_be_sent(const Acceptance *acceptance)
{
    return acceptance->id[0] != '\0' && acceptance->ticket == 0;
}

void incoming_answers_time(PairStep *step)
{
    for (int i = 0; i < ACCEPTANCES_MAX && pair_has_room(step); i++) {
        Acceptance *acceptance = &step->pairing->incoming.acceptances[i];
        if (is_to_be_sent(acceptance) && acceptance->due_ms <= step->now.ms)
            send_acceptance(step, acceptance);
    }
}

int64_t incoming_answers_next_at_ms(const Incoming *incoming)
{
    int64_t next = INT64_MAX;
    for (int i = 0; i < ACCEPTANCES_MAX; i++)
        if (is_to_be_sent(&incoming->acceptances[i]))
            next = int64_min(next, incoming->acceptances[i].due_ms);
    return next;
}
