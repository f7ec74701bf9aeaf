/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/url.h"
#include "tests/support/unit.h"

TEST(values_are_escaped_as_rfc_3986_says)
{
    Buf out;
    buf_init(&out, 100);
    assert_true(url_put_escaped(&out, ""));
    assert_string_equal(buf_view(&out), "");
    assert_true(url_put_escaped(&out, "aZ09-._~ /+&=%\xc3\xa4\n"));
    assert_string_equal(buf_view(&out), "aZ09-._~%20%2F%2B%26%3D%25%C3%A4%0A");
    buf_release(&out);
    buf_init(&out, 5);
    assert_false(url_put_escaped(&out, "//"));
    buf_release(&out);
}

TEST(an_origin_is_scheme_host_and_port)
{
    static const struct {
        const char *url, *origin; /* NULL: refused */
    } rows[] = {
        { "https://lichess.org", "https://lichess.org" },
        { "https://lichess.org/", "https://lichess.org" },
        { "https://lichess.org:8443/a/b?c=d#e", "https://lichess.org:8443" },
        { "https://lichess.org?https://evil.org", "https://lichess.org" },
        { "https://lichess.org#@evil.org", "https://lichess.org" },
        { "https://lichess.org.evil.org/", "https://lichess.org.evil.org" },
        { "http://localhost/a", "http://localhost" },
        { "http://127.0.0.1:80/b", "http://127.0.0.1:80" },
        { "http://[::1]:80", "http://[::1]:80" },
        { "", NULL },
        { "/", NULL },
        { "lichess.org", NULL },
        { "https://", NULL },
        { "https://:80", NULL },
        { "ftp://localhost/", NULL },
        { "file:///etc/passwd", NULL },
        { "javascript:alert(1)", NULL },
        { "http://lichess.org", NULL },
        { "http://localhost.evil.org", NULL },
        { "http://127.0.0.1@evil.org", NULL },
        { "https://lichess.org@evil.org", NULL },
        { "https://me:pw@lichess.org", NULL },
        { "https://a:70000", NULL },
        { "https://a:0", NULL },
        { "https://a:x", NULL },
        { "https://[::1", NULL },
        { "https://a b", NULL },
        { "https://a\r\nHost: b", NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char origin[40] = "untouched";
        Error err = { 0 };
        bool ok = url_origin(origin, sizeof origin, rows[i].url, &err);
        if (ok != (rows[i].origin != NULL))
            print_error("%s: %s%s\n", rows[i].url, origin, err.text);
        assert_int_equal(ok, rows[i].origin != NULL);
        assert_int_equal(ok, err.code == ERR_NONE);
        assert_string_equal(origin, ok ? rows[i].origin : "untouched");
    }
}

TEST(an_origin_that_does_not_fit_is_an_error)
{
    char origin[10];
    Error err = { 0 };
    assert_false(url_origin(origin, sizeof origin, "https://ab", &err));
    assert_int_equal(err.code, ERR_RANGE);
    assert_true(url_origin(origin, sizeof origin, "https://a/", NULL));
    assert_string_equal(origin, "https://a");
}
