/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/oauth.h"

#include "bot/ops/jsonread.h"
#include "bot/ops/printable.h"
#include "bot/ops/url.h"
#include "engine/base/text_format.h"

#include <assert.h>
#include <ctype.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

enum {
    SECRET_BYTES = 32, /* also what SHA-256 gives */
};
static const int64_t life_most_s = 100LL * 366 * 86400;

static const char client_id[] = "castled";

/* Base64 for URLs, without padding. */
static void write_base64url(char out[OAUTH_SECRET_SIZE], const unsigned char bytes[SECRET_BYTES])
{
    unsigned char padded[OAUTH_SECRET_SIZE + 1];
    int len = EVP_EncodeBlock(padded, bytes, SECRET_BYTES);
    assert(len == OAUTH_SECRET_SIZE && padded[len - 1] == '=');
    (void)len;
    for (int i = 0; i < OAUTH_SECRET_SIZE - 1; i++)
        out[i] = padded[i] == '+' ? '-' : padded[i] == '/' ? '_' : (char)padded[i];
    out[OAUTH_SECRET_SIZE - 1] = '\0';
    OPENSSL_cleanse(padded, sizeof padded);
}

static bool make_secret(char out[OAUTH_SECRET_SIZE], Error *err)
{
    unsigned char bytes[SECRET_BYTES];
    if (RAND_bytes(bytes, sizeof bytes) != 1) {
        error_set(err, ERR_IO, "no randomness");
        return false;
    }
    write_base64url(out, bytes);
    OPENSSL_cleanse(bytes, sizeof bytes);
    return true;
}

bool oauth_begin(OauthQuestion *out, int port, Error *err)
{
    OauthQuestion question;
    text_format(question.redirect_uri, sizeof question.redirect_uri, "http://127.0.0.1:%d%s", port,
                OAUTH_CALLBACK_PATH);
    if (!make_secret(question.verifier, err) || !make_secret(question.state, err))
        return false;
    *out = question;
    return true;
}

bool oauth_write_url(const OauthQuestion *question, const char *base_url, const char *scopes,
                     Buf *out)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    char challenge[OAUTH_SECRET_SIZE];
    unsigned len = 0;
    if (!EVP_Digest(question->verifier, strlen(question->verifier), hash, &len, EVP_sha256(),
                    NULL) ||
        len != SECRET_BYTES)
        return false;
    write_base64url(challenge, hash);
    return buf_printf(out, "%s/oauth?response_type=code&client_id=%s&redirect_uri=", base_url,
                      client_id) &&
           url_put_escaped(out, question->redirect_uri) &&
           buf_printf(out, "&code_challenge_method=S256&code_challenge=%s&scope=", challenge) &&
           url_put_escaped(out, scopes) && buf_printf(out, "&state=%s", question->state);
}

/* ---- the browser's return ---- */

/* What may stand in the query, once each. */
typedef struct {
    char code[OAUTH_CODE_SIZE], state[OAUTH_CODE_SIZE], error[OAUTH_REASON_SIZE], description[2000];
} Answer;

/* False when it holds a NUL, is too long or stands there twice. */
static bool read_argument(Answer *answer, Text name, Text value)
{
    const struct {
        const char *name;
        char *out;
        size_t size;
    } fields[] = {
        { "code", answer->code, sizeof answer->code },
        { "state", answer->state, sizeof answer->state },
        { "error", answer->error, sizeof answer->error },
        { "error_description", answer->description, sizeof answer->description },
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!text_is(name, fields[i].name))
            continue;
        if (fields[i].out[0] != '\0' || memchr(value.at, '\0', value.len) ||
            !text_copy(fields[i].out, fields[i].size, value))
            return false;
    }
    return true;
}

static bool is_code(const char *code)
{
    for (const char *c = code; *c; c++)
        if (*c <= ' ' || *c > '~')
            return false;
    return code[0] != '\0';
}

static OauthVerdict judge(OauthRedirect *out, const OauthQuestion *question, const Answer *answer)
{
    size_t len = strlen(question->state);
    if (strlen(answer->state) != len || CRYPTO_memcmp(answer->state, question->state, len) != 0)
        return OAUTH_STRANGE;
    if (answer->error[0] != '\0') {
        const char *words = answer->description[0] ? answer->description : answer->error;
        printable_copy(out->reason, sizeof out->reason, text_of(words));
        return OAUTH_DENIED;
    }
    if (!is_code(answer->code))
        return OAUTH_STRANGE;
    memcpy(out->code, answer->code, sizeof out->code);
    return OAUTH_CONSENT;
}

void oauth_read_redirect(OauthRedirect *out, const OauthQuestion *question, const WebQuery *query)
{
    Answer answer = { 0 };
    *out = (OauthRedirect){ .verdict = OAUTH_STRANGE };
    bool ok = true;
    for (size_t i = 0; ok && i < query->count; i++)
        ok = read_argument(&answer, query->at[i].name, query->at[i].value);
    if (ok)
        out->verdict = judge(out, question, &answer);
    OPENSSL_cleanse(&answer, sizeof answer);
}

/* ---- the exchange ---- */

bool oauth_write_exchange(const OauthQuestion *question, const char *code, Buf *out)
{
    return buf_put_text(out, "grant_type=authorization_code&code=") && url_put_escaped(out, code) &&
           buf_printf(out, "&code_verifier=%s&redirect_uri=", question->verifier) &&
           url_put_escaped(out, question->redirect_uri) &&
           buf_printf(out, "&client_id=%s", client_id);
}

static bool is_token(Text text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!isalnum((unsigned char)text.at[i]) && text.at[i] != '_')
            return false;
    return text.len > 0 && text.len < OAUTH_TOKEN_SIZE;
}

bool oauth_read_grant(OauthGrant *out, Text body, Error *err)
{
    struct json_object *json = jsonread_parse(body.at, body.len, err);
    if (!json)
        return false;
    Text token = jsonread_text(json, "access_token");
    bool ok = is_token(token);
    if (ok) {
        text_copy(out->token, sizeof out->token, token);
        out->life_s = jsonread_int(json, "expires_in", 0, life_most_s, 0);
    } else {
        error_set(err, ERR_INVALID, "an answer without a token");
    }
    json_object_put(json);
    return ok;
}
