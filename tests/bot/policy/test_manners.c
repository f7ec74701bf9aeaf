/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/adjudicate.h"
#include "bot/policy/manners.h"
#include "tests/support/unit.h"

static const DrawSettings usual_draw = { .offer = true,
                                         .accept = true,
                                         .human = SWITCH_AUTO,
                                         .score_cp = 10,
                                         .moves = 8,
                                         .from_move = 35,
                                         .pieces = 14,
                                         .opponents = 3 };
static const ResignSettings usual_resign = {
    .enabled = SWITCH_AUTO, .score_cp = 1000, .moves = 5, .tablebase = true, .opponents = 3
};

static int resigned_of_1000(int elo)
{
    int count = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        DrawSettings draw = usual_draw;
        ResignSettings resign = usual_resign;
        manners_choose(&draw, &resign, elo, seed);
        count += resign.enabled == SWITCH_YES;
    }
    return count;
}

TEST(who_plays_better_resigns_more_often)
{
    assert_int_equal(resigned_of_1000(0), 0);
    assert_in_range(resigned_of_1000(900), 450, 550);
    assert_in_range(resigned_of_1000(1600), 615, 715);
    assert_in_range(resigned_of_1000(2200), 785, 880);
}

TEST(what_the_operator_says_stands)
{
    for (Switch said = SWITCH_NO; said <= SWITCH_YES; said++) {
        DrawSettings draw = usual_draw;
        ResignSettings resign = usual_resign;
        draw.human = SWITCH_NO;
        resign.enabled = said;
        manners_choose(&draw, &resign, 1500, 1);
        assert_int_equal(resign.enabled, said);
        assert_int_equal(resign.score_cp, usual_resign.score_cp);
        assert_memory_equal(&draw.score_cp, &usual_draw.score_cp, sizeof draw.score_cp);
        assert_false(draw.accepts_level);
    }
}

/* A game of a weak player who resigns, six pawns down for two moves. */
static ResignSettings who_resigns(int elo)
{
    for (uint64_t seed = 0;; seed++) {
        DrawSettings draw = usual_draw;
        ResignSettings resign = usual_resign;
        manners_choose(&draw, &resign, elo, seed);
        if (resign.enabled == SWITCH_YES)
            return resign;
    }
}

TEST(beginners_let_themselves_be_mated)
{
    Standing lost = { .plies = 40, .opponent_clock_ms = 60000, .trend = { .lost = 2 } };
    ResignSettings beginner = who_resigns(1000), better = who_resigns(1600);
    assert_true(adjudicate_resigns(&beginner, &lost));
    lost.opponent_mates_next = true;
    assert_false(adjudicate_resigns(&beginner, &lost));
    assert_true(adjudicate_resigns(&better, &lost));
    lost.trend.lost = 1;
    assert_false(adjudicate_resigns(&better, &lost));
}

TEST(a_level_game_is_a_draw_where_one_is_offered)
{
    DrawSettings draw = usual_draw;
    ResignSettings resign = usual_resign;
    Standing level = {
        .plies = 60, .move_number = 31, .pieces = 22, .opponent_clock_ms = 60000, .trend = { 3, 0 }
    };
    assert_false(adjudicate_accepts_draw(&draw, &level));
    manners_choose(&draw, &resign, 1500, 1);
    assert_true(adjudicate_accepts_draw(&draw, &level));
    assert_false(adjudicate_offers_draw(&draw, &level, 100));
    level.move_number = 40;
    level.pieces = 12;
    assert_true(adjudicate_offers_draw(&draw, &level, 100));
    level.tablebase_verdict = TABLEBASE_VERDICT_WIN;
    assert_false(adjudicate_accepts_draw(&draw, &level));
}
