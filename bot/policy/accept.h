/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accept.h - do we play this challenge, and if not, which reason does the player get? What they
 * cannot change (who they are) comes before what they can (the variant, the clock, rated or not).
 * So no player tries again in vain. Pure. */
#pragma once
#include "bot/policy/rules.h"

typedef enum {
    VERDICT_ACCEPT, /* by what it asks for; whether there is room is for slots.h to say */
    VERDICT_DECLINE,
    VERDICT_IGNORE, /* our own, or not for us */
} VerdictKind;

typedef struct {
    VerdictKind kind;
    DeclineReason reason; /* VERDICT_DECLINE: the reason for the server */
    const char *why;      /* for the log; "" when accepted */
    bool needs_profile;   /* VERDICT_ACCEPT, but for the account, which is not known */
    int64_t rank;         /* VERDICT_ACCEPT: of those that wait, the highest comes first */
} Verdict;

typedef enum {
    PROFILE_UNKNOWN, /* Lichess was not asked yet */
    PROFILE_KNOWN,
    PROFILE_MISSING, /* Lichess did not answer: its conditions are passed over */
} ProfileState;

/* What is known of the challenger besides the challenge. All zero: a stranger. */
typedef struct {
    int games_now; /* games and other challenges of theirs, accepted or waiting */
    int games_in_hour, games_in_day;
    int rematches;        /* in a row, up to the game of which this would be a rematch */
    bool is_spent;        /* they or we have played the day's games between bots */
    bool is_blocked;      /* by a list on the web */
    bool has_allow_lists; /* there are lists of those allowed … */
    bool is_allowed;      /* … and they are on one */
    ProfileState profile;
    int games_played, account_days; /* PROFILE_KNOWN */
} ChallengerFacts;

/* `settings`: those of `config` with the rules for this game laid over (rules_apply()). `our_id`:
 * the account's id, lower case. */
Verdict accept_decide(const Challenge *challenge, const Config *config,
                      const GameSettings *settings, const char *our_id,
                      const ChallengerFacts *challenger);
