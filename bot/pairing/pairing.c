/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/pairing.h"

#include "bot/pairing/arenas.h"
#include "bot/pairing/incoming.h"
#include "bot/pairing/incoming_answers.h"
#include "bot/pairing/matchmaker.h"
#include "bot/pairing/outgoing.h"
#include "bot/pairing/player_profiles.h"
#include "bot/pairing/schedule.h"
#include "bot/pairing/team_arenas.h"
#include "bot/pairing/waiting.h"
#include "engine/base/minmax.h"

#include <string.h>

void pairing_init(Pairing *pairing, Slots *slots, const PairView *view, uint64_t seed, PairTime now)
{
    memset(pairing, 0, sizeof *pairing);
    pairing->slots = slots;
    outgoing_init(&pairing->outgoing);
    schedule_init(&pairing->schedule, view, now);
    matchmaker_init(&pairing->matchmaker, view, seed, now);
    waiting_init(&pairing->incoming, view);
    arenas_init(&pairing->arenas);
    team_arenas_init(&pairing->team_arenas);
}

void pairing_release(Pairing *pairing)
{
    matchmaker_release(&pairing->matchmaker);
    incoming_release(&pairing->incoming);
}

static void tell_owner(PairStep *step, const OutgoingResult *result)
{
    switch (result->owner.kind) {
    case OWNER_OPERATOR:
        pair_effect(step, PAIR_DO_TELL)->result = *result;
        break;
    case OWNER_SCHEDULE:
        schedule_challenge_ended(step, result);
        break;
    case OWNER_MATCHMAKER:
        matchmaker_challenge_ended(step, result);
        break;
    case OWNER_PLAYER: /* who knows */
        break;
    }
}

/* What an owner does about an end begins and ends no challenge. Its slot is free for others. */
static void tell_owners(PairStep *step)
{
    int count = step->ended_count;
    for (int i = 0; i < count; i++)
        tell_owner(step, &step->ended[i]);
    step->ended_count = 0;
    if (count > 0)
        waiting_serve(step);
}

/* Profiles that do not come in time. */
static void expire_profiles(PairStep *step)
{
    char user[USER_ID_SIZE];
    while (pair_has_room(step) && player_profiles_expire(step, user))
        incoming_profile_known(step, user);
}

static void take_time(PairStep *step)
{
    expire_profiles(step);
    incoming_answers_time(step);
    waiting_time(step);
    outgoing_time(step);
    tell_owners(step);
    schedule_time(step);
    matchmaker_time(step);
    team_arenas_time(step);
}

static void take_answer(PairStep *step, const PairInput *input)
{
    uint32_t ticket = input->request.ticket;
    char user[USER_ID_SIZE];
    switch (input->request.ask) {
    case PAIR_ASK_CREATE:
        outgoing_stream_ended(step, ticket, input->request.answer);
        break;
    case PAIR_ASK_CANCEL:
        outgoing_cancelled(step, ticket);
        break;
    case PAIR_ASK_ACCOUNT:
    case PAIR_ASK_ONLINE_BOTS:
    case PAIR_ASK_STATUS:
        matchmaker_answer(step, ticket, input->request.answer);
        break;
    case PAIR_ASK_ACCEPT:
        if (incoming_accept_answered(step, ticket, input->request.answer))
            waiting_serve(step);
        break;
    case PAIR_ASK_DECLINE:
        incoming_refusal_answered(step, input->request.id, input->request.answer);
        break;
    case PAIR_ASK_CHALLENGES:
        waiting_list_answered(step, ticket, input->request.answer);
        break;
    case PAIR_ASK_PROFILE:
        if (player_profiles_answered(step, ticket, input->request.answer, user))
            incoming_profile_known(step, user);
        break;
    case PAIR_ASK_ARENA:
    case PAIR_ASK_JOIN:
    case PAIR_ASK_WITHDRAW:
        arenas_answered(step, ticket, input->request.ask, input->request.answer);
        break;
    case PAIR_ASK_TEAM_ARENAS:
        team_arenas_list_ended(step, ticket, input->request.answer);
        break;
    }
}

/* A line of a stream: each of the two knows its own ticket. */
static void take_line(PairStep *step, const PairInput *input)
{
    outgoing_line(step, input->request.ticket, input->request.line);
    team_arenas_line(step, input->request.ticket, input->request.line);
}

static void take_arena_order(PairStep *step, const PairInput *input)
{
    Error *refusal = &step->todo->refusal;
    if (input->kind == PAIR_ON_JOIN_ORDER)
        (void)!arenas_join(step, input->order.arena, input->order.number, refusal);
    else
        (void)!arenas_leave(step, input->order.arena, input->order.number, refusal);
}

