/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/http_head.h"
#include "tests/unit.h"

static void assert_text(Text text, const char *expected)
{
    if (!text_is(text, expected))
        fail_msg("'%.*s' is not '%s'", TEXT_ARGS(text), expected);
}

/* True when the last line ended the head, and none before it. */
static bool read_lines(HttpHeadReader *reader, const char *const *lines)
{
    bool is_end = false;
    for (; *lines; lines++) {
        assert_false(is_end);
        is_end = http_head_line(reader, *lines, strlen(*lines));
    }
    return is_end;
}

static void what_matters_is_kept(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "HTTP/1.1 200 OK\r\n",
        "Content-Type: application/x-ndjson \r\n",
        "x-oauth-SCOPES:\tchallenge:write, bot:play\r\n",
        "ETag: \"a:b\"\r\n",
        "Retry-After: 61\r\n",
        "Retry-Afterwards: 5\r\n",
        "\r\n",
        NULL,
    };
    HttpHeadReader reader = { 0 };
    assert_true(read_lines(&reader, lines));
    assert_text(reader.head.content_type, "application/x-ndjson");
    assert_text(reader.head.oauth_scopes, "challenge:write, bot:play");
    assert_true(reader.head.has_oauth_scopes);
    assert_text(reader.head.etag, "\"a:b\"");
    assert_int_equal(reader.head.retry_after_s, 61);
}

static void a_token_without_scopes_is_told_from_no_token(void **state)
{
    (void)state;
    static const char *const empty[] = { "X-OAuth-Scopes:\r\n", "\n", NULL };
    static const char *const none[] = { "Server: nginx\r\n", "\r\n", NULL };
    HttpHeadReader reader = { 0 };
    assert_true(read_lines(&reader, empty));
    assert_true(reader.head.has_oauth_scopes);
    assert_text(reader.head.oauth_scopes, "");
    reader = (HttpHeadReader){ 0 };
    assert_true(read_lines(&reader, none));
    assert_false(reader.head.has_oauth_scopes);
}

static void a_second_status_line_begins_anew(void **state)
{
    (void)state;
    static const char *const lines[] = { "HTTP/1.1 103 Early Hints\r\n", "ETag: \"early\"\r\n",
                                         "Retry-After: 9\r\n", "HTTP/1.1 200 OK\r\n", NULL };
    HttpHeadReader reader = { 0 };
    assert_false(read_lines(&reader, lines));
    assert_text(reader.head.etag, "");
    assert_int_equal(reader.head.retry_after_s, 0);
}

static void what_makes_no_sense_counts_as_not_told(void **state)
{
    (void)state;
    static const char *const values[] = {
        "",    "soon", "-1", "86401", "99999999999999999999", "Wed, 21 Oct 2026 07:28:00 GMT",
        "5 s", "\x01"
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        HttpHeadReader reader = { 0 };
        char line[100];
        int len = snprintf(line, sizeof line, "Retry-After: %s\r\n", values[i]);
        assert_false(http_head_line(&reader, line, (size_t)len));
        assert_int_equal(reader.head.retry_after_s, 0);
    }
    static const char *const oddities[] = { "",       ":",         "ETag",          "ETag\r\n",
                                            "HTTP/",  "HTT",       " ETag: \"x\"",  "ETag : \"x\"",
                                            "ETagg:", "Content-T", "\xff\xfe: \x80" };
    for (size_t i = 0; i < sizeof oddities / sizeof *oddities; i++) {
        HttpHeadReader reader = { 0 };
        assert_false(http_head_line(&reader, oddities[i], strlen(oddities[i])));
        assert_text(reader.head.etag, "");
        assert_text(reader.head.content_type, "");
    }
}

static void what_is_longer_than_its_place_counts_as_not_told(void **state)
{
    (void)state;
    for (size_t len = HTTP_ETAG_SIZE - 2; len <= HTTP_ETAG_SIZE + 1; len++) {
        HttpHeadReader reader = { 0 };
        char line[HTTP_ETAG_SIZE + 20] = "ETag: ";
        memset(line + 6, 'x', len);
        assert_false(http_head_line(&reader, line, 6 + len));
        assert_int_equal(reader.head.etag.len, len < HTTP_ETAG_SIZE ? len : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_matters_is_kept),
        cmocka_unit_test(a_token_without_scopes_is_told_from_no_token),
        cmocka_unit_test(a_second_status_line_begins_anew),
        cmocka_unit_test(what_makes_no_sense_counts_as_not_told),
        cmocka_unit_test(what_is_longer_than_its_place_counts_as_not_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
