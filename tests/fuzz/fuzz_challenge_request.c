/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A challenge in the operator's words: what is read and written again is read as the same. */
#include "bot/pairing/challenge_request.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ChallengeRequest request, again;
    Error err = { 0 };
    Buf words;
    bool ok = challenge_request_read(&request, (Text){ (const char *)data, size }, &err);
    must(ok == (err.code == ERR_NONE));
    if (!ok)
        return 0;
    buf_init(&words, 1000);
    must(challenge_request_write(&request, &words));
    must(challenge_request_read(&again, text_of(buf_view(&words)), NULL));
    must(text_is(text_of(request.opponent), again.opponent) && request.base_s == again.base_s &&
         request.increment_s == again.increment_s && request.rated == again.rated &&
         request.variant == again.variant && request.colour == again.colour &&
         text_is(text_of(request.fen), again.fen));
    buf_release(&words);
    return 0;
}
