/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/arena.h"
#include "tests/support/unit.h"

enum { NOW = 1000000, MINUTE = 60000 };

static const ArenaInfo soon = { .bots = BOTS_ADMITTED,
                                .seconds_to_start = 600,
                                .seconds_to_finish = -1 };
static const ArenaInfo running = { .bots = BOTS_ADMITTED, .seconds_to_finish = 3600 };

static void assert_next(const Arena *arena, bool is_playing, int64_t now, ArenaAction action,
                        int64_t at)
{
    int64_t told;
    assert_int_equal(arena_next(arena, is_playing, now, &told), action);
    if (action == ARENA_WAIT)
        assert_int_equal(told, at);
}

static Arena in_running(void)
{
    Arena arena;
    arena_init(&arena, false);
    arena_looked(&arena, &running, NOW);
    arena_joined(&arena, NOW);
    arena_looked(&arena, &running, NOW);
    return arena;
}

TEST(one_that_is_wanted_is_looked_at_then_joined)
{
    Arena arena;
    arena_init(&arena, false);
    assert_next(&arena, false, NOW, ARENA_LOOK, 0);
    arena_looked(&arena, &soon, NOW);
    assert_next(&arena, false, NOW, ARENA_JOIN, 0);
    arena_joined(&arena, NOW);
    assert_int_equal(arena.phase, ARENA_IN);
    assert_next(&arena, false, NOW, ARENA_LOOK, 0); /* are we shown? */
    arena_looked(&arena, &soon, NOW);
    assert_false(arena_is_on(&arena, NOW));
    assert_next(&arena, false, NOW, ARENA_WAIT, NOW + 600000);
    assert_int_equal(arena_turns_on_ms(&arena, NOW), NOW + 600000 - ARENA_AHEAD_MS);
    assert_true(arena_is_on(&arena, NOW + 600000 - ARENA_AHEAD_MS));
}

TEST(at_the_start_we_look_and_ask_to_be_paired)
{
    Arena arena;
    arena_init(&arena, false);
    arena_looked(&arena, &soon, NOW);
    arena_joined(&arena, NOW);
    arena_looked(&arena, &soon, NOW);
    int64_t start = NOW + 600000;
    assert_next(&arena, false, start, ARENA_LOOK, 0);
    arena_looked(&arena, &running, start + 100);
    assert_next(&arena, false, start + 100, ARENA_JOIN, 0);
    arena_joined(&arena, start + 200);
    assert_next(&arena, false, start + 200, ARENA_WAIT, start + 200 + ARENA_AGAIN_MS);
}

TEST(a_pairing_is_asked_for_again_and_again_but_not_while_we_play)
{
    Arena arena = in_running();
    int64_t again = NOW + ARENA_AGAIN_MS;
    assert_next(&arena, false, again, ARENA_LOOK, 0);
    assert_next(&arena, true, again, ARENA_WAIT, INT64_MAX);
    arena_looked(&arena, &running, again);
    assert_next(&arena, false, again, ARENA_JOIN, 0);
    arena_joined(&arena, again);
    assert_next(&arena, false, again, ARENA_WAIT, again + ARENA_AGAIN_MS);
}

TEST(after_a_game_the_next_one_is_asked_for_soon)
{
    Arena arena = in_running();
    arena_game_over(&arena, STATUS_MATE, true, NOW + 5000);
    assert_next(&arena, false, NOW + 5000, ARENA_LOOK, 0);
    arena_looked(&arena, &running, NOW + 5100);
    assert_next(&arena, false, NOW + 5100, ARENA_JOIN, 0);
    for (int i = 0; i < 8; i++)
        arena_joined(&arena, NOW + 5100); /* what was saved up is spent */
    arena_game_over(&arena, STATUS_MATE, false, NOW + 6000);
    arena_looked(&arena, &running, NOW + 6000);
    int64_t at;
    assert_int_equal(arena_next(&arena, false, NOW + 6000, &at), ARENA_WAIT);
    assert_in_range(at, NOW + 20000, NOW + 35000);
}

TEST(the_server_is_asked_less_than_thirty_times_in_ten_minutes)
{
    Arena arena = in_running();
    int joins = 0;
    for (int64_t now = NOW; now < NOW + 10 * MINUTE; now += 100) {
        int64_t at;
        if (now % 1000 == 0)
            arena_game_over(&arena, STATUS_RESIGN, false, now); /* games that last no time */
        switch (arena_next(&arena, false, now, &at)) {
        case ARENA_LOOK:
            arena_looked(&arena, &running, now);
            break;
        case ARENA_JOIN:
            arena_joined(&arena, now);
            joins++;
            break;
        case ARENA_WAIT:
        case ARENA_WITHDRAW:
            break;
        }
    }
    assert_in_range(joins, 20, 29);
}

TEST(who_is_out_stays_out)
{
    ArenaInfo with_us = running, withdrawn = running, over = running, closed = running,
              silent = running;
    with_us.has_us = withdrawn.has_us = withdrawn.has_withdrawn = true;
    over.is_finished = true;
    closed.bots = BOTS_REFUSED;
    silent.bots = BOTS_NOT_STATED;
    const struct {
        const char *why;
        bool is_in;
        const ArenaInfo *looks[2];
        bool is_missing, is_over;
    } rows[] = {
        { "it is over", true, { &over }, false, true },
        { "it is over", false, { &over }, false, true },
        { "no bots are admitted", false, { &closed }, false, false },
        { "no bots are admitted", false, { &silent }, false, false },
        { "withdrawn", true, { &withdrawn }, false, false },
        { "thrown out", true, { &with_us, &running }, false, false },
        { "there is no such tournament", false, { NULL }, true, false },
        { "", true, { &closed }, false, false },
        { "", true, { &running, &running }, false, false },
        { "", true, { &with_us, &with_us }, false, false },
        { "", false, { &withdrawn }, false, false }, /* from an earlier time: wanted again */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena arena;
        arena_init(&arena, rows[i].is_in);
        for (int j = 0; j < 2 && (rows[i].looks[j] || (j == 0 && rows[i].is_missing)); j++)
            arena_looked(&arena, rows[i].looks[j], NOW + j);
        if ((arena.phase == ARENA_OUT) != (rows[i].why[0] != '\0') ||
            strcmp(arena.why, rows[i].why) != 0 || arena.is_over != rows[i].is_over)
            fail_msg("row %zu: %s %s", i, arena_phase_name(arena.phase), arena.why);
    }
}

