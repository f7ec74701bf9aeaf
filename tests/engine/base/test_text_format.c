/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/text_format.h"
#include "tests/support/unit.h"

TEST(texts_that_fit_are_written_whole)
{
    char out[6];
    assert_int_equal(text_format(out, sizeof out, "%d-%s", 12, "ab"), 5);
    assert_string_equal(out, "12-ab");
    assert_int_equal(text_format_cut(out, sizeof out, "%s", ""), 0);
    assert_string_equal(out, "");
    assert_true(text_format_fits(out, sizeof out, "%s", "abcde"));
    assert_string_equal(out, "abcde");
}

TEST(a_cut_leaves_whole_characters)
{
    static const struct {
        const char *name, *text;
        size_t size;
        const char *kept;
    } rows[] = {
        { .name = "one byte of ASCII too many", .text = "abcdef", .size = 6, .kept = "abcde" },
        { .name = "room for the NUL only", .text = "abc", .size = 1, .kept = "" },
        { .name = "half of two bytes", .text = "abé", .size = 4, .kept = "ab" },
        { .name = "two of three bytes", .text = "ab…", .size = 5, .kept = "ab" },
        { .name = "one of three bytes", .text = "ab…", .size = 4, .kept = "ab" },
        { .name = "three of four bytes", .text = "a😀", .size = 5, .kept = "a" },
        { .name = "behind a whole character", .text = "a😀b", .size = 6, .kept = "a😀" },
        { .name = "only half a character", .text = "😀", .size = 3, .kept = "" },
        { .name = "bytes that are no UTF-8",
          .text = "\x80\x80\x80\x80\x80",
          .size = 5,
          .kept = "\x80\x80\x80\x80" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[8];
        size_t len = text_format_cut(out, rows[i].size, "%s", rows[i].text);
        if (strcmp(out, rows[i].kept) != 0 || len != strlen(rows[i].kept))
            fail_msg("%s: \"%s\", %zu bytes", rows[i].name, out, len);
    }
}

TEST(a_name_that_does_not_fit_is_none)
{
    char out[6] = "before";
    assert_false(text_format_fits(out, sizeof out, "%s/%s", "abc", "de"));
    assert_string_equal(out, "");
}
