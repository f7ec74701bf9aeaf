/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What comes back from a browser, and what the server gives for it: whatever the bytes, a code is
 * printable and comes with our state only, and a token is a token. */
#include "bot/lichess/oauth.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static const OauthQuestion question = { .verifier = "v", .state = "state" };

/* Cuts the text off at the first `mark`; the rest stays in *from. */
static Text cut(Text *from, char mark)
{
    const char *at = from->len > 0 ? memchr(from->at, mark, from->len) : NULL;
    Text first = { from->at, at ? (size_t)(at - from->at) : from->len };
    size_t gone = first.len + (at ? 1 : 0);
    *from = (Text){ from->at + gone, from->len - gone };
    return first;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const Text text = { (const char *)data, size };
    OauthRedirect answer;
    OauthGrant grant = { 0 };
    Error err = { 0 };
    WebQuery query = { 0 };
    Text rest = text;
    while (rest.len > 0 && query.count < WEB_ARGUMENTS_MAX) {
        query.at[query.count].name = cut(&rest, '=');
        query.at[query.count++].value = cut(&rest, '&');
    }
    oauth_read_redirect(&answer, &question, &query);
    must(memchr(answer.code, '\0', sizeof answer.code));
    must(memchr(answer.reason, '\0', sizeof answer.reason));
    must((answer.verdict == OAUTH_CONSENT) == (answer.code[0] != '\0'));
    must(answer.verdict == OAUTH_DENIED || answer.reason[0] == '\0');
    for (const char *c = answer.code; *c; c++)
        must(*c > ' ' && *c <= '~');
    if (answer.verdict != OAUTH_STRANGE)
        must(memmem(data, size, "state=", 6));
    bool ok = oauth_read_grant(&grant, text, &err);
    must(ok == (err.code == ERR_NONE) && ok == (grant.token[0] != '\0'));
    for (const char *c = grant.token; *c; c++)
        must(isalnum((unsigned char)*c) || *c == '_');
    must(grant.life_s >= 0);
    return 0;
}
