/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/oauth.h"
#include "tests/support/unit.h"

#define STATE "0123456789_-abcdefghijABCDEFGHIJ0123456789x"
/* The example of RFC 7636, appendix B. */
static const OauthQuestion question = {
    .verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    .state = STATE,
    .redirect_uri = "http://127.0.0.1:4711/callback",
};

TEST(the_page_to_open_is_what_the_standards_say)
{
    Buf url;
    buf_init(&url, OAUTH_TEXT_MAX);
    assert_true(oauth_write_url(&question, "https://lichess.org", "bot:play a:b", &url));
    assert_string_equal(buf_view(&url),
                        "https://lichess.org/oauth?response_type=code&client_id=castled"
                        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback"
                        "&code_challenge_method=S256"
                        "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                        "&scope=bot%3Aplay%20a%3Ab&state=" STATE);
    buf_release(&url);
    buf_init(&url, 100);
    assert_false(oauth_write_url(&question, "https://lichess.org", "bot:play", &url));
    buf_release(&url);
}

TEST(the_exchange_is_what_the_standards_say)
{
    Buf form;
    buf_init(&form, OAUTH_TEXT_MAX);
    assert_true(oauth_write_exchange(&question, "liu_a&b", &form));
    assert_string_equal(buf_view(&form),
                        "grant_type=authorization_code&code=liu_a%26b"
                        "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
                        "&redirect_uri=http%3A%2F%2F127.0.0.1%3A4711%2Fcallback"
                        "&client_id=castled");
    buf_release(&form);
}

TEST(each_question_has_secrets_of_its_own)
{
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    OauthQuestion asked[2];
    for (int i = 0; i < 2; i++) {
        assert_true(oauth_begin(&asked[i], 65535, NULL));
        assert_int_equal(strlen(asked[i].verifier), OAUTH_SECRET_SIZE - 1);
        assert_int_equal(strspn(asked[i].verifier, allowed), OAUTH_SECRET_SIZE - 1);
        assert_int_equal(strspn(asked[i].state, allowed), OAUTH_SECRET_SIZE - 1);
        assert_string_not_equal(asked[i].state, asked[i].verifier);
        assert_string_equal(asked[i].redirect_uri, "http://127.0.0.1:65535/callback");
    }
    assert_string_not_equal(asked[0].verifier, asked[1].verifier);
    assert_string_not_equal(asked[0].state, asked[1].state);
}

/* What "name=value" pairs say; no pair holds another "=". */
static OauthRedirect judged(const char *const pairs[4])
{
    OauthRedirect answer;
    WebQuery query = { 0 };
    for (int i = 0; i < 4 && pairs[i]; i++) {
        const char *value = strchr(pairs[i], '=');
        query.at[i].name = (Text){ pairs[i], (size_t)(value - pairs[i]) };
        query.at[i].value = text_of(value + 1);
        query.count++;
    }
    oauth_read_redirect(&answer, &question, &query);
    return answer;
}

TEST(each_return_has_its_verdict)
{
    static const struct {
        const char *pairs[4];
        OauthVerdict verdict;
        const char *said; /* code or reason */
    } rows[] = {
        { { "code=liu_abc", "state=" STATE }, OAUTH_CONSENT, "liu_abc" },
        { { "state=" STATE, "code=a/b" }, OAUTH_CONSENT, "a/b" },
        { { "code=a", "x=y", "=", "state=" STATE }, OAUTH_CONSENT, "a" },
        { { "error=access_denied", "state=" STATE }, OAUTH_DENIED, "access_denied" },
        { { "error=access_denied", "error_description=not this\x1btime", "state=" STATE },
          OAUTH_DENIED,
          "not this\\u001btime" },
        { { "code=a", "error=server_error", "state=" STATE }, OAUTH_DENIED, "server_error" },
        { { NULL }, OAUTH_STRANGE, "" },
        { { "code=a" }, OAUTH_STRANGE, "" },
        { { "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a", "state=" STATE "x" }, OAUTH_STRANGE, "" },
        { { "code=a", "state=" }, OAUTH_STRANGE, "" },
        { { "code=a", "State=" STATE }, OAUTH_STRANGE, "" },
        { { "error=a", "state=0" }, OAUTH_STRANGE, "" },
        { { "code=a", "code=b", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a", "error=a", "error=b", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a", "state=" STATE, "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a", "state=x", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a\r\nSet-Cookie", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=a b", "state=" STATE }, OAUTH_STRANGE, "" },
        { { "code=\xc3\xa4", "state=" STATE }, OAUTH_STRANGE, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const OauthRedirect answer = judged(rows[i].pairs);
        if (answer.verdict != rows[i].verdict)
            print_error("row %zu: %d\n", i, (int)answer.verdict);
        assert_int_equal(answer.verdict, rows[i].verdict);
        assert_string_equal(answer.code, rows[i].verdict == OAUTH_CONSENT ? rows[i].said : "");
        assert_string_equal(answer.reason, rows[i].verdict == OAUTH_DENIED ? rows[i].said : "");
    }
}

TEST(a_code_with_a_nul_is_strange)
{
    OauthRedirect answer;
    const WebQuery query = { .count = 2,
                             .at = { { text_of("code"), { "a\0b", 3 } },
                                     { text_of("state"), text_of(STATE) } } };
    oauth_read_redirect(&answer, &question, &query);
    assert_int_equal(answer.verdict, OAUTH_STRANGE);
}

TEST(a_code_that_is_too_long_is_strange_and_a_long_reason_is_cut)
{
    char code[OAUTH_CODE_SIZE + 6], description[1100];
    memset(code, 'x', sizeof code - 1);
    memcpy(code, "code=", 5);
    code[sizeof code - 1] = '\0';
    assert_int_equal(judged((const char *[4]){ code, "state=" STATE }).verdict, OAUTH_STRANGE);
    code[sizeof code - 2] = '\0';
    assert_int_equal(judged((const char *[4]){ code, "state=" STATE }).verdict, OAUTH_CONSENT);
    memset(description, 'x', sizeof description - 1);
    memcpy(description, "error_description=", 18);
    description[sizeof description - 1] = '\0';
    const OauthRedirect answer =
        judged((const char *[4]){ "error=x", description, "state=" STATE });
    assert_int_equal(answer.verdict, OAUTH_DENIED);
    assert_int_equal(strlen(answer.reason), OAUTH_REASON_SIZE - 1);
}

TEST(a_grant_is_a_token_and_its_life)
{
    static const struct {
        const char *body;
        const char *token; /* NULL: refused */
        int64_t life_s;
    } rows[] = {
        { "{\"token_type\":\"Bearer\",\"access_token\":\"lio_a1\",\"expires_in\":31536000}",
          "lio_a1", 31536000 },
        { "{\"access_token\":\"lio_a1\"}", "lio_a1", 0 },
        { "{\"access_token\":\"lio_a1\",\"expires_in\":null}", "lio_a1", 0 },
        { "{\"access_token\":\"lio_a1\",\"expires_in\":-5}", "lio_a1", 0 },
        { "{\"access_token\":\"\"}", NULL, 0 },
        { "{\"access_token\":\"a b\"}", NULL, 0 },
        { "{\"access_token\":\"a\\r\\nb\"}", NULL, 0 },
        { "{\"access_token\":7}", NULL, 0 },
        { "{\"error\":\"invalid_grant\"}", NULL, 0 },
        { "<html>", NULL, 0 },
        { "", NULL, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OauthGrant grant = { .life_s = -1 };
        Error err = { 0 };
        bool ok = oauth_read_grant(&grant, text_of(rows[i].body), &err);
        assert_int_equal(ok, rows[i].token != NULL);
        assert_int_equal(ok, err.code == ERR_NONE);
        assert_null(strstr(err.text, "lio_"));
        if (ok)
            assert_string_equal(grant.token, rows[i].token);
        assert_int_equal(grant.life_s, ok ? rows[i].life_s : -1);
    }
}
