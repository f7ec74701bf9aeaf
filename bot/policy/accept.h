/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accept.h - do we play this challenge, and if not, what do we tell the player?
 * Pure: the rules that hold for the game are laid over the configuration first. The reason is
 * chosen for the player: what he can't change (who he is) comes before what he can (the variant,
 * the clock, rated or not), so that nobody tries again in vain. */
#pragma once
#include "bot/policy/rules.h"

typedef enum {
    VERDICT_ACCEPT, /* by what it asks for; whether there is room is the slots's question */
    VERDICT_DECLINE,
    VERDICT_IGNORE, /* ours, or not for us */
} VerdictKind;

typedef struct {
    VerdictKind kind;
    DeclineReason reason; /* VERDICT_DECLINE: what the server is told */
    const char *why;      /* for the log; "" when accepted */
} Verdict;

/* What the challenger has had with us already, and what the lists by URL say of him. */
typedef struct {
    int games_now; /* games and other challenges of his, accepted or waiting */
    int games_in_hour, games_in_day;
    int rematches;        /* in a row, up to the game of which this would be a rematch */
    bool is_spent;        /* he or we have played the day's games between bots */
    bool is_blocked;      /* by a list on the web */
    bool has_allow_lists; /* there are lists of those allowed … */
    bool is_allowed;      /* … and he is on one */
    bool has_profile;     /* Lichess has told of his account: */
    int games_played, account_days;
} Acquaintance;

/* `our_id`: the account's id, lower case. `known` may be NULL: a stranger. */
Verdict accept_judge(const Challenge *challenge, const Config *config, const char *our_id,
                     const Acquaintance *known);

/* Does the verdict depend on the challenger's account? Without a profile it is passed over. */
bool accept_needs_profile(const Challenge *challenge, const Config *config);

/* Whose challenge comes first of those that wait: the higher, the sooner. */
int64_t accept_rank(const Challenge *challenge, const Config *config);
