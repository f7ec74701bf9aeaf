/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/engine_share.h"
#include "bot/config/external_config.h"
#include "engine/base/text_format.h"
#include "tests/support/unit.h"

#include <stdlib.h>

enum { ENGINES = 3, GAMES = 1000 };

/* "share name", in the order of the file. */
static Config make(const int shares[ENGINES])
{
    static const char *const names[ENGINES] = { "new", "old", "third" };
    Config config = { .external_count = ENGINES };
    config.externals = test_malloc(ENGINES * sizeof *config.externals);
    for (int i = 0; i < ENGINES; i++) {
        external_config_init(&config.externals[i], names[i], 1);
        config.externals[i].share = shares[i];
    }
    return config;
}

/* How many of a thousand games each plays alone; the last: the words are something else. */
static void count(const Config *config, const char *words, int out[ENGINES + 1])
{
    char id[16], drawn[CONFIG_TEXT_SIZE], again[CONFIG_TEXT_SIZE];
    memset(out, 0, (ENGINES + 1) * sizeof *out);
    for (int game = 0; game < GAMES; game++) {
        int at = 0;
        text_format(id, sizeof id, "%08x", (unsigned)game * 2654435761U);
        assert_true(engine_share_draw(config, words, VARIANT_STANDARD, text_of(id), drawn));
        assert_true(engine_share_draw(config, words, VARIANT_STANDARD, text_of(id), again));
        assert_string_equal(drawn, again);
        while (at < ENGINES && strcmp(drawn, config->externals[at].name) != 0)
            at++;
        out[at]++;
    }
}

/* Three standard deviations of a count of `percent` of the games. */
static void assert_share(int games, int percent)
{
    double off = games - GAMES * percent / 100.0;
    if (off * off > 9.0 * GAMES * percent * (100 - percent) / 10000.0)
        fail_msg("%d games of %d where %d %% were meant", games, GAMES, percent);
}

TEST(a_thousand_games_fall_as_the_shares_say)
{
    static const struct {
        int shares[ENGINES];
        int percent[ENGINES + 1];
        const char *words;
    } rows[] = {
        { { CONFIG_AUTO, 30, 0 }, { 70, 30, 0, 0 }, "all" },
        { { 50, 30, 20 }, { 50, 30, 20, 0 }, "all" },
        { { 100, 100, 0 }, { 50, 50, 0, 0 }, "all" },
        { { 60, 30, CONFIG_AUTO }, { 0, 30, 70, 0 }, "old third" },
        { { 20, 30, CONFIG_AUTO }, { 20, 30, 0, 50 }, "new old" }, /* the rest is castled's */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int games[ENGINES + 1];
        Config config = make(rows[i].shares);
        count(&config, rows[i].words, games);
        for (int at = 0; at <= ENGINES; at++)
            assert_share(games[at], rows[i].percent[at]);
        test_free(config.externals);
    }
}

TEST(games_are_not_drawn_where_no_engine_has_a_share)
{
    char words[CONFIG_TEXT_SIZE];
    Config config = make((const int[]){ CONFIG_AUTO, 30, CONFIG_AUTO });
    assert_false(
        engine_share_draw(&config, "new third", VARIANT_STANDARD, text_of("Qw8rTy2u"), words));
    assert_string_equal(words, "new third");
    assert_false(engine_share_draw(&config, "all", VARIANT_ATOMIC, text_of("Qw8rTy2u"), words));
    assert_string_equal(words, "all");
    test_free(config.externals);
}

TEST(what_is_left_goes_to_all_engines_without_a_share)
{
    char words[CONFIG_TEXT_SIZE];
    Config config = make((const int[]){ CONFIG_AUTO, 0, CONFIG_AUTO });
    assert_true(engine_share_draw(&config, "all", VARIANT_STANDARD, text_of("Qw8rTy2u"), words));
    assert_string_equal(words, "new third");
    test_free(config.externals);
}

TEST(the_operators_engine_plays_where_external_engines_play)
{
    Config config = make((const int[]){ CONFIG_AUTO, 30, CONFIG_AUTO });
    config.externals[2].variants = 1U << VARIANT_ATOMIC;
    assert_true(engine_share_use(&config, "all", VARIANT_STANDARD, "old"));
    assert_true(engine_share_use(&config, "new", VARIANT_STANDARD, "old"));
    assert_false(engine_share_use(&config, "none", VARIANT_STANDARD, "old"));
    assert_false(engine_share_use(&config, "all", VARIANT_STANDARD, "third"));
    assert_false(engine_share_use(&config, "all", VARIANT_STANDARD, "gone"));
    test_free(config.externals);
}
