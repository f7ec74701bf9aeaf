/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/game_settings.h"
#include "bot/config/config.h"
#include "engine/search/engine.h"
#include "tests/support/unit.h"

#include <string.h>

static const char text[] = "[challenge]\nallow = alba\nblock = berta\n"
                           "[chat]\nmute = cleo\n"
                           "[engine.external fish]\ncommand = /bin/fish\n"
                           "[rule strong]\nwhen.rating = 2000..\nchallenge.accept = no\n"
                           "[matchmaking.quick]\nclocks = 3+2\n";

/* A reload frees the old Config while games are played that were begun with it. */
TEST(nothing_of_the_configurations_memory_is_kept)
{
    Config config;
    GameSettings copy;
    Buf problems;
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    if (!config_parse(&config, "test", text, sizeof text - 1, &problems))
        fail_msg("%s", buf_view(&problems));
    const void *const lent[] = {
        config.game.challenge.allow.ids,
        config.game.challenge.block.ids,
        config.mute.ids,
        config.types,
        config.rules,
        config.externals,
    };
    game_settings_copy(&copy, &config.game);
    for (size_t i = 0; i < sizeof lent / sizeof *lent; i++) {
        assert_non_null(lent[i]);
        for (size_t at = 0; at + sizeof(void *) <= sizeof copy; at += sizeof(void *))
            assert_memory_not_equal((const char *)&copy + at, &lent[i], sizeof(void *));
    }
    assert_int_equal(copy.games.abort_after_s, config.game.games.abort_after_s);
    config_release(&config);
    buf_release(&problems);
}

TEST(a_takeback_is_granted_to_people_in_casual_games_unless_a_number_says_otherwise)
{
    static const struct {
        int asked;
        OpponentKind kind;
        bool rated;
        int granted;
    } cases[] = { { CONFIG_AUTO, KIND_HUMAN, false, 1 },
                  { CONFIG_AUTO, KIND_HUMAN, true, 0 },
                  { CONFIG_AUTO, KIND_BOT, false, 0 },
                  { 0, KIND_HUMAN, false, 0 },
                  { 3, KIND_BOT, true, 3 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GameSettings settings = { .games.takebacks = cases[i].asked };
        const GameFacts facts = { .kind = cases[i].kind, .rated = cases[i].rated };
        const GameFull full = { .id = "abcdefgh" };
        game_settings_complete(&settings, &facts, &full, WHITE, SERVER_LICHESS);
        assert_int_equal(game_settings_options(&settings, SERVER_LICHESS).takebacks,
                         cases[i].granted);
    }
}

TEST(who_gives_odds_plays_for_a_win)
{
    static const struct {
        const char *fen;
        Colour us;
        int elo, asked, cp;
    } cases[] = {
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", WHITE, 0, CONFIG_AUTO,
          CONTEMPT_MAX },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", BLACK, 0, CONFIG_AUTO, 0 },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", WHITE, 1500, CONFIG_AUTO, 0 },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", WHITE, 0, 5, 5 },
        { "", WHITE, 0, CONFIG_AUTO, 0 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GameSettings settings = { .engine = { .contempt_cp = cases[i].asked,
                                              .elo = cases[i].elo } };
        const GameFacts facts = { .initial_fen = text_of(cases[i].fen) };
        const GameFull full = { .id = "abcdefgh" };
        game_settings_complete(&settings, &facts, &full, cases[i].us, SERVER_LICHESS);
        assert_int_equal(settings.engine.contempt_cp, cases[i].cp);
    }
}

TEST(who_may_have_left_before_we_accepted_is_awaited_for_eight_seconds)
{
    static const struct {
        bool may_abort, is_unseen;
        int after_s;
    } cases[] = { { true, false, 30 }, { true, true, 8 }, { false, false, 0 }, { false, true, 0 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GameSettings settings = { .games.abort_after_s = 30 };
        game_settings_limit_wait(&settings, cases[i].may_abort, cases[i].is_unseen);
        assert_int_equal(settings.games.abort_after_s, cases[i].after_s);
    }
}
