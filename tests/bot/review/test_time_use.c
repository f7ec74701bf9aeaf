/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/time_use.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <math.h>

static const TimeUseClock as_white = { .initial_ms = 60000,
                                       .increment_ms = 1000,
                                       .we_began = true };

static TimeUse add(const TimeUseClock *clock, const char *clocks, const char *times)
{
    TimeUse use = { 0 };
    time_use_add_lists(&use, clock, text_of(clocks), text_of(times));
    return use;
}

TEST(our_moves_are_counted_from_the_second_on)
{
    /* 60 s, then 3 s for a search of 2.5 s, then 2 s for one of 1.9 s. */
    TimeUse use = add(&as_white, "60000 60000 58000 9 57000", "- - 2500 - 1900");
    assert_int_equal(use.games, 1);
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 2);
    assert_int_equal(use.spent[TIME_USE_OURS].sum_ms, 5000);
    assert_int_equal(use.spent[TIME_USE_OURS].most_ms, 3000);
    assert_int_equal(use.lag.moves, 2);
    assert_int_equal(use.lag.sum_ms, 600);
    assert_true(fabs(use.share - 5.0 / 62) < 1e-9);
}

TEST(black_counts_the_other_moves)
{
    TimeUseClock clock = as_white;
    clock.we_began = false;
    TimeUse use = add(&clock, "90000 60000 90500 60500 3", "- 0 - 400 -");
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 1);
    assert_int_equal(use.spent[TIME_USE_OURS].sum_ms, 500);
    assert_int_equal(use.lag.sum_ms, 100);
    assert_int_equal(use.spent[TIME_USE_THEIRS].moves, 2);
    assert_int_equal(use.spent[TIME_USE_THEIRS].most_ms, 91497);
}

TEST(a_search_that_was_longer_tells_no_lag)
{
    (void)state; /* it pondered */
    TimeUse use = add(&as_white, "60000 - 60900", "- - 5000");
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 1);
    assert_int_equal(use.lag.moves, 0);
}

TEST(what_is_no_time_is_left_out)
{
    static const struct {
        const char *clocks, *times;
    } rows[] = {
        { "", "" },
        { "60000", "0" },
        { "- - - - -", "- - - - -" },
        { "60000 1 - 1 50000", "- - - - -" },
        { "60000 1 90000", "- - 0" }, /* time was given */
        { "60000 1 -5", "- - 0" },
        { "60000 1 99999999999999999999", "" },
        { "  \x01 \xff x", "9 9 9 9" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TimeUse use = add(&as_white, rows[i].clocks, rows[i].times);
        assert_int_equal(use.games, 0);
        assert_int_equal(use.spent[TIME_USE_OURS].moves, 0);
    }
    static const TimeUseClock clocks[] = {
        { 0, 0, true }, { -1, 0, true }, { INT64_MAX, INT64_MAX, true }, { 0, INT64_MIN, true }
    };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        assert_int_equal(add(&clocks[i], "60000 1 50000", "- - 0").games, 0);
}

TEST(games_add_up)
{
    TimeUse use = { 0 };
    for (int i = 0; i < 3; i++)
        time_use_add_lists(&use, &as_white, text_of("60000 1 59000"), text_of("- - -"));
    assert_int_equal(use.games, 3);
    assert_int_equal(use.spent[TIME_USE_OURS].moves, 3);
    assert_int_equal(use.spent[TIME_USE_OURS].sum_ms, 6000);
    assert_int_equal(use.lag.moves, 0);
}

/* ---- records: 3+2, we are White ---- */

static void make_game(GameRecord *game)
{
    static const int64_t clocks[] = { 180000, 180000, 177000, 181000, 170000, 150000 };
    record_make(game, "abcdefgh", "alba", "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4");
    for (size_t i = 0; i < game->count; i++)
        game->moves[i].clock_ms = clocks[i];
    game->moves[2].time_ms = 4800; /* of 5000: 3000 and the increment */
    game->moves[4].time_ms = 9900; /* of 9000: it began on their time */
}

TEST(a_move_takes_what_its_clock_lost)
{
    GameRecord game;
    TimeByMove by_move = { .spent = { { { 0 } } } };
    TimeUse use = { 0 };
    make_game(&game);
    assert_int_equal(move_clock_before_ms(&game, 1), 180000);
    assert_int_equal(move_clock_before_ms(&game, 4), 177000);
    assert_int_equal(move_time_of(&game, 1).spent_ms, -1);
    assert_int_equal(move_time_of(&game, 2).spent_ms, 5000);
    assert_int_equal(move_time_of(&game, 2).lag_ms, 200);
    assert_int_equal(move_time_of(&game, 3).lag_ms, -1); /* theirs */
    assert_int_equal(move_time_of(&game, 4).lag_ms, -1);
    time_use_add(&use, &by_move, &game);
    assert_int_equal(use.games, 1);
    assert_int_equal(by_move.spent[TIME_USE_OURS][0].moves, 0);
    assert_int_equal(by_move.spent[TIME_USE_OURS][1].sum_ms, 5000);
    assert_int_equal(by_move.spent[TIME_USE_THEIRS][1].sum_ms, 1000);
    assert_int_equal(by_move.spent[TIME_USE_THEIRS][2].sum_ms, 33000);
    assert_true(fabs(time_sum_mean_s(&use.spent[TIME_USE_OURS]) - 7) < 1e-9);
    assert_int_equal(use.lag.moves, 1);
    assert_int_equal(use.lag.sum_ms, 200);
    assert_true(isnan(time_sum_mean_s(&by_move.spent[TIME_USE_OURS][9])));
    record_release(&game);
}

TEST(records_and_lists_say_the_same)
{
    static const TimeUseClock clock = { .initial_ms = 180000,
                                        .increment_ms = 2000,
                                        .we_began = true };
    GameRecord game;
    TimeUse by_record = { 0 };
    make_game(&game);
    TimeUse by_lists = add(&clock, "180000 180000 177000 181000 170000 150000", "0 - 4800 - 9900");
    time_use_add(&by_record, NULL, &game);
    assert_memory_equal(&by_record, &by_lists, sizeof by_lists);
    record_release(&game);
}

TEST(times_that_cannot_be_are_left_out)
{
    static const int64_t hostile[] = { INT64_MIN, -1, INT64_MAX, 1 << 30 };
    for (size_t a = 0; a < 4; a++) {
        for (size_t b = 0; b < 4; b++) {
            TimeUse use = { 0 };
            TimeByMove by_move = { .spent = { { { 0 } } } };
            GameRecord game;
            record_make(&game, "abcdefgh", "alba", "e2e4 c7c5 g1f3");
            game.moves[0].clock_ms = hostile[a];
            game.moves[2].clock_ms = 5;
            game.moves[2].time_ms = hostile[b];
            time_use_add(&use, &by_move, &game);
            game.time.increment_s = hostile[b] / 1000;
            time_use_add(&use, &by_move, &game);
            game.time.base_s = hostile[b] / 1000;
            time_use_add(&use, &by_move, &game);
            assert_true(by_move.spent[TIME_USE_OURS][1].sum_ms >= 0 && use.share >= 0);
            TimeUse before = use;
            game.us = COLOUR_NONE;
            time_use_add(&use, &by_move, &game);
            assert_memory_equal(&use, &before, sizeof use);
            record_release(&game);
        }
    }
}
