/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/incoming.h"

#include "bot/pairing/arenas.h"
#include "bot/pairing/challenger.h"
#include "bot/pairing/incoming_answers.h"
#include "bot/pairing/outgoing.h"
#include "bot/pairing/player_profiles.h"
#include "bot/pairing/waiting.h"
#include "bot/policy/play_time.h"
#include "bot/model/odds.h"
#include "engine/base/text_format.h"

#include <string.h>

static void note(PairStep *step, PairNoteKind kind, const char *id, const char *why)
{
    PairNote to = { .kind = kind };
    memcpy(to.id, id, strlen(id) + 1);
    pair_note(step, &to, why);
}

/* What is too long is cut: it is for the log. */
static void note_challenge(PairStep *step, PairNoteKind kind, const Challenge *challenge,
                           const char *why)
{
    PairNote to = { .kind = kind };
    PairNoteChallenge *what = &to.challenge;
    memcpy(to.id, challenge->id, sizeof to.id);
    player_text(&challenge->challenger, what->from);
    what->rating = challenge->challenger.rating;
    what->rated = challenge->rated;
    text_format_cut(what->variant, sizeof what->variant, "%.*s",
                    TEXT_ARGS(challenge->variant_text));
    text_format_cut(what->speed, sizeof what->speed, "%.*s", TEXT_ARGS(challenge->speed_text));
    time_control_text(&challenge->time, what->clock);
    pair_note(step, &to, why);
}

static void decline(PairStep *step, const Challenge *challenge, DeclineReason reason,
                    const char *why)
{
    note_challenge(step, PAIR_NOTE_DECLINED, challenge, why);
    incoming_refuse(step, challenge->id, reason);
}

static SlotsPlayer player_of(const Challenge *challenge)
{
    return slots_player(text_of(challenge->challenger.id),
                        player_is_bot_account(&challenge->challenger) ? KIND_BOT : KIND_HUMAN);
}

/* Challenges whose owners' accounts are being asked for. */

static Event *find_held(Incoming *incoming, const char *id)
{
    for (int i = 0; i < INCOMING_HELD_MAX; i++)
        if (incoming->held[i].json && strcmp(incoming->held[i].challenge.id, id) == 0)
            return &incoming->held[i];
    return NULL;
}

static void hold(PairStep *step, const Event *event)
{
    Incoming *incoming = &step->pairing->incoming;
    for (int i = 0; i < INCOMING_HELD_MAX; i++) {
        if (incoming->held[i].json)
            continue;
        incoming->held[i] = event_share(event);
        return;
    }
    decline(step, &event->challenge, DECLINE_LATER, "too many at once");
}

/* True if there is nothing to decide now: the challenger's profile is asked for, or cannot be. */
static bool wait_for_profile(PairStep *step, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    if (!player_profiles_may_ask(step)) {
        decline(step, challenge, DECLINE_LATER, "too many at once");
        return true;
    }
    if (!player_profiles_ask(step, text_of(challenge->challenger.id)))
        return false;
    hold(step, event);
    return true;
}

/* A newer challenge of a player takes the place of the older ones. */
static void drop_replaced(PairStep *step, const Challenge *challenge)
{
    Incoming *incoming = &step->pairing->incoming;
    SlotsPlayer player = player_of(challenge);
    PairNote replaced = { .kind = PAIR_NOTE_REPLACED };
    if (challenge->rematch_of.len > 0)
        return;
    while (slots_replace(step->pairing->slots, player.id, challenge->id, replaced.id))
        pair_note(step, &replaced, challenge->id);
    for (int i = 0; i < INCOMING_HELD_MAX; i++) {
        const Challenge *held = &incoming->held[i].challenge;
        if (incoming->held[i].json && held->rematch_of.len == 0 && player.id[0] != '\0' &&
            strcmp(held->challenger.id, player.id) == 0 && strcmp(held->id, challenge->id) != 0)
            event_release(&incoming->held[i]);
    }
}

static GameFacts facts_of(const PairStep *step, const Challenge *challenge)
{
    GameFacts game = facts_of_challenge(challenge);
    game.engine = pair_recall(step, FACT_RUNS, text_of(challenge->challenger.id));
    return game;
}

