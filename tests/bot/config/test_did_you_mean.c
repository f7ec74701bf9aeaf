/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/did_you_mean.h"
#include "tests/support/unit.h"

TEST(distances_are_the_textbooks)
{
    static const struct {
        const char *a, *b;
        int distance;
    } rows[] = {
        { "", "", 0 },
        { "", "abc", 3 },
        { "abc", "", 3 },
        { "hash", "hash", 0 },
        { "Hash", "hAsh", 0 },
        { "kitten", "sitting", 3 },
        { "saturday", "sunday", 3 },
        { "hahs", "hash", 1 },
        { "ca", "abc", 3 }, /* optimal string alignment, not full Damerau-Levenshtein */
        { "concurency", "concurrency", 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(edit_distance(rows[i].a, rows[i].b), rows[i].distance);
        assert_int_equal(edit_distance(rows[i].b, rows[i].a), rows[i].distance);
    }
}

TEST(long_texts_are_far_apart)
{
    char text[5000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(edit_distance(text, text), 64);
    assert_int_equal(edit_distance("x", text), 64);
}

TEST(only_a_near_word_is_suggested)
{
    static const char *const keys[] = { "threads", "hash", "move_overhead", "nodes", "depth" };
    size_t count = sizeof keys / sizeof *keys;
    assert_string_equal(did_you_mean("thread", keys, count), "threads");
    assert_string_equal(did_you_mean("moveoverhead", keys, count), "move_overhead");
    assert_string_equal(did_you_mean("HASH", keys, count), "hash");
    assert_string_equal(did_you_mean("dept", keys, count), "depth");
    assert_null(did_you_mean("syzygy", keys, count));
    assert_null(did_you_mean("", keys, count));
    assert_null(did_you_mean("x", keys, count));
    assert_null(did_you_mean("hash", keys, 0));
}
