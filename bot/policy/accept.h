/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accept.h - do we play this challenge, and if not, what do we tell the player?
 * Pure: the rules that hold for the game are laid over the configuration first. The reason is
 * chosen for the player: what he can't change (who he is) comes before what he can (the variant,
 * the clock, rated or not), so that nobody tries again in vain. */
#pragma once
#include "bot/policy/rules.h"

typedef enum {
    VERDICT_ACCEPT, /* by what it asks for; whether there is room is the ledger's question */
    VERDICT_DECLINE,
    VERDICT_IGNORE, /* ours, or not for us */
} VerdictKind;

typedef struct {
    VerdictKind kind;
    DeclineReason reason; /* VERDICT_DECLINE: what the server is told */
    const char *why;      /* for the log; "" when accepted */
} Verdict;

/* `our_id`: the account's id, lower case. */
Verdict accept_judge(const Challenge *challenge, const Config *config, const char *our_id);