/* True while a bot's biography, on which a rule turns, is asked for. */
static bool wait_for_engine(PairStep *step, const Event *event, const ChallengerFacts *challenger)
{
    const Challenge *challenge = &event->challenge;
    const GameFacts game = facts_of(step, challenge);
    return player_is_bot_account(&challenge->challenger) && !game.engine &&
           challenger->profile == PROFILE_UNKNOWN &&
           rules_turn_on_engine(step->view->config, &game) && player_profiles_may_ask(step) &&
           wait_for_profile(step, event);
}

/* Gathers, then decides. */
static Verdict decide(const PairStep *step, const Challenge *challenge, ChallengerFacts *challenger)
{
    const GameFacts game = facts_of(step, challenge);
    GameSettings settings;
    rules_apply(step->view->config, &game, &settings, NULL);
    *challenger = challenger_facts(step, challenge);
    return accept_decide(challenge, step->view->config, &settings, step->view->our_id, challenger);
}

/* Challenges that we would like to play. */

static const char *why_it_waits(const PairStep *step, const SlotsTerms *terms)
{
    if (terms->must_wait)
        return "rate limit";
    if (!slots_has_free(step->pairing->slots, terms->kind, terms->player.kind))
        return "all slots taken";
    return step->now.ms < step->pairing->incoming.pause_until_ms
               ? "an acceptance was lost, and is tried again"
               : "others come first, who may have left";
}

static void offer(PairStep *step, const Challenge *challenge, int64_t rank)
{
    const SlotsTerms terms = {
        .kind = challenge->time.kind == TIME_CLOCK ? SLOTS_REALTIME : SLOTS_CORRESPONDENCE,
        .must_wait = incoming_limited_ms(step) > 0,
        .player = player_of(challenge),
        .wanted = { challenge->time, challenge->variant, challenge->rated },
        .rank = rank,
        .is_rematch = challenge->rematch_of.len > 0,
    };
    switch (slots_offer(step->pairing->slots, challenge->id, &terms, step->now.ms)) {
    case SLOTS_TAKEN:
        note_challenge(step, PAIR_NOTE_ACCEPTING, challenge, "as configured");
        incoming_accept(step, challenge->id);
        break;
    case SLOTS_WAITS:
        note_challenge(step, PAIR_NOTE_WAITS, challenge, why_it_waits(step, &terms));
        waiting_serve(step);
        break;
    case SLOTS_QUEUED_BEHIND:
        note_challenge(step, PAIR_NOTE_WAITS, challenge, "an earlier one is being accepted");
        break;
    case SLOTS_DUPLICATE: /* reported again: the owner is there */
        waiting_serve(step);
        break;
    case SLOTS_NO_ROOM:
        decline(step, challenge, DECLINE_LATER, "queue is full");
        break;
    }
}

static void take(PairStep *step, const Challenge *challenge, int64_t rank)
{
    const PairView *view = step->view;
    if (view->is_draining) {
        decline(step, challenge, DECLINE_LATER, "draining");
    } else if (!play_time_suffices(&challenge->time, view->ends_ms, step->now.ms)) {
        decline(step, challenge, DECLINE_TOO_SLOW, "castled ends before such a game can");
    } else if (arenas_are_on(&step->pairing->arenas) && challenge->time.kind == TIME_CLOCK) {
        decline(step, challenge, DECLINE_LATER, "in a tournament");
    } else {
        pair_note_rematch(step, challenge->id, challenge->rematch_of);
        offer(step, challenge, rank);
    }
}

bool incoming_fulfil(PairStep *step, const ChallengeRequest *request, const Player *player,
                     Error *err)
{
    const Challenge as_if_theirs = {
        .challenger = *player,
        .has_challenger = true,
        .variant = request->variant,
        .speed = speed_of_clock(request->base_s, request->increment_s),
        .rated = request->rated,
        .time = { .kind = TIME_CLOCK,
                  .base_s = request->base_s,
                  .increment_s = request->increment_s },
        .challenger_colour = COLOUR_NONE,
        .final_colour = request->colour == COLOUR_NONE ? COLOUR_NONE
                        : request->colour == WHITE     ? BLACK
                                                       : WHITE,
        .initial_fen = text_of(request->fen),
        .rematch_of = text_of(request->rematch_of),
        .playable = true,
    };
    const OutgoingOwner owner = { .kind = OWNER_PLAYER };
    ChallengerFacts challenger;
    Verdict verdict = decide(step, &as_if_theirs, &challenger);
    if (verdict.kind != VERDICT_ACCEPT) {
        error_set(err, ERR_NOT_NOW, "their own challenge would be declined: %s", verdict.why);
        return false;
    }
    return outgoing_begin(step, request, OUTGOING_LATER_MS, owner, err);
}

