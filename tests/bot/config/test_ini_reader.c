/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/ini_reader.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

static void note_section(void *user, int line, const char *section)
{
    assert_true(buf_printf(user, "%d[%s]\n", line, section));
}

static void note_key(void *user, int line, const char *section, const char *key, const char *value)
{
    assert_true(buf_printf(user, "%d %s.%s=%s\n", line, section, key, value));
}

static void note_problem(void *user, int line, const char *message)
{
    assert_true(buf_printf(user, "%d! %s\n", line, message));
}

/* What the reader makes of `text`, in `out`. */
static const char *read_all(Buf *out, const char *text, size_t len)
{
    IniCallbacks callbacks = { note_section, note_key, note_problem, out };
    buf_reset(out);
    ini_read(text, len, &callbacks);
    return buf_view(out);
}

TEST(lines_become_sections_and_keys)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "", "" },
        { "\n\n", "" },
        { "[a]\nx = 1\ny=2\n", "1[a]\n2 a.x=1\n3 a.y=2\n" },
        { "[a]\r\nx = 1\r\n", "1[a]\n2 a.x=1\n" },
        { "[a]\nx = 1", "1[a]\n2 a.x=1\n" },
        { "# one\n; two\n[a]\n\n x = 1 ; rest\n", "3[a]\n5 a.x=1\n" },
        { "[a]\nx = a;b\n", "1[a]\n2 a.x=a;b\n" },
        { "[a]\nx = 1 # kept\n", "1[a]\n2 a.x=1 # kept\n" },
        { "[a]\nx =\n", "1[a]\n2 a.x=\n" },
        { "[a]\nx = ; nothing\n", "1[a]\n2 a.x=\n" },
        { "[a]\nx =;y\n", "1[a]\n2 a.x=;y\n" },
        { "[a]\nx = y = z\n", "1[a]\n2 a.x=y = z\n" },
        { "[a] ; first\n[b]# second\n", "1[a]\n2[b]\n" },
        { "\xef\xbb\xbf[a]\nx = 1\n", "1[a]\n2 a.x=1\n" },
        { "x = 1\n", "1 .x=1\n" },
        { "[rule late night]\nwhen.speed = blitz\n",
          "1[rule late night]\n2 rule late night.when.speed=blitz\n" },
        /* An indented line is a line of its own, never a continuation. */
        { "[a]\nx = 1\n  y = 2\n\tz = 3\n", "1[a]\n2 a.x=1\n3 a.y=2\n4 a.z=3\n" },
        { "[a]\nx = 1\n  more\n", "1[a]\n2 a.x=1\n3! neither [section] nor key = value\n" },
    };
    Buf out;
    buf_init(&out, 1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(read_all(&out, rows[i].in, strlen(rows[i].in)), rows[i].out);
    buf_release(&out);
}

TEST(broken_lines_are_told_and_the_rest_is_read)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "nonsense\n[a]\nx = 1\n", "1! neither [section] nor key = value\n2[a]\n3 a.x=1\n" },
        { "[a\nx = 1\n", "1! a section needs a closing ]\n2 ?.x=1\n" },
        { "[a ;]\n", "1! a section needs a closing ]\n" },
        { "[a] b\n", "1! nothing may follow a section's ]\n" },
        { "[a]\n= 1\n", "1[a]\n2! no key before the =\n" },
        { "[a]\nx: 1\n", "1[a]\n2! write key = value, with =\n" },
        { "[a]\nx ; y = 1\n", "1[a]\n2! neither [section] nor key = value\n" },
        { "[a]\nx = \x01\n", "1[a]\n2! holds a control character\n" },
        { "[123456789012345678901234567890123456789012345678901234567890123456789012345678901234567"
          "8901"
          "2345678901]\nx = 1\n",
          "1! section name longer than 100 bytes\n2 ?.x=1\n" },
    };
    Buf out;
    buf_init(&out, 1 << 20);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(read_all(&out, rows[i].in, strlen(rows[i].in)), rows[i].out);
    assert_string_equal(read_all(&out, "[a]\nx = 1\0y\n", 12),
                        "1[a]\n2! holds a control character\n");
    buf_release(&out);
}

TEST(the_longest_lines_come_whole_and_longer_ones_not_at_all)
{
    Buf out;
    buf_init(&out, 1 << 20);
    for (size_t len = 3900; len <= 4100; len++) {
        char text[5000] = "[a]\nx = ";
        memset(text + 8, 'v', len - 4);
        memcpy(text + 4 + len, "\ny = 2\n", 8);
        const char *got = read_all(&out, text, strlen(text));
        char expected[5000];
        if (len <= INI_LINE_LONGEST)
            assert_true(snprintf(expected, sizeof expected, "1[a]\n2 a.x=%.*s\n3 a.y=2\n",
                                 (int)len - 4, text + 8) > 0);
        else
            assert_true(snprintf(expected, sizeof expected,
                                 "1[a]\n2! longer than 4000 bytes (a list of users may be given in "
                                 "several lines)\n3 a.y=2\n") > 0);
        assert_string_equal(got, expected);
    }
    buf_release(&out);
}

TEST(many_lines_keep_their_numbers)
{
    Buf text, out;
    buf_init(&text, 1 << 20);
    buf_init(&out, 1 << 20);
    assert_true(buf_put_text(&text, "[a]\n"));
    for (int i = 0; i < 5000; i++)
        assert_true(buf_put_text(&text, i % 3 ? "\n" : "# comment\n"));
    assert_true(buf_put_text(&text, "x = 1\n"));
    assert_string_equal(read_all(&out, text.text, text.len), "1[a]\n5002 a.x=1\n");
    buf_release(&text);
    buf_release(&out);
}
