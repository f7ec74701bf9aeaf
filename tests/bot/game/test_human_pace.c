/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a move that was found is made, at a human's pace. */
#include "bot/game/human_pace.h"
#include "tests/support/game_fixture.h"

static const GameOptions human = { .pace = PACE_HUMAN, .overhead_ms = 100 };

/* White's fourth move is to be found, 180 s on the clock. */
static uint32_t search_fourth(GameFixture *f)
{
    game_fixture_start(f, &human);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", .clock_ms = 180000 });
    uint32_t version = started_search(f);
    assert_int_not_equal(version, 0);
    return version;
}

GAME_TEST(a_move_that_is_found_waits_for_its_time)
{
    GameFixture *f = *state;
    uint32_t version = search_fourth(f);
    int64_t since = f->now;
    int64_t time = human_pace_ms(&f->game, NULL, since);
    assert_in_range(time, 300, 10000);
    f->now += 40;
    feed_move(f, version, "b5a4");
    assert_null(find_post(f, COMMAND_MOVE));
    assert_true(game_next_at_ms(&f->game) == since + time);
    pass_ms(f, 100);
    assert_null(find_post(f, COMMAND_MOVE));
    pass_until_due(f);
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "b5a4");
    assert_true(f->now == since + time);
    assert_true(find_note(f, NOTE_MOVE)->choice.time_ms == time); /* none of it is lag */
}

GAME_TEST(a_move_found_late_is_made_at_once)
{
    GameFixture *f = *state;
    uint32_t version = search_fourth(f);
    f->now += human_pace_ms(&f->game, NULL, f->now);
    feed_move(f, version, "b5a4");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

GAME_TEST(a_recapture_takes_less_time)
{
    GameFixture *f = *state;
    game_fixture_start(f, &human);
    feed_game_full(f,
                   (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b1c3", .clock_ms = 180000 });
    feed_game_state(
        f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b1c3 a6b5", .clock_ms = 180000 });
    uint32_t version = started_search(f);
    int64_t since = f->now;
    feed_move(f, version, "c3b5");
    int64_t recapture = game_next_at_ms(&f->game) - since;
    assert_in_range(recapture, 200, 1800);
    Move other = MOVE_NONE;
    assert_true(uci_move_match(&f->game.sheet.position, "d2d4", 4, &other, NULL));
    assert_true(human_pace_ms(&f->game, &(MoveChoice){ .move = other }, since) > recapture);
    assert_true(human_pace_ms(&f->game, NULL, since) == recapture);
}

GAME_TEST(a_takeback_forgets_the_move_that_waits)
{
    GameFixture *f = *state;
    uint32_t version = search_fourth(f);
    feed_move(f, version, "b5a4");
    f->game.takeback_is_granted = true;
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6", .clock_ms = 180000 });
    version = started_search(f);
    assert_int_not_equal(version, 0);
    pass_ms(f, 20000);
    assert_null(find_post(f, COMMAND_MOVE));
    feed_move(f, version, "f1c4");
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "f1c4");
}

GAME_TEST(who_asks_for_speed_gets_the_move_that_waits)
{
    GameFixture *f = *state;
    uint32_t version = search_fourth(f);
    feed_move(f, version, "b5a4");
    feed(f, &(GameInput){ .kind = INPUT_HURRY });
    assert_non_null(find_post(f, COMMAND_MOVE));
    feed_game_state(
        f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6", .clock_ms = 180000 });
    SearchLimits limits = { 0 };
    game_search_limits(&f->game, f->now, &limits);
    assert_in_range(limits.movetime_ms, 1, 300);
    feed_move(f, started_search(f), "e1g1");
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "e1h1");
}

GAME_TEST(who_asks_for_speed_ends_the_search)
{
    GameFixture *f = *state;
    uint32_t version = search_fourth(f);
    feed(f, &(GameInput){ .kind = INPUT_HURRY });
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 1);
    feed_move(f, version, "b5a4");
    assert_non_null(find_post(f, COMMAND_MOVE));
    /* At the engine's pace there is nothing to hurry. */
    game_fixture_start(f, &GAME_USUAL_OPTIONS);
    feed_game_full(f, (GameText){ 0 });
    feed(f, &(GameInput){ .kind = INPUT_HURRY });
    assert_int_equal(count_effects(f, EFFECT_STOP_SEARCH), 0);
}

GAME_TEST(a_strong_engine_searches_no_longer_than_that)
{
    GameFixture *f = *state;
    search_fourth(f);
    SearchLimits strong = { 0 }, weak = { .elo = 1500 };
    game_search_limits(&f->game, f->now, &strong);
    game_search_limits(&f->game, f->now, &weak);
    assert_int_equal(strong.movetime_ms, human_pace_ms(&f->game, NULL, f->now));
    assert_int_equal(weak.movetime_ms, 0);
}

GAME_TEST(without_a_clock_there_is_no_pace)
{
    GameFixture *f = *state;
    game_fixture_start(f, &human);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .has_no_clock = true });
    assert_int_equal(human_pace_ms(&f->game, NULL, f->now), 0);
}

GAME_TEST(short_of_time_no_move_waits)
{
    GameFixture *f = *state;
    for (int clock_ms = 100; clock_ms <= 3000; clock_ms += 100) {
        game_fixture_start(f, &human);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6", .clock_ms = clock_ms });
        uint32_t version = started_search(f);
        int64_t since = f->now;
        f->now += 10;
        feed_move(f, version, "f1b5");
        if (!find_post(f, COMMAND_MOVE))
            assert_in_range(game_next_at_ms(&f->game) - since, 10, clock_ms / 10);
    }
}

GAME_TEST(in_an_arena_the_first_move_is_in_time)
{
    GameFixture *f = *state;
    game_fixture_start(f, &human);
    feed_game_full(
        f, (GameText){ .is_tournament = true,
                       .more = ",\"expiration\":{\"idleMillis\":17000,\"millisToMove\":20000}",
                       .clock_ms = 1800000 });
    uint32_t version = started_search(f);
    int64_t since = f->now;
    feed_move(f, version, "e2e4");
    assert_in_range(game_next_at_ms(&f->game) - since, 0, 3000 / 4);
}