/* The server's rematch changes the colours over, and with them who has less: so we decline it, and
 * challenge to a game in which they get the odds once more. */
static bool gives_odds_again(PairStep *step, const Challenge *challenge)
{
    OddsGiven odds = odds_given(challenge->initial_fen);
    Colour us = facts_of_challenge(challenge).colour;
    ChallengeRequest request = { .base_s = (int)challenge->time.base_s,
                                 .increment_s = (int)challenge->time.increment_s,
                                 .variant = challenge->variant,
                                 .colour = odds.giver };
    if (incoming_was_answered(&step->pairing->incoming, challenge->id) ||
        challenge->rematch_of.len == 0 || challenge->time.kind != TIME_CLOCK ||
        odds.giver == COLOUR_NONE || us == COLOUR_NONE || us == odds.giver ||
        !text_copy(request.fen, sizeof request.fen, challenge->initial_fen) ||
        !text_copy(request.rematch_of, sizeof request.rematch_of, challenge->rematch_of) ||
        !text_copy(request.opponent, sizeof request.opponent, text_of(challenge->challenger.id)) ||
        !incoming_fulfil(step, &request, &challenge->challenger, NULL))
        return false;
    decline(step, challenge, DECLINE_GENERIC, "odds: offered with the colours as they were");
    return true;
}

void incoming_consider(PairStep *step, const Event *event)
{
    const Challenge *challenge = &event->challenge;
    ChallengerFacts challenger;
    if (find_held(&step->pairing->incoming, challenge->id) || gives_odds_again(step, challenge))
        return;
    drop_replaced(step, challenge);
    Verdict verdict = decide(step, challenge, &challenger);
    if (verdict.kind != VERDICT_IGNORE && wait_for_engine(step, event, &challenger))
        return;
    if (verdict.needs_profile && challenger.profile == PROFILE_UNKNOWN &&
        wait_for_profile(step, event))
        return;
    switch (verdict.kind) {
    case VERDICT_IGNORE:
        note(step, PAIR_NOTE_IGNORED, challenge->id, verdict.why);
        break;
    case VERDICT_DECLINE:
        decline(step, challenge, verdict.reason, verdict.why);
        break;
    case VERDICT_ACCEPT:
        if (verdict.needs_profile)
            note_challenge(step, PAIR_NOTE_NOT_VETTED, challenge, "the account could not be read");
        take(step, challenge, verdict.rank);
        break;
    }
}

void incoming_found(PairStep *step, const Event *event)
{
    Incoming *incoming = &step->pairing->incoming;
    const char *id = event->challenge.id;
    if (slots_knows(step->pairing->slots, id) || incoming_was_answered(incoming, id) ||
        find_held(incoming, id))
        return;
    note(step, PAIR_NOTE_FOUND, id, "");
    incoming_consider(step, event);
}

void incoming_profile_known(PairStep *step, const char *user_id)
{
    Incoming *incoming = &step->pairing->incoming;
    for (int i = 0; i < INCOMING_HELD_MAX; i++) {
        Event event = incoming->held[i];
        if (!event.json || strcmp(event.challenge.challenger.id, user_id) != 0)
            continue;
        incoming->held[i] = (Event){ 0 };
        incoming_consider(step, &event);
        event_release(&event);
    }
}

void incoming_withdraw(PairStep *step, const Challenge *challenge)
{
    if (slots_forget(step->pairing->slots, challenge->id))
        note(step, PAIR_NOTE_CANCELED, challenge->id, "");
    Event *held = find_held(&step->pairing->incoming, challenge->id);
    if (held)
        event_release(held);
    incoming_drop_acceptance(step, challenge->id);
    waiting_serve(step);
}

void incoming_release(Incoming *incoming)
{
    for (int i = 0; i < INCOMING_HELD_MAX; i++)
        event_release(&incoming->held[i]);
}
