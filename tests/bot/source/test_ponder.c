/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/ponder.h"
#include "tests/support/chess.h"

#include <string.h>

static MoveChoice thought_of(const Position *pos, const char *move, const char *reply)
{
    Position after = *pos;
    MoveChoice choice = { .move = play(&after, move) };
    choice.reply = play(&after, reply);
    return choice;
}

static const MoveRequest blitz = {
    .limits = { .has_clock = true, .time_ms = { 60000, 50000 }, .increment_ms = { 2000, 2000 } },
};

TEST(the_plan_is_the_position_after_the_reply_on_the_clock_of_then)
{
    PonderPlan plan;
    Position start = position_of(FEN_START), then = start, other = start;
    MoveChoice choice = thought_of(&start, "e2e4", "e7e5");
    assert_true(ponder_plan(&plan, &blitz, &start, &choice, 1500));
    assert_true(plan.limits.ponder);
    assert_int_equal(plan.limits.time_ms[WHITE], 60000 + 2000 - 1500);
    assert_int_equal(plan.limits.time_ms[BLACK], 50000);
    MoveRequest advised = blitz;
    advised.limits.search_move_count = 1;
    advised.limits.search_moves[0] = choice.move;
    assert_true(ponder_plan(&plan, &advised, &start, &choice, 1500));
    assert_int_equal(plan.limits.search_move_count, 0);
    play(&then, "e2e4");
    assert_false(ponder_is_hit(&plan, &then));
    play(&then, "e7e5");
    assert_true(ponder_is_hit(&plan, &then));
    play(&other, "e2e4");
    play(&other, "c7c5");
    assert_false(ponder_is_hit(&plan, &other));
    Position set_up = position_of("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    assert_false(ponder_is_hit(&plan, &set_up)); /* not by the moves that we saw */
}

TEST(without_a_reply_it_is_the_position_after_our_move)
{
    PonderPlan plan;
    Position start = position_of(FEN_START), then = start;
    MoveChoice choice = { .move = thought_of(&start, "e2e4", "e7e5").move };
    assert_true(ponder_plan(&plan, &blitz, &start, &choice, 0));
    play(&then, "e2e4");
    assert_true(plan.position.key == then.key);
    play(&then, "e7e5");
    assert_false(ponder_is_hit(&plan, &then));
}

TEST(a_clock_that_has_run_out_is_no_negative_one)
{
    PonderPlan plan;
    Position start = position_of(FEN_START);
    MoveChoice choice = thought_of(&start, "e2e4", "e7e5");
    assert_true(ponder_plan(&plan, &blitz, &start, &choice, 90000));
    assert_int_equal(plan.limits.time_ms[WHITE], 1);
}

TEST(there_may_be_nothing_to_ponder)
{
    PonderPlan plan;
    Position start = position_of(FEN_START);
    MoveChoice choice = thought_of(&start, "e2e4", "e7e5");
    MoveChoice no_move = { .move = MOVE_NONE };
    MoveRequest endless = blitz;
    endless.limits.has_clock = false;
    assert_false(ponder_plan(&plan, &blitz, &start, &no_move, 0));
    assert_false(ponder_plan(&plan, &endless, &start, &choice, 0));
    endless.limits.movetime_ms = 100;
    assert_true(ponder_plan(&plan, &endless, &start, &choice, 0));
    Position fool = start;
    play(&fool, "f2f3");
    play(&fool, "e7e5");
    MoveChoice mated = thought_of(&fool, "g2g4", "d8h4");
    assert_false(ponder_plan(&plan, &blitz, &fool, &mated, 0));
}
