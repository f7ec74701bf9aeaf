/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/redact.h"
#include "tests/support/unit.h"

static const Secrets secrets = { .token = "abcdef123456", .home = "/home/eve", .host = "box" };

/* What becomes of a text; the caller frees. */
static char *redacted(const Secrets *whose, const char *text, size_t len)
{
    char *written = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    redact_text(out, whose, (Text){ text, len });
    assert_int_equal(fclose(out), 0);
    return written;
}

TEST(secrets_are_replaced)
{
    static const struct {
        const char *text, *expected;
    } rows[] = {
        { "", "" },
        { "nothing to hide\n", "nothing to hide\n" },
        { "no newline", "no newline\n" },
        { "Authorization: Bearer abcdef123456", "Authorization: Bearer [token]\n" },
        { "xabcdef123456y", "x[token]y\n" },
        { "abcdef123456abcdef123456", "[token][token]\n" },
        { "another lip_s3cr3ts3cr3t", "another ****************\n" },
        { "/home/eve/.config/castled", "~/.config/castled\n" },
        { "Nov 21 box castled[1]: on box", "Nov 21 [host] castled[1]: on [host]\n" },
        { "box", "[host]\n" },
        { "boxer inbox my-box box2", "boxer inbox my-box box2\n" },
        { "a\x1b[2J\nb\n", "a\\u001b[2J\nb\n" },
        { "\n\n", "\n\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *written = redacted(&secrets, rows[i].text, strlen(rows[i].text));
        assert_string_equal(written, rows[i].expected);
        free(written);
    }
}

TEST(nul_hides_no_token)
{
    static const char text[] = "a\0lip_s3cr3ts3cr3t";
    char *written = redacted(&secrets, text, sizeof text - 1);
    assert_string_equal(written, "a ****************\n");
    free(written);
}

TEST(without_secrets_there_is_nothing_to_replace)
{
    static const Secrets none = { .token = "" };
    char *written = redacted(&none, "box /home/eve", 13);
    assert_string_equal(written, "box /home/eve\n");
    free(written);
}

TEST(a_token_across_the_cut_is_not_shown_in_part)
{
    static char text[REDACT_LINE_MAX + 100];
    memset(text, 'x', sizeof text);
    memcpy(text + REDACT_LINE_MAX - 6, secrets.token, 12);
    char *written = redacted(&secrets, text, sizeof text);
    assert_null(strstr(written, "abcdef"));
    free(written);
}
