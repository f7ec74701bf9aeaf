/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server's description of the token. */
#include "bot/lichess/token_life.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const int64_t now = 1795280000000;
    TokenLife life;
    char words[TOKEN_LIFE_WORDS_SIZE];
    if (!token_life_parse(&life, (Text){ (const char *)data, size }, NULL))
        return 0;
    token_life_write(words, &life, now);
    if (life.expires_unix_ms < 0 || token_life_days(&life, now) < 0 ||
        !memchr(words, '\0', sizeof words))
        abort();
    return 0;
}
