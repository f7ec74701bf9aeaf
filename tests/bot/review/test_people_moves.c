/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/people_moves.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <string.h>

enum { MOVES = 8 };

TEST(each_move_of_a_game_has_its_share)
{
    GameRecord game;
    PeopleMove all[MOVES], last;
    record_make(&game, "abcdefgh", "alba", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    assert_int_equal(people_moves_read(&game, 0, MOVES - 1, 1500, all), MOVES);
    for (int i = 0; i < MOVES; i++) {
        assert_true(all[i].share > 0 && all[i].share <= all[i].first_share);
        assert_true(all[i].first_share < 1 && all[i].first[0] != '\0');
        assert_int_equal(all[i].is_first, all[i].share == all[i].first_share);
    }
    assert_int_equal(people_moves_read(&game, MOVES - 1, MOVES - 1, 1500, &last), 1);
    assert_true(last.share == all[MOVES - 1].share);
    record_release(&game);
}

TEST(what_is_not_known_is_not_told)
{
    GameRecord game;
    PeopleMove out[MOVES];
    record_make(&game, "abcdefgh", "alba", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    assert_int_equal(people_moves_read(&game, 0, MOVES - 1, 0, out), 0);
    assert_int_equal(people_moves_read(&game, 6, 100, 1500, out), 2);
    memcpy(game.moves[2].uci, "a1a1", 5);
    assert_int_equal(people_moves_read(&game, 0, MOVES - 1, 1500, out), 2);
    assert_int_equal(people_moves_read(&game, 4, 4, 1500, out), 0);
    game.variant = VARIANT_ATOMIC;
    assert_int_equal(people_moves_read(&game, 0, MOVES - 1, 1500, out), 0);
    record_release(&game);
}

TEST(ratings_are_told_by_the_hundred)
{
    assert_int_equal(people_rating(0), 0);
    assert_int_equal(people_rating(812), PEOPLE_RATING_MIN);
    assert_int_equal(people_rating(1563), 1500);
    assert_int_equal(people_rating(2400), PEOPLE_RATING_MAX);
}
