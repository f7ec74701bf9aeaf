/* SPDX-License-Identifier: GPL-3.0-or-later */
/* api_answer.h - the end of a call to the server, and what it means to whoever asked. Pure. */
#pragma once
#include "bot/lichess/ratelimit.h"
#include "engine/base/text.h"

typedef enum {
    API_OK,           /* 2xx, received; a stream: it ended in good order */
    API_REFUSED,      /* 3xx, 4xx but those below: the server said no, in its own words, for good */
    API_UNAUTHORIZED, /* 401: token missing, wrong, revoked */
    API_FORBIDDEN,    /* 403 in the server's own words: a scope, a ban, a closed door */
    API_LIMITED,      /* 429, see `wait_s`; or not sent, having waited too long (status 0) */
    API_SERVER_ERROR, /* 5xx, or a refusal that is no JSON, a proxy's: may be done */
    API_UNREACHABLE,  /* not sent: no name, no connection, or a certificate that we don't trust */
    API_LOST,         /* sent or half sent, no answer: may have been carried out */
    API_SILENT,       /* a stream went silent */
} ApiOutcome;

/* Lent for the callback. */
typedef struct {
    ApiOutcome outcome;
    ApiFamily family;
    int status;         /* HTTP status, 0: none */
    const char *reason; /* one line in words: the server's, or ours ("" for API_OK) */
    Text limit_key;     /* of a ratelimit object; empty: none */
    int64_t wait_s;     /* by the server: ratelimit.seconds, minutes, Retry-After; 0: none */
    bool is_untrusted;  /* API_UNREACHABLE for the certificate's sake */
    Text oauth_scopes;  /* see HttpHead */
    bool has_oauth_scopes;
    Text body;
    int64_t elapsed_us;
    int64_t unix_s; /* the server's clock; 0: unknown */
} ApiAnswer;

/* The server does not take our token, or not for this. Other 403s speak of something else: a ban
 * for some minutes, a marked account. */
static inline bool api_answer_is_denial(const ApiAnswer *answer)
{
    return answer->outcome == API_UNAUTHORIZED ||
           (answer->outcome == API_FORBIDDEN &&
            text_starts_with(text_of(answer->reason), "Missing scope"));
}

/* What an answer means to whoever asked. */
typedef enum {
    API_DONE,
    API_NO,      /* in the server's own words: the same request would get the same answer */
    API_NOT_NOW, /* a limit, our token, a lost line: the same request may pass later */
} ApiWord;
ApiWord api_answer_word(const ApiAnswer *answer);

const char *api_outcome_name(ApiOutcome outcome);
