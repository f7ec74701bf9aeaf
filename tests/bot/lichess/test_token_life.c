/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/token_life.h"
#include "tests/support/unit.h"

#include <stdio.h>

#define NOW ((int64_t)1795280000000) /* 2026-11-21 16:53 UTC */
#define DAY ((int64_t)86400000)

TEST(the_answer_says_whether_the_token_is_good_and_until_when)
{
    static const struct {
        const char *body;
        bool is_good;
        int64_t expires;
    } rows[] = {
        { "{\"lip_x\":{\"userId\":\"a\",\"scopes\":\"bot:play\",\"expires\":1795280000001}}", true,
          1795280000001 },
        { "{\"lip_x\":{\"userId\":\"a\",\"expires\":null}}", true, INT64_MAX },
        { "{\"lip_x\":{}}", true, INT64_MAX },
        { "{\"lip_x\":{\"expires\":\"soon\"}}", true, INT64_MAX },
        { "{\"lip_x\":{\"expires\":-5}}", true, 0 },
        { "{\"lip_x\":{\"expires\":9e18}}", true, 253402300799000 },
        { "{\"lip_x\":null}", false, INT64_MAX },
        { "{\"lip_x\":7}", false, INT64_MAX },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TokenLife life;
        assert_true(token_life_parse(&life, text_of(rows[i].body), NULL));
        if (life.is_good != rows[i].is_good || life.expires_unix_ms != rows[i].expires)
            fail_msg("%s: %d, %lld", rows[i].body, life.is_good, (long long)life.expires_unix_ms);
    }
}

TEST(what_is_no_such_answer_is_refused)
{
    static const char *const bodies[] = { "", "{}", "[]", "null", "{\"a\":", "<html>", "\xff" };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        TokenLife life = { .expires_unix_ms = 7 };
        Error err = { 0 };
        assert_false(token_life_parse(&life, text_of(bodies[i]), &err));
        assert_true(error_is_set(&err));
        assert_int_equal(life.expires_unix_ms, 7);
    }
}

TEST(days_are_counted_whole_and_told)
{
    static const struct {
        TokenLife life;
        int64_t days;
        const char *words;
    } rows[] = {
        { { true, NOW + 365 * DAY }, 365, "good for 365 days, until 2027-11-21" },
        { { true, NOW + 30 * DAY }, 30, "good for 30 days, until 2026-12-21" },
        { { true, NOW + 30 * DAY - 1 },
          29,
          "good for 29 days, until 2026-12-21; castled login gets a new one" },
        { { true, NOW + DAY },
          1,
          "good for 1 day, until 2026-11-22; castled login gets a new one" },
        { { true, NOW + DAY - 1 },
          0,
          "good for 0 days, until 2026-11-22; castled login gets a new one" },
        { { true, 1358467200000 },
          INT64_MAX,
          "not known: it is taken, though by our clock it expired on 2013-01-18" },
        { { true, INT64_MAX }, INT64_MAX, "it does not expire by itself" },
        { { false, INT64_MAX }, 0, "the server has no such token" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char words[TOKEN_LIFE_WORDS_SIZE];
        assert_int_equal(token_life_days(&rows[i].life, NOW), rows[i].days);
        token_life_write(words, &rows[i].life, NOW);
        assert_string_equal(words, rows[i].words);
        assert_int_equal(token_life_is_known(&rows[i].life, NOW),
                         rows[i].life.is_good && rows[i].days != INT64_MAX);
    }
}

TEST(a_token_is_urgent_from_two_weeks_before_its_end)
{
    static const struct {
        TokenLife life;
        bool is_urgent;
    } rows[] = {
        { { true, NOW + 15 * DAY }, false },    { { true, NOW + 14 * DAY }, false },
        { { true, NOW + 14 * DAY - 1 }, true }, { { true, NOW + 1 }, true },
        { { true, NOW - 1 }, false }, /* it is taken all the same: a clock is wrong */
        { { true, INT64_MAX }, false },         { { false, NOW + DAY }, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (token_life_is_urgent(&rows[i].life, NOW) != rows[i].is_urgent)
            fail_msg("row %zu", i);
}
