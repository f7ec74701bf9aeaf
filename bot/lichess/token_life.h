/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token_life.h - how long the token is still good: the answer of POST /api/token/test. One by
 * `castled login` lives for a year, one made by hand for ever. Pure: the time comes in. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>

enum {
    TOKEN_LIFE_SHORT_DAYS = 30,  /* castled check warns */
    TOKEN_LIFE_URGENT_DAYS = 14, /* the daemon warns, each day */
    TOKEN_LIFE_WORDS_SIZE = 120,
};

typedef struct {
    bool is_good;            /* the server accepts it */
    int64_t expires_unix_ms; /* INT64_MAX: not by itself */
} TokenLife;

/* The answer's only member, whose name is the token and is not looked at. */
bool token_life_parse(TokenLife *out, Text body, Error *err) MUST_CHECK;

/* Is there a time at which it will expire? One that is past, for a token that is taken, is none. */
bool token_life_is_known(const TokenLife *life, int64_t now_unix_ms);

/* Whole days; 0: today, or no such token. INT64_MAX: for ever, or not known. */
int64_t token_life_days(const TokenLife *life, int64_t now_unix_ms);

/* Does it expire in less than TOKEN_LIFE_URGENT_DAYS, by what is known? */
bool token_life_is_urgent(const TokenLife *life, int64_t now_unix_ms);

/* "good for 254 days, until 2027-08-03", and what to do where that is soon. */
void token_life_write(char out[TOKEN_LIFE_WORDS_SIZE], const TokenLife *life, int64_t now_unix_ms);
