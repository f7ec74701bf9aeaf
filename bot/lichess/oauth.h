/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oauth.h - a token by the consent that the account's owner gives in a browser: the authorization
 * code of OAuth 2 with PKCE (RFC 6749, 7636, 8252), in Lichess's form. Programs are not registered
 * and have no secret, and the browser is sent back to a port on loopback.
 *
 * The order: oauth_begin(), the owner opens oauth_write_url(), their browser brings what
 * oauth_read_redirect() reads, and the server gives the token for oauth_write_exchange(). No
 * network here; randomness and hashes are OpenSSL's. */
#pragma once
#include "bot/ops/web_server.h"
#include "engine/base/buf.h"
#include "engine/base/text.h"

#include <stdint.h>

enum {
    OAUTH_SECRET_SIZE = 44, /* 256 bits in base64url */
    OAUTH_URI_SIZE = 48,
    OAUTH_CODE_SIZE = 513,
    OAUTH_REASON_SIZE = 200,
    OAUTH_TOKEN_SIZE = 1025,
    OAUTH_TEXT_MAX = 4096, /* what the two oauth_write_…() need at most */
};

#define OAUTH_CALLBACK_PATH "/callback" /* where the browser comes back to */

typedef struct {
    char verifier[OAUTH_SECRET_SIZE]; /* shows the server that who comes for the token has asked */
    char state[OAUTH_SECRET_SIZE];    /* shows us that an answer is to our question */
    char redirect_uri[OAUTH_URI_SIZE];
} OauthQuestion;

/* For a browser that comes back to `port`. False without randomness. */
bool oauth_begin(OauthQuestion *out, int port, Error *err) MUST_CHECK;

/* The page to open; `scopes` apart by blanks. False when `out` is full. */
bool oauth_write_url(const OauthQuestion *question, const char *base_url, const char *scopes,
                     Buf *out) MUST_CHECK;

typedef enum {
    OAUTH_STRANGE, /* not Lichess's answer to our request: any page may have made it */
    OAUTH_DENIED,  /* see reason */
    OAUTH_CONSENT, /* see code */
} OauthVerdict;

typedef struct {
    OauthVerdict verdict;
    char code[OAUTH_CODE_SIZE];     /* printable ASCII without blanks */
    char reason[OAUTH_REASON_SIZE]; /* in words, made printable, cut when too long */
} OauthRedirect;

/* Reads what the browser has asked for at OAUTH_CALLBACK_PATH. Any bytes may come. */
void oauth_read_redirect(OauthRedirect *out, const OauthQuestion *question, const WebQuery *query);

/* The form for POST /api/token. It holds secrets. False when `out` is full. */
bool oauth_write_exchange(const OauthQuestion *question, const char *code, Buf *out) MUST_CHECK;

typedef struct {
    char token[OAUTH_TOKEN_SIZE]; /* [A-Za-z0-9_]+ */
    int64_t life_s;               /* 0: without end, or unknown */
} OauthGrant;

/* The answer to it, when that was a 200. */
bool oauth_read_grant(OauthGrant *out, Text body, Error *err) MUST_CHECK;
