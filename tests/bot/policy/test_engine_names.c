/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/engine_names.h"
#include "engine/base/clock.h"
#include "tests/support/unit.h"

#include <stdio.h>

static EngineNames names;

/* What the list that we come with makes of it; "-": nothing. */
static const char *found(const char *said)
{
    static char name[ENGINE_NAME_SIZE];
    assert_true(engine_names_parse(&names, engine_names_asset("engines.txt"), NULL));
    return engine_names_find(&names, text_of(said), name) ? name : "-";
}

TEST(a_bots_engine_is_known_by_what_it_says)
{
    static const struct {
        const char *said, *name;
    } rows[] = {
        { "Alba running Stockfish 17 (lichess-bot v2026.1.1)", "stockfish 17" },
        { "alba running Ethereal 14.25 (BotLi 2026.2)", "ethereal 14.25" },
        { "Alba running my own thing (castled 0.1.0)", "my own thing" },
        { "I use Stockfish 16.1 with 4 threads.", "stockfish 16.1" },
        { "STOCKFISH\n  15.\nHave fun", "stockfish 15" },
        { "Powered by Stockfish and coffee", "stockfish" },
        { "Fairy-Stockfish 14", "fairy-stockfish 14" },
        { "engine: Lc0, network 791556", "lc0" },
        { "My own engine, not Stockfish", "-" },
        { "Inspired by Stockfish 16", "-" },
        { "Hi! I'm Alba. Good luck! Type !help for a list of commands I can respond to.", "-" },
        { "", "-" },
        { "   ", "-" },
        { "reckless", "reckless" },
        { "a recklessly written engine", "-" },
        { "caf\xc3\xa9 stockfish\xe2\x80\x8b"
          "17",
          "stockfish 17" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(found(rows[i].said), rows[i].name) != 0)
            fail_msg("\"%s\": %s", rows[i].said, found(rows[i].said));
}

TEST(an_operators_list_is_read_or_refused_with_its_line)
{
    static const struct {
        const char *text, *why;
        int count;
    } rows[] = {
        { "", "", 0 },
        { "# none\n\n", "", 0 },
        { "a = *a*\r\n  b # = *b #*  \n", "", 2 },
        { "{} = *{}*", "", 1 },
        { "a\n", "line 1: not NAME = PATTERN", 0 },
        { "a = *\n= b\n", "line 2: a name has 1 to 47 bytes, a pattern 1 to 119", 0 },
        { "a =\n", "line 1: a name has 1 to 47 bytes, a pattern 1 to 119", 0 },
        { "a # = *a*\n", "line 1: what the name's mark stands for is not in the pattern", 0 },
        { "a = # {}\n", "line 1: more than one # or {} in the pattern", 0 },
        { "a = ##\n", "line 1: more than one # or {} in the pattern", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = { 0 };
        bool ok = engine_names_parse(&names, text_of(rows[i].text), &err);
        if (ok != (rows[i].why[0] == '\0') || strcmp(err.text, rows[i].why) != 0 ||
            names.count != rows[i].count)
            fail_msg("row %zu: %d lines, \"%s\"", i, names.count, err.text);
    }
}

TEST(a_list_has_an_end)
{
    char text[8 * (ENGINE_NAMES_MAX + 1) + 1];
    Error err = { 0 };
    for (int i = 0; i <= ENGINE_NAMES_MAX; i++)
        memcpy(text + 8 * (size_t)i, "ab = cd\n", 9);
    assert_true(engine_names_parse(&names, (Text){ text, 8 * ENGINE_NAMES_MAX }, NULL));
    assert_int_equal(names.count, ENGINE_NAMES_MAX);
    assert_false(engine_names_parse(&names, text_of(text), &err));
    assert_string_equal(err.text, "line 201: more than 200 patterns");
}

TEST(names_are_compared_with_wildcards)
{
    assert_true(engine_name_is_among("stockfish*", "stockfish 17"));
    assert_true(engine_name_is_among("Lc0 , Stockfish *", "stockfish 17"));
    assert_true(engine_name_is_among("lc0,stockfish", "stockfish"));
    assert_false(engine_name_is_among("stockfish", "stockfish 17"));
    assert_false(engine_name_is_among("stockfish*", "fairy-stockfish"));
    assert_false(engine_name_is_among("*", ""));
    assert_false(engine_name_is_among("", "stockfish"));
}

TEST(hostile_words_cost_little_time)
{
    char said[4000], name[ENGINE_NAME_SIZE];
    char list[ENGINE_NAMES_MAX * 40 + 1] = "";
    for (int i = 0; i < ENGINE_NAMES_MAX; i++)
        strcat(list, "a {} = *a*a*a*a*a*a*{}*a*b\n");
    assert_true(engine_names_parse(&names, text_of(list), NULL));
    memset(said, 'a', sizeof said);
    int64_t began_us = clock_now_us();
    assert_false(engine_names_find(&names, (Text){ said, sizeof said }, name));
    assert_true(clock_now_us() - began_us < 200000); /* some 3 ms */
}
