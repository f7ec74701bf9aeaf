/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/source.h"
#include "tests/support/chess.h"

TEST(patience_leaves_time_for_those_who_come_after)
{
    static const struct {
        const char *name;
        int64_t left_ms, increment_ms, movetime_ms, overhead_ms;
        int64_t search_ms, stop_ms;
    } rows[] = {
        { "three minutes", 180000, 0, 0, 200, 45000, 1000 },
        { "a minute", 60000, 0, 0, 200, 15000, 1000 },
        { "ten seconds", 10000, 0, 0, 200, 2500, 500 },
        { "one second", 1000, 0, 0, 200, 250, 50 },
        { "a tenth of a second", 100, 0, 0, 200, 25, 30 },
        { "nothing", 1, 0, 0, 200, 0, 30 },
        { "an increment", 2000, 2000, 0, 100, 650, 130 },
        { "a move's time", 60000, 0, 100, 200, 1100, 220 },
        { "a move's time beyond the clock", 1000, 0, 5000, 200, 250, 50 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MoveRequest what = { .us = BLACK, .overhead_ms = rows[i].overhead_ms };
        what.limits.has_clock = true;
        what.limits.time_ms[BLACK] = rows[i].left_ms;
        what.limits.increment_ms[BLACK] = rows[i].increment_ms;
        what.limits.movetime_ms = rows[i].movetime_ms;
        MoveRequestTimeout timeout = move_request_timeout(&what);
        if (timeout.search_ms != rows[i].search_ms || timeout.stop_ms != rows[i].stop_ms)
            fail_msg("%s: %lld, %lld", rows[i].name, (long long)timeout.search_ms,
                     (long long)timeout.stop_ms);
    }
    MoveRequest no_clock = { .limits = { .movetime_ms = 10000 } };
    assert_int_equal(move_request_timeout(&no_clock).search_ms, 11000);
    MoveRequest depth_only = { .limits = { .depth = 1 } };
    assert_int_equal(move_request_timeout(&depth_only).search_ms, INT64_MAX);
}

TEST(a_copied_request_is_whole_when_its_original_has_gone)
{
    MoveRequestCopy copy;
    Position pos;
    char game[] = "Qw8rTy2u", fen[] = FEN_START, moves[] = "e2e4 e7e5", human[] = "/a";
    pos = position_of(FEN_START);
    MoveRequest request = { .version = 7, .game = game, .fen = fen, .position = &pos };
    request.moves = text_of(moves);
    request.human = human;
    move_request_copy(&copy, &request, 1000);
    memset(game, 0, sizeof game);
    memset(fen, 0, sizeof fen);
    memset(moves, 0, sizeof moves);
    memset(human, 0, sizeof human);
    memset(&pos, 0, sizeof pos);
    MoveRequest now = move_request_with_time_elapsed(&copy, 2000);
    assert_string_equal(now.game, "Qw8rTy2u");
    assert_string_equal(now.fen, FEN_START);
    assert_true(text_is(now.moves, "e2e4 e7e5"));
    assert_string_equal(now.human, "/a");
    assert_true(position_validate(now.position, NULL));
    move_request_copy(&copy, &(MoveRequest){ .version = 8 }, 1000);
    now = move_request_with_time_elapsed(&copy, 2000);
    assert_string_equal(now.fen, "");
    assert_null(now.position);
    assert_int_equal(now.moves.len, 0);
}

TEST(the_clock_of_a_copied_request_runs)
{
    MoveRequestCopy copy;
    MoveRequest request = { .us = BLACK };
    request.limits.time_ms[WHITE] = 5000;
    request.limits.time_ms[BLACK] = 5000;
    move_request_copy(&copy, &request, 1000);
    assert_int_equal(move_request_with_time_elapsed(&copy, 3000).limits.time_ms[BLACK],
                     5000); /* without a clock */
    request.limits.has_clock = true;
    move_request_copy(&copy, &request, 1000);
    assert_int_equal(move_request_with_time_elapsed(&copy, 3000).limits.time_ms[BLACK], 3000);
    assert_int_equal(move_request_with_time_elapsed(&copy, 3000).limits.time_ms[WHITE], 5000);
    assert_int_equal(move_request_with_time_elapsed(&copy, 30000).limits.time_ms[BLACK], 1);
}
