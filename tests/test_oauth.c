/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/oauth.h"
#include "tests/unit.h"

#define STATE "0123456789_-abcdefghijABCDEFGHIJ0123456789x"
/* The example of RFC 7636, appendix B. */
static const OauthQuestion question = {
    .verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    .state = STATE,
    .redirect_uri = "http://127.0.0.1:4711/callback",
};

static void the_page_to_open_is_what_the_standards_say(void **state)
{
    (void)state;
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

static void the_exchange_is_what_the_standards_say(void **state)
{
    (void)state;
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

static void each_question_has_secrets_of_its_own(void **state)
{
    (void)state;
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

#define GOOD "&state=" STATE " HTTP/1.1"

static void each_return_has_its_verdict(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        OauthVerdict verdict;
        const char *said; /* code or reason */
    } rows[] = {
        { "GET /callback?code=liu_abc" GOOD, OAUTH_CONSENT, "liu_abc" },
        { "GET /callback?state=" STATE "&code=a%2Fb HTTP/1.0", OAUTH_CONSENT, "a/b" },
        { "GET /callback?code=a&x=y&&z" GOOD, OAUTH_CONSENT, "a" },
        { "GET /callback?error=access_denied" GOOD, OAUTH_DENIED, "access_denied" },
        { "GET /callback?error=access_denied&error_description=not+this%20time" GOOD, OAUTH_DENIED,
          "not this time" },
        { "GET /callback?code=a&error=server_error" GOOD, OAUTH_DENIED, "server_error" },
        { "", OAUTH_STRANGE, "" },
        { "GET", OAUTH_STRANGE, "" },
        { "GET /callback", OAUTH_STRANGE, "" },
        { "GET /callback HTTP/1.1", OAUTH_STRANGE, "" },
        { "GET /callback?code=a HTTP/1.1", OAUTH_STRANGE, "" },
        { "GET /callback?code=" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a&state=" STATE, OAUTH_STRANGE, "" },
        { "GET /callback?code=a&state=" STATE "x HTTP/1.1", OAUTH_STRANGE, "" },
        { "GET /callback?code=a&state= HTTP/1.1", OAUTH_STRANGE, "" },
        { "GET /callback?error=a&state=0 HTTP/1.1", OAUTH_STRANGE, "" },
        { "GET /callback?code=a&code=b" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a&state=" STATE GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a%" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a%4" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a%4g" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a%00" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a%0d%0aSet-Cookie" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a+b" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=%c3%a4" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback/?code=a" GOOD, OAUTH_STRANGE, "" },
        { "GET //callback?code=a" GOOD, OAUTH_STRANGE, "" },
        { "GET /?code=a" GOOD, OAUTH_STRANGE, "" },
        { "POST /callback?code=a" GOOD, OAUTH_STRANGE, "" },
        { "get /callback?code=a" GOOD, OAUTH_STRANGE, "" },
        { "GET  /callback?code=a" GOOD, OAUTH_STRANGE, "" },
        { "GET /callback?code=a&state=" STATE " FTP", OAUTH_STRANGE, "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OauthRedirect answer;
        oauth_read_redirect(&answer, &question, text_of(rows[i].line));
        if (answer.verdict != rows[i].verdict)
            print_error("%s: %d\n", rows[i].line, (int)answer.verdict);
        assert_int_equal(answer.verdict, rows[i].verdict);
        assert_string_equal(answer.code, rows[i].verdict == OAUTH_CONSENT ? rows[i].said : "");
        assert_string_equal(answer.reason, rows[i].verdict == OAUTH_DENIED ? rows[i].said : "");
    }
}

static void a_code_that_is_too_long_is_strange_and_a_long_reason_is_cut(void **state)
{
    (void)state;
    char line[3000], long_word[1001];
    OauthRedirect answer;
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    assert_true(snprintf(line, sizeof line, "GET /callback?code=%s%s", long_word, GOOD) > 0);
    oauth_read_redirect(&answer, &question, text_of(line));
    assert_int_equal(answer.verdict, OAUTH_STRANGE);
    assert_true(snprintf(line, sizeof line, "GET /callback?error=x&error_description=%s%s",
                         long_word, GOOD) > 0);
    oauth_read_redirect(&answer, &question, text_of(line));
    assert_int_equal(answer.verdict, OAUTH_DENIED);
    assert_int_equal(strlen(answer.reason), OAUTH_REASON_SIZE - 1);
}

static void a_grant_is_a_token_and_its_life(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_page_to_open_is_what_the_standards_say),
        cmocka_unit_test(the_exchange_is_what_the_standards_say),
        cmocka_unit_test(each_question_has_secrets_of_its_own),
        cmocka_unit_test(each_return_has_its_verdict),
        cmocka_unit_test(a_code_that_is_too_long_is_strange_and_a_long_reason_is_cut),
        cmocka_unit_test(a_grant_is_a_token_and_its_life),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