static void follow_settings(PairStep *step)
{
    waiting_serve(step);
    arenas_follow(step);
    team_arenas_follow(step);
}

static void take_order(PairStep *step, const PairInput *input)
{
    Error *refusal = &step->todo->refusal;
    const OutgoingOwner owner = { OWNER_OPERATOR, input->order.number };
    if (input->kind == PAIR_ON_CHALLENGE_ORDER)
        (void)!outgoing_begin(step, input->order.challenge, OUTGOING_AT_ONCE_MS, owner, refusal);
    else if (input->kind == PAIR_ON_SCHEDULE_ORDER)
        step->todo->match_number = schedule_add(
            step, input->order.challenge, input->order.at_unix_s, input->order.games, refusal);
    else if (!schedule_drop(step, (int)input->order.number))
        error_set(refusal, ERR_NOT_NOW, "nothing of that number is scheduled");
}

static void take_input(PairStep *step, const PairInput *input)
{
    switch (input->kind) {
    case PAIR_ON_TIME:
        take_time(step);
        break;
    case PAIR_ON_ANSWER:
        take_answer(step, input);
        break;
    case PAIR_ON_LINE:
        take_line(step, input);
        break;
    case PAIR_ON_CHALLENGE:
        incoming_consider(step, input->event);
        break;
    case PAIR_ON_FOUND:
        incoming_found(step, input->event);
        break;
    case PAIR_ON_STREAM_OPENED:
        waiting_stream_opened(step);
        break;
    case PAIR_ON_SLOT_FREED:
        waiting_serve(step);
        break;
    case PAIR_ON_SEND_AWAY:
        waiting_send_away(step, input->why);
        break;
    case PAIR_ON_SETTINGS:
        follow_settings(step);
        break;
    case PAIR_ON_GAME_STARTED:
        if (input->game.is_new)
            matchmaker_game_started(step, input->game.info);
        outgoing_started(step, input->game.info->id);
        arenas_game_started(step, input->game.info);
        break;
    case PAIR_ON_GAME_FINISHED:
        arenas_game_finished(step, input->game.info);
        break;
    case PAIR_ON_DECLINED:
        outgoing_declined(step, input->challenge);
        break;
    case PAIR_ON_CANCELED:
        incoming_withdraw(step, input->challenge);
        outgoing_canceled(step, input->challenge->id);
        break;
    case PAIR_ON_LATE_FACTS:
        schedule_recall(step, input->facts);
        matchmaker_recall(step, input->facts);
        arenas_recall(step);
        break;
    case PAIR_ON_CHALLENGE_ORDER:
    case PAIR_ON_SCHEDULE_ORDER:
    case PAIR_ON_UNSCHEDULE_ORDER:
        take_order(step, input);
        break;
    case PAIR_ON_WISH:
        (void)!incoming_fulfil(step, input->order.challenge, input->order.player,
                               &step->todo->refusal);
        break;
    case PAIR_ON_JOIN_ORDER:
    case PAIR_ON_LEAVE_ORDER:
        take_arena_order(step, input);
        break;
    }
}

void pairing_step(Pairing *pairing, const PairInput *input, const PairView *view, PairTime now,
                  PairEffects *todo)
{
    PairStep step = { .pairing = pairing, .view = view, .now = now, .todo = todo };
    todo->count = 0;
    todo->match_number = 0;
    todo->refusal = (Error){ .code = ERR_NONE };
    arenas_turn(&step);
    take_input(&step, input);
    tell_owners(&step);
    if (input->kind != PAIR_ON_JOIN_ORDER && input->kind != PAIR_ON_LEAVE_ORDER)
        arenas_tend(&step); /* an order is answered by a later step (I5) */
}

int64_t pairing_next_at_ms(const Pairing *pairing, const PairView *view, PairTime now)
{
    int64_t next = int64_min(pairing->schedule.look_ms, pairing->matchmaker.look_ms);
    next = int64_min(next, waiting_next_at_ms(pairing, view, now.ms));
    next = int64_min(next, incoming_answers_next_at_ms(&pairing->incoming));
    next = int64_min(next, player_profiles_next_at_ms(&pairing->profiles));
    next = int64_min(next, arenas_next_at_ms(&pairing->arenas));
    next = int64_min(next, team_arenas_next_at_ms(&pairing->team_arenas));
    return int64_min(next, outgoing_next_at_ms(&pairing->outgoing));
}
