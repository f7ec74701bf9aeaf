/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing_step.h - one step of the state machine on its way: inside pairing.c and its parts only.
 * Pure. */
#pragma once
#include "bot/pairing/pairing_state.h"

/* Challenges of ours that end within one step, each told to its owner before the step is over. */
enum { PAIR_ENDED_MAX = 2 * OUTGOING_MAX };

typedef struct {
    Pairing *pairing;
    const PairView *view;
    PairTime now;
    PairEffects *todo;
    OutgoingResult ended[PAIR_ENDED_MAX];
    int ended_count;
} PairStep;

PairEffect *pair_effect(PairStep *step, PairEffectKind kind);

/* A request with a ticket of its own; `id` may be "". Lent, to be filled in. */
PairRequest *pair_request(PairStep *step, PairAsk ask, const char *id);

/* Ends the request of *ticket, if there is one. */
void pair_hang_up(PairStep *step, uint32_t *ticket);

/* False: what else is to be done must wait for the next step, which is due at once. */
bool pair_has_room(const PairStep *step);

/* Notes give way to what must be done. */
void pair_note(PairStep *step, const PairNote *note, const char *why);

/* As archive_remember() and archive_recall(); what is remembered can be recalled at once, also in
 * the same step, before anybody has carried it out. */
void pair_remember(PairStep *step, FactKind kind, Text id, const char *value,
                   int64_t expires_unix_ms);
const char *pair_recall(const PairStep *step, FactKind kind, Text id);

/* The challenge `id` becomes a rematch of that game: counted (rematches.h). Empty: it is none. */
void pair_note_rematch(PairStep *step, const char *id, Text rematch_of);

/* What a refusal says of bots that have played enough (bot_game_quota.h) is remembered. False: it
 * says nothing of that. */
bool pair_learn_quota(PairStep *step, const ApiAnswer *answer, const char *opponent);

/* A challenge of ours is over. `result->text` is lent for the step. */
void pair_end(PairStep *step, const OutgoingResult *result);
