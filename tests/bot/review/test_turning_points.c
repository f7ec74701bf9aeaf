/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/turning_points.h"
#include "engine/search/engine.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

static const char moves[] = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5";
enum { OURS = 4 };

/* Our evaluations before each move of ours, and what is said of them, lines parted by '|'. */
static void expect(Colour us, const int scores[OURS], const char *expected)
{
    char lines[TURNING_POINTS_MAX][TURNING_POINT_SIZE], all[1000] = "";
    size_t len = 0;
    GameRecord game;
    record_make(&game, "abcdefgh", "alba", moves);
    game.us = us;
    for (size_t i = 0; i < game.count; i++) {
        bool is_ours = i % 2 == (us == BLACK);
        game.moves[i].has_choice = is_ours;
        game.moves[i].depth = is_ours && scores[i / 2] != SCORE_NONE ? 9 : 0;
        game.moves[i].score = scores[i / 2];
    }
    int count = turning_points_write(&game, lines);
    assert_in_range(count, 1, TURNING_POINTS_MAX);
    for (int i = 0; i < count; i++)
        len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", i > 0 ? "|" : "", lines[i]);
    assert_string_equal(all, expected);
    record_release(&game);
}

TEST(what_changed_is_laid_to_the_move_that_it_speaks_against)
{
    expect(WHITE, (const int[]){ 20, 25, -150, -140 },
           "2. Nf3?? (mine): from +0.25 to -1.50 for me");
    expect(WHITE, (const int[]){ 20, 300, 310, 300 },
           "1... e5?? (yours): from +0.20 to +3.00 for me");
    expect(BLACK, (const int[]){ 20, 25, 400, 390 },
           "3. Bc4?? (yours): from +0.25 to +4.00 for me");
    expect(BLACK, (const int[]){ 20, 25, 30, -SCORE_MATE + 4 },
           "3... Nf6?? (mine): from +0.30 to #-2 for me");
}

TEST(three_at_most_are_told_in_the_order_of_the_game)
{
    expect(WHITE, (const int[]){ 0, 150, -200, 250 },
           "1... e5? (yours): from +0.00 to +1.50 for me|"
           "2. Nf3?? (mine): from +1.50 to -2.00 for me|"
           "3... Nf6?? (yours): from -2.00 to +2.50 for me");
}

TEST(a_quiet_game_has_none)
{
    expect(WHITE, (const int[]){ 20, 30, 10, 40 },
           "There was no turning point: my view of the game never jumped.");
}

TEST(who_searched_nothing_cannot_tell)
{
    expect(BLACK, (const int[]){ SCORE_NONE, SCORE_NONE, SCORE_NONE, 500 },
           "I searched too little of this game to tell.");
    expect(COLOUR_NONE, (const int[]){ 0, 0, 0, 0 }, "I cannot tell.");
}
