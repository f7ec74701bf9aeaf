/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_trial.h - tries a version of an external engine before games get it: it must answer uci
 * and isready, and find a legal move in a second. Loop thread only. */
#pragma once
#include "bot/source/external_version.h"

typedef struct ExternalTrial ExternalTrial;

/* The trial is over, and gone after the call. `worker`: the engine's, idle, for the callee; NULL:
 * it has failed, and `why` says how. */
typedef void ExternalTrialOnEnd(void *user, ExternalVersion *version, ExternalWorker *worker,
                                const char *why);

/* `version` is lent until the end. */
bool external_trial_new(ExternalTrial **out, uv_loop_t *loop, ExternalVersion *version,
                        ExternalTrialOnEnd *on_end, void *user, Error *err) MUST_CHECK;

ExternalVersion *external_trial_version(const ExternalTrial *trial);

/* Breaks it off, without on_end. NULL is fine. */
void external_trial_close(ExternalTrial *trial);
