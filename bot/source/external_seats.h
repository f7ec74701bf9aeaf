/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_seats.h - which process of an external engine a game gets, and of which version.
 *
 * One process is kept warm. When the engine's file or its section changes, the new version is tried
 * (external_trial.h), and games that begin from then on get it; those that run keep theirs. One
 * that fails the trial is refused, and told. After faults the section's `previous` program comes
 * back, if it has one. Loop thread only. */
#pragma once
#include "bot/source/external_version.h"

typedef struct ExternalSeats ExternalSeats;

/* `engine` as external_source_new() has it. `on_version`: another version is in force from now on;
 * also called within this call. */
bool external_seats_new(ExternalSeats **out, uv_loop_t *loop, const ExternalEngine *engine,
                        void (*on_version)(void *user, const ExternalVersion *version), void *user,
                        Error *err) MUST_CHECK;

/* A process for a game, and its version, which the game leaves with external_seats_give_back().
 * NULL without memory. */
ExternalWorker *external_seats_take(ExternalSeats *seats, ExternalVersion **version);

/* `worker` may be NULL. */
void external_seats_give_back(ExternalSeats *seats, ExternalWorker *worker,
                              ExternalVersion *version);

/* What the engine's section says by now. */
void external_seats_configure(ExternalSeats *seats, const ExternalConfig *config);

/* A game was lost by, or given up with, this version. Two in a row bring the previous one back. */
void external_seats_blame(ExternalSeats *seats, const ExternalVersion *version);

/* A game with this version is over, without such a fault. */
void external_seats_praise(ExternalSeats *seats, const ExternalVersion *version);

/* Has a process come up that no game has taken yet? */
bool external_seats_is_warm(const ExternalSeats *seats);

/* All that were taken have been given back. NULL is fine. */
void external_seats_close(ExternalSeats *seats);
