/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pairing_shell.h - connects pairing.h to the world: events, answers and orders go in, effects are
 * carried out. One timer. Loop thread only. */
#pragma once
#include "bot/account/event_stream.h"
#include "bot/pairing/pairing.h"

typedef struct PairingShell PairingShell;

/* All is lent and outlives it. `seed` for the draws. */
bool pairing_shell_new(PairingShell **out, const BotContext *context, const EventStream *events,
                       uint64_t seed, Error *err) MUST_CHECK;

/* Nothing more is called; what is scheduled stays so. The memory goes in close callbacks (I8). NULL
 * is fine. */
void pairing_shell_close(PairingShell *shell);

/* An event, or facts that were read late. */
void pairing_shell_take(PairingShell *shell, const PairInput *input);

typedef void PairingOnEnd(void *user, const OutgoingResult *result);

/* Challenges, and withdraws after a short time; `on_end` comes once, from the loop. False and an
 * Error in words for the operator when that is not possible now. */
bool pairing_shell_challenge(PairingShell *shell, const ChallengeRequest *request,
                             PairingOnEnd *on_end, void *user, Error *err) MUST_CHECK;

/* The same for an opponent who wishes for it, if a challenge of theirs to such a game would be
 * accepted. They have a minute to answer; nobody is told. */
bool pairing_shell_fulfil(PairingShell *shell, const ChallengeRequest *request,
                          const Player *player, Error *err) MUST_CHECK;

/* Returns the number; 0 and an Error when there is no room. */
int pairing_shell_schedule(PairingShell *shell, const ChallengeRequest *request, int64_t at_unix_s,
                           int games, Error *err) MUST_CHECK;

/* False: there is none of that number. A game that goes on is played. */
bool pairing_shell_unschedule(PairingShell *shell, int number);

/* What became of it; `text` is lent for the call: the tournament's name, or why not. */
typedef void PairingOnArena(void *user, bool is_done, const char *text);

/* Joins or leaves the tournament; `on_end` comes once, from the loop. False and an Error in words
 * for the operator when that is not possible now. */
bool pairing_shell_join(PairingShell *shell, const ArenaSpec *spec, PairingOnArena *on_end,
                        void *user, Error *err) MUST_CHECK;
bool pairing_shell_leave(PairingShell *shell, const ArenaSpec *spec, PairingOnArena *on_end,
                         void *user, Error *err) MUST_CHECK;

/* The state machine, for status and metrics. Lent. */
const Pairing *pairing_shell_view(const PairingShell *shell);
