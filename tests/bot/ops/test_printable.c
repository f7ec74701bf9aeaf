/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/printable.h"
#include "tests/support/unit.h"

TEST(what_acts_on_the_reader_is_escaped)
{
    static const struct {
        const char *name, *text, *shown;
    } rows[] = {
        { "nothing", "", "" },
        { "plain", "Alba, 1500 (BOT)", "Alba, 1500 (BOT)" },
        { "letters of the world", "Ø ñ ж 象 🙂", "Ø ñ ж 象 🙂" },
        { "newline", "a\nb", "a\\nb" },
        { "carriage return and tab", "a\r\tb", "a\\u000d\\u0009b" },
        { "clearing the screen", "\x1b[2J", "\\u001b[2J" },
        { "a C1 control in UTF-8",
          "\xc2\x9b"
          "2J",
          "\\u009b2J" },
        { "a C1 control in Latin-1",
          "\x9b"
          "2J",
          "\\x9b2J" },
        { "delete", "\x7f", "\\u007f" },
        { "text turned round", "abc\xe2\x80\xaegpj.exe", "abc\\u202egpj.exe" },
        { "an isolate", "\xe2\x81\xa6x", "\\u2066x" },
        { "an Arabic letter mark", "\xd8\x9cx", "\\u061cx" },
        { "zero width",
          "a\xe2\x80\x8b"
          "b",
          "a\\u200bb" },
        { "line separator", "\xe2\x80\xa8", "\\u2028" },
        { "byte order mark", "\xef\xbb\xbfx", "\\ufeffx" },
        { "a tag", "\xf3\xa0\x81\x81", "\\ue0041" },
        { "a byte alone", "a\xff", "a\\xff" },
        { "an overlong newline", "\xc0\x8a", "\\xc0\\x8a" },
        { "a surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80" },
        { "beyond Unicode", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" },
        { "a letter cut short", "\xe8\xb1", "\\xe8\\xb1" },
        { "a letter broken off", "\xe8\xb1\x41", "\\xe8\\xb1\x41" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char shown[100];
        printable_copy(shown, sizeof shown, text_of(rows[i].text));
        if (strcmp(shown, rows[i].shown) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", rows[i].name, shown, rows[i].shown);
    }
}

TEST(a_nul_is_shown_too)
{
    char shown[20];
    printable_copy(shown, sizeof shown, (Text){ "a\0b", 3 });
    assert_string_equal(shown, "a\\u0000b");
}

TEST(a_cut_tears_no_character)
{
    char shown[20];
    static const char *const expected[] = { "", "a", "a", "aé", "aé", "aé", "aé\\n", "aé\\nb" };
    static const size_t sizes[] = { 1, 2, 3, 4, 5, 5, 6, 7 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        printable_copy(shown, sizes[i], text_of("aé\nb"));
        assert_string_equal(shown, expected[i]);
    }
}

TEST(a_stream_gets_the_whole_text)
{
    char *written = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&written, &len);
    assert_non_null(out);
    printable_print(out, text_of("Alba\x1b"));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(written, "Alba\\u001b");
    free(written);
}