TEST(a_first_move_that_came_too_late_throws_us_out)
{
    Arena arena = in_running();
    arena_game_over(&arena, STATUS_NO_START, false, NOW);
    assert_int_equal(arena.phase, ARENA_IN);
    arena_game_over(&arena, STATUS_NO_START, true, NOW);
    assert_int_equal(arena.phase, ARENA_OUT);
    assert_false(arena_is_on(&arena, NOW));
}

TEST(leaving_waits_for_nothing)
{
    Arena arena = in_running();
    arena_leave(&arena);
    assert_next(&arena, true, NOW, ARENA_WITHDRAW, 0);
    arena_joined(&arena, NOW); /* an answer that was on its way */
    assert_next(&arena, true, NOW, ARENA_WITHDRAW, 0);
    arena_left(&arena);
    assert_int_equal(arena.phase, ARENA_OUT);
    assert_string_equal(arena.why, "left");
}

TEST(a_refusal_ends_the_wish_but_not_the_membership)
{
    Arena arena;
    arena_init(&arena, false);
    arena_refused(&arena, "wrong password", 0, NOW);
    assert_int_equal(arena.phase, ARENA_OUT);
    assert_string_equal(arena.why, "wrong password");
    arena = in_running();
    arena_refused(&arena, "not now", 0, NOW);
    assert_int_equal(arena.phase, ARENA_IN);
    assert_next(&arena, false, NOW, ARENA_WAIT, NOW + ARENA_AGAIN_MS);
}

TEST(a_refusal_for_a_time_is_waited_out)
{
    static const struct {
        int status;
        const char *reason;
        int64_t told_s, wait_ms, wait_found_ms;
    } rows[] = {
        { 400, "You are joining too many tournaments", 0, 15 * MINUTE, 15 * MINUTE },
        { 400, "Your pause is not over yet", 0, MINUTE, MINUTE },
        { 400, "Tournament restrictions", 0, 10 * MINUTE, 0 },
        { 400, "Wrong entry code", 0, 0, 0 },
        { 400, "Missing team", 0, 0, 0 },
        { 400, "You are not allowed to join arenas", 0, 0, 0 },
        { 400, "This tournament no longer exists", 0, 0, 0 },
        { 403, "Banned from playing for 5 minutes. Reason: No start", 300, 5 * MINUTE, 5 * MINUTE },
        { 403, "The access to this resource is restricted.", 0, 0, 0 },
        { 403, "Missing scope: tournament:write", 0, 0, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t told_s = rows[i].told_s;
        if (arena_refusal_ms(rows[i].status, rows[i].reason, told_s, ARENA_NAMED) !=
                rows[i].wait_ms ||
            arena_refusal_ms(rows[i].status, rows[i].reason, told_s, ARENA_FOUND) !=
                rows[i].wait_found_ms)
            fail_msg("%s", rows[i].reason);
    }
    Arena arena;
    arena_init(&arena, false);
    arena_looked(&arena, &running, NOW);
    arena_refused(&arena, "later", 5 * MINUTE, NOW);
    assert_int_equal(arena.phase, ARENA_WANTED);
    assert_next(&arena, false, NOW, ARENA_WAIT, NOW + 5 * MINUTE);
    assert_next(&arena, false, NOW + 5 * MINUTE, ARENA_LOOK, 0); /* it may be over by then */
    arena_looked(&arena, &running, NOW + 5 * MINUTE);
    assert_next(&arena, false, NOW + 5 * MINUTE, ARENA_JOIN, 0);
}

TEST(how_long_it_lasts_is_taken_from_where_it_is_told)
{
    const ArenaInfo untold = { .bots = BOTS_ADMITTED,
                               .seconds_to_start = 60,
                               .seconds_to_finish = -1 };
    ArenaInfo told = untold;
    Arena arena;
    arena_init(&arena, false);
    arena_looked(&arena, &untold, NOW);
    assert_int_equal(arena.ends_ms, INT64_MAX);
    arena_expect(&arena, NOW + MINUTE, NOW + 7 * MINUTE);
    arena_looked(&arena, &untold, NOW);
    assert_int_equal(arena.ends_ms, NOW + 7 * MINUTE); /* what the list said */
    told.minutes = 45;
    arena_looked(&arena, &told, NOW);
    assert_int_equal(arena.ends_ms, NOW + 46 * MINUTE);
    arena_looked(&arena, &running, NOW);
    assert_int_equal(arena.ends_ms, NOW + 60 * MINUTE);
}

TEST(one_that_was_remembered_is_looked_at_first)
{
    Arena arena;
    arena_init(&arena, true);
    assert_false(arena_is_on(&arena, NOW));
    assert_next(&arena, false, NOW, ARENA_LOOK, 0);
    arena_looked(&arena, &running, NOW);
    assert_true(arena_is_on(&arena, NOW));
    assert_int_equal(arena_turns_on_ms(&arena, NOW), NOW + 3600000);
    assert_false(arena_is_on(&arena, NOW + 3600000));
    assert_next(&arena, false, NOW, ARENA_JOIN, 0);
}
