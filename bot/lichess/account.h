/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.h - may this token play? The verdict on the answer to GET /api/account.
 * Pure: the caller makes the call (ENDPOINT_ACCOUNT). */
#pragma once
#include "bot/lichess/api_answer.h"
#include "bot/lichess/event.h"

typedef enum {
    ACCOUNT_READY,       /* a BOT with bot:play */
    ACCOUNT_TOKEN_WRONG, /* 401 */
    ACCOUNT_REFUSED,     /* 403, or closed by Lichess */
    ACCOUNT_NOT_BOT,     /* a human's account */
    ACCOUNT_NO_SCOPE,    /* token without bot:play */
    ACCOUNT_UNREACHABLE, /* network, 5xx, 429: try again later */
    ACCOUNT_UNTRUSTED,   /* certificate not trusted: trying again won't help by itself */
    ACCOUNT_UNREADABLE,  /* an answer that is no account: wrong url? */
} AccountVerdict;

typedef struct {
    AccountVerdict verdict;
    char id[USER_ID_SIZE]; /* "" unless the account was read */
    char name[USER_ID_SIZE];
    int games_played; /* count.all */
    bool has_bio;     /* without one a bot is in no list of bots */
    bool is_marked;   /* by Lichess, for breaking its terms: it plays on, but in no arena */
    char advice[500]; /* one line: what is wrong and what to do; "" when ready and not marked */
} AccountCheck;

/* `base_url` for the advice's links. */
void account_judge(AccountCheck *out, const ApiAnswer *answer, const char *base_url);

/* True where only the operator can help: exit 77. */
bool account_is_hopeless(AccountVerdict verdict);
