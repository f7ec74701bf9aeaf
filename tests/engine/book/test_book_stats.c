/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book_stats.h"

#include "tests/support/unit.h"

#define ONE BOOK_FACTOR_ONE

TEST(experience_makes_a_factor_within_bounds)
{
    static const struct {
        const char *name;
        Results move, all;
        uint32_t least, most;
    } rows[] = {
        { "nothing known at all", { 0 }, { 0 }, ONE, ONE },
        { "a move never tried, where others won", { 0 }, { .won = 50 }, ONE, ONE },
        { "a move never tried, where others lost", { 0 }, { .lost = 50 }, ONE, ONE },
        { "the only move, won", { .won = 9 }, { .won = 9 }, ONE + 1, 4 * ONE },
        { "as good as the rest", { .won = 8, .lost = 2 }, { .won = 80, .lost = 20 }, 970, 1200 },
        { "one win is little", { .won = 1 }, { .won = 10, .lost = 10 }, ONE + 1, 1300 },
        { "one loss is little", { .lost = 1 }, { .won = 10, .lost = 10 }, 800, ONE - 1 },
        { "lost a dozen, the rest even", { .lost = 12 }, { .won = 20, .lost = 32 }, 256, 500 },
        { "won a dozen, the rest even", { .won = 12 }, { .won = 32, .lost = 20 }, 2000, 4096 },
        { "lost them all", { .lost = 1000 }, { .won = 1000, .lost = 1000 }, ONE / 4, ONE / 4 },
        { "won them all", { .won = 1000 }, { .won = 1000, .lost = 1000 }, 4 * ONE, 4 * ONE },
        { "draws among draws", { .drawn = 20 }, { .drawn = 90 }, ONE, ONE },
        { "draws where one wins", { .drawn = 20 }, { .won = 90, .drawn = 20 }, ONE / 4, 400 },
        { "as many as can be",
          { .won = 1024 },
          { .won = 1024, .lost = 217 * 1024 },
          4 * ONE,
          4 * ONE },
        { "and lost", { .lost = 1024 }, { .won = 217 * 1024, .lost = 1024 }, ONE / 4, ONE / 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t factor = book_stats_factor(&rows[i].move, &rows[i].all);
        if (factor < rows[i].least || factor > rows[i].most)
            fail_msg("%s: %u, not within %u..%u", rows[i].name, factor, rows[i].least,
                     rows[i].most);
    }
}

TEST(wins_and_losses_weigh_alike)
{
    for (uint32_t games = 1; games < 40; games++) {
        const Results all = { .won = 40, .drawn = 7, .lost = 40 };
        uint32_t up = book_stats_factor(&(Results){ .won = games }, &all);
        uint32_t down = book_stats_factor(&(Results){ .lost = games }, &all);
        assert_in_range((uint64_t)up * down, ONE * (ONE - 8), ONE * ONE);
        assert_true(up >= book_stats_factor(&(Results){ .won = games - 1 }, &all));
    }
}

TEST(results_add_up_and_move_apart)
{
    BookStats stats;
    book_stats_init(&stats);
    assert_int_equal(book_stats_of(&stats, 1, 5).won, 0);
    /* Many that would like the same places. */
    for (uint64_t key = 0; key < 3000; key++)
        for (Move move = 1; move <= 3; move++)
            assert_true(book_stats_add(&stats, key << 40, move, &(Results){ .won = move }));
    assert_true(book_stats_add(&stats, (uint64_t)7 << 40, 2, &(Results){ .won = 5, .lost = 1 }));
    assert_int_equal(stats.count, 9000);
    for (uint64_t key = 0; key < 3000; key++)
        for (Move move = 1; move <= 3; move++)
            assert_int_equal(book_stats_of(&stats, key << 40, move).won,
                             move + (key == 7 && move == 2 ? 5U : 0U));
    assert_int_equal(book_stats_of(&stats, (uint64_t)7 << 40, 2).lost, 1);
    assert_int_equal(book_stats_of(&stats, (uint64_t)7 << 40, 4).won, 0);
    assert_false(book_stats_add(&stats, 1, MOVE_NONE, &(Results){ .won = 1 }));
    book_stats_release(&stats);
}

TEST(what_finds_no_room_is_refused_and_nothing_overflows)
{
    BookStats stats;
    book_stats_init(&stats);
    const Results most = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
    for (uint64_t i = 0; i < BOOK_STATS_MAX; i++)
        assert_true(book_stats_add(&stats, i * 0x9e3779b97f4a7c15U, 1, &most));
    assert_false(book_stats_add(&stats, 12345, 1, &most));
    assert_true(book_stats_add(&stats, 0, 1, &most)); /* that one is known */
    assert_int_equal(book_stats_of(&stats, 0, 1).won, UINT32_MAX);
    assert_int_equal(book_stats_of(&stats, 12345, 1).won, 0);
    BookMoves moves = { .count = 2, .moves = { { 1, 10, 0 }, { 2, 10, 0 } } };
    book_stats_weigh(&stats, 0, &moves);
    assert_in_range(moves.moves[0].factor, ONE - 2, ONE + 2);
    assert_int_equal(moves.moves[1].factor, ONE);
    book_stats_release(&stats);
}

TEST(a_position_weighs_its_own_moves_only)
{
    BookStats stats;
    BookMoves moves = { .count = 3, .moves = { { 1, 10, 0 }, { 2, 10, 0 }, { 3, 10, 0 } } };
    book_stats_init(&stats);
    assert_true(book_stats_add(&stats, 77, 1, &(Results){ .lost = 10 }));
    assert_true(book_stats_add(&stats, 77, 2, &(Results){ .won = 10 }));
    assert_true(book_stats_add(&stats, 78, 3, &(Results){ .won = 10 }));
    assert_true(book_stats_add(&stats, 77, 9, &(Results){ .lost = 1000 })); /* in no book now */
    book_stats_weigh(&stats, 77, &moves);
    assert_true(moves.moves[0].factor < ONE);
    assert_true(moves.moves[1].factor > ONE);
    assert_int_equal(moves.moves[2].factor, ONE);
    book_stats_release(&stats);
}
