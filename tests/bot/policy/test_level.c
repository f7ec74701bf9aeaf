/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/level.h"
#include "bot/config/config.h"
#include "engine/base/random.h"
#include "engine/search/engine.h"
#include "tests/support/unit.h"

#include <math.h>
#include <string.h>

TEST(a_level_follows_the_opponent)
{
    static const LevelLearnt nothing, weaker = { .offset = -120, .games = 9 };
    static const struct {
        int elo, rating;
        const LevelLearnt *learnt;
        int level;
    } rows[] = {
        { 0, 1500, &weaker, 0 },
        { 1700, 1500, &weaker, 1700 },
        { ELO_OPPONENT, 1482, &nothing, 1482 },
        { ELO_OPPONENT + 100, 1482, &nothing, 1582 },
        { ELO_OPPONENT - 50, 1482, &weaker, 1312 },
        { ELO_OPPONENT, 0, &nothing, LEVEL_UNKNOWN },
        { ELO_OPPONENT, 3100, &nothing, LEVEL_MAX },
        { ELO_OPPONENT - 300, 700, &nothing, ELO_MIN },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(level_for(rows[i].elo, rows[i].rating, rows[i].learnt), rows[i].level);
}

/* Who is rated 200 points too low or too high, within 20 games. */
TEST(results_tend_to_half)
{
    enum { PLAYERS = 1000, GAMES = 20 };
    for (int wrong_by = -200; wrong_by <= 200; wrong_by += 100) {
        double off = 0;
        for (uint64_t player = 0; player < PLAYERS; player++) {
            uint64_t seed = player;
            LevelLearnt learnt = { 0 };
            for (int game = 0; game < GAMES; game++) {
                double ours = 1 / (1 + pow(10, (wrong_by - learnt.offset) / 400.0));
                bool wins = (double)random_below(&seed, 1000000) < 1e6 * ours;
                learnt = level_after(learnt, wins ? 1 : -1);
            }
            off += (double)abs(learnt.offset - wrong_by) / PLAYERS;
        }
        if (off > 90)
            fail_msg("%d points off at first: still %.0f after %d games", wrong_by, off, GAMES);
    }
}

TEST(what_was_learnt_is_bounded_and_read_again)
{
    LevelLearnt learnt = { 0 };
    for (int i = 0; i < 500; i++)
        learnt = level_after(learnt, -1);
    assert_int_equal(learnt.offset, LEVEL_OFFSET_MAX);
    char text[LEVEL_TEXT_SIZE];
    level_write(&learnt, text);
    LevelLearnt again = level_read(text_of(text));
    assert_memory_equal(&again, &learnt, sizeof learnt);
    static const char *const others[] = { "", "5", "5 ", "400 1", "5 -1", "5 1 2", "a b" };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        again = level_read(text_of(others[i]));
        assert_true(again.offset == 0 && again.games == 0);
    }
}

TEST(the_key_reads_and_writes_both_forms)
{
    static const struct {
        const char *text;
        int elo; /* -1: refused */
    } rows[] = { { "0", 0 },
                 { "1500", 1500 },
                 { "opponent", ELO_OPPONENT },
                 { "opponent+100", ELO_OPPONENT + 100 },
                 { "opponent-250", ELO_OPPONENT - 250 },
                 { "opponent+1001", -1 },
                 { "opponent +1", -1 },
                 { "opponent100", -1 },
                 { "opponent+-5", -1 },
                 { "opponent+", -1 },
                 { "2801", -1 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char ini[64];
        Config config;
        Buf problems;
        buf_init(&problems, CONFIG_PROBLEMS_MAX);
        int len = snprintf(ini, sizeof ini, "[engine]\nelo = %s\n", rows[i].text);
        bool ok = config_parse(&config, "test", ini, (size_t)len, &problems);
        assert_int_equal(ok, rows[i].elo >= 0);
        if (ok) {
            assert_int_equal(config.game.engine.elo, rows[i].elo);
            config_release(&config);
        }
        buf_release(&problems);
    }
}
