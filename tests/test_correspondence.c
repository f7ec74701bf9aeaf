/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/correspondence.h"
#include "bot/game/game.h"
#include "bot/game/move_request.h"
#include "engine/core/uci_move.h"
#include "tests/unit.h"

enum { STAY_MS = 30000, THINK_MS = 60000, DAY_MS = 86400000 };

/* A game of days, in which we are White. */
typedef struct {
    Game game;
    Ratelimit limit;
    Effects todo;
    int64_t now;
} Table;

static void step(Table *table, const GameInput *input)
{
    game_step(&table->game, input, table->now, &table->todo);
}

static void give(Table *table, InputKind kind)
{
    step(table, &(GameInput){ .kind = kind });
}

static void turn(Table *table, bool is_ours, int64_t left_ms)
{
    GameInput input = { .kind = INPUT_TURN };
    input.turn.is_ours = is_ours;
    input.turn.left_ms = left_ms;
    step(table, &input);
}

static void finish(Table *table, GameStatus status, Colour winner)
{
    GameInput input = { .kind = INPUT_FINISH };
    input.finish.status = status;
    input.finish.winner = winner;
    step(table, &input);
}

static void wait_ms(Table *table, int64_t ms)
{
    table->now += ms;
    give(table, INPUT_TIME);
}

static void game_full(Table *table, const char *moves, const char *status, int left_ms)
{
    char text[1000];
    Event event;
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"speed\":\"correspondence\","
                       "\"variant\":{\"key\":\"standard\"},\"daysPerTurn\":1,\"white\":{\"id\":"
                       "\"castled-bot\"},\"black\":{\"id\":\"alba\"},\"initialFen\":\"startpos\","
                       "\"state\":{\"type\":\"gameState\",\"moves\":\"%s\",\"wtime\":%d,\"btime\":"
                       "86400000,\"winc\":0,\"binc\":0,\"status\":\"%s\"}}",
                       moves, left_ms, status);
    assert_true(event_parse(&event, text, (size_t)len, NULL));
    step(table, &(GameInput){ .kind = INPUT_LINE, .event = &event });
    event_release(&event);
}

static const Effect *find(const Table *table, EffectKind kind)
{
    for (int i = 0; i < table->todo.count; i++)
        if (table->todo.list[i].kind == kind)
            return &table->todo.list[i];
    return NULL;
}

static void sit_down(Table *table)
{
    const GameOptions options = {
        .overhead_ms = 100, .abort_after_ms = 30000, .search_ms = THINK_MS, .linger_ms = STAY_MS
    };
    table->now = 1000000;
    ratelimit_init(&table->limit);
    GameAccount account = { .our_id = "castled-bot", .limit = &table->limit };
    game_init(&table->game, "Qw8rTy2u", &account, &options, 7, table->now);
}

static void find_move(Table *table, const char *uci)
{
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    input.choice = (MoveChoice){ .version = table->game.search.version, .depth = 5 };
    assert_true(
        uci_move_match(&table->game.sheet.position, uci, strlen(uci), &input.choice.move, NULL));
    step(table, &input);
    assert_non_null(find(table, EFFECT_POST));
}

/* Our move is to be made, and the stream shows it. */
static void come_to_the_board(Table *table)
{
    sit_down(table);
    turn(table, true, DAY_MS);
    give(table, INPUT_TURN_GRANTED);
    assert_non_null(find(table, EFFECT_OPEN_STREAM));
    game_full(table, "", "started", DAY_MS);
}

static void a_game_on_the_opponents_turn_is_left_alone(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, false, INT64_MAX);
    assert_int_equal(table.todo.count, 0);
    assert_false(game_wants_turn(&table.game));
    assert_int_equal(game_next_at_ms(&table.game), INT64_MAX);
}

static void a_game_on_our_turn_waits_to_be_called(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, true, DAY_MS);
    assert_int_equal(table.todo.count, 0);
    assert_true(game_wants_turn(&table.game));
    assert_int_equal(table.game.correspondence.deadline_ms, table.now + DAY_MS);
}

static void who_is_called_reads_thinks_moves_and_rests_again(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    assert_false(game_wants_turn(&table.game));
    assert_non_null(find(&table, EFFECT_SEARCH));
    SearchLimits limits = { 0 };
    game_search_limits(&table.game, table.now, &limits);
    assert_int_equal(limits.movetime_ms, THINK_MS);
    find_move(&table, "e2e4");
    wait_ms(&table, 1000);
    game_full(&table, "e2e4", "started", DAY_MS);
    assert_false(table.game.correspondence.may_search);
    assert_int_equal(game_next_at_ms(&table.game), table.now + STAY_MS);
    wait_ms(&table, STAY_MS - 1);
    assert_null(find(&table, EFFECT_CLOSE_STREAM));
    wait_ms(&table, 1);
    assert_non_null(find(&table, EFFECT_CLOSE_STREAM));
    assert_int_equal(game_next_at_ms(&table.game), INT64_MAX);
    wait_ms(&table, 5 * (int64_t)DAY_MS);
    assert_int_equal(table.todo.count, 0);
}

static void an_answer_while_the_stream_is_open_waits_to_be_called_too(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    find_move(&table, "e2e4");
    game_full(&table, "e2e4", "started", DAY_MS);
    game_full(&table, "e2e4 e7e5", "started", DAY_MS);
    assert_null(find(&table, EFFECT_SEARCH));
    assert_true(game_wants_turn(&table.game));
    give(&table, INPUT_TURN_GRANTED);
    assert_non_null(find(&table, EFFECT_SEARCH));
    assert_null(find(&table, EFFECT_OPEN_STREAM));
}

static void what_was_found_is_played_when_a_clock_needs_the_cores(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    assert_non_null(find(&table, EFFECT_SEARCH));
    wait_ms(&table, 1000);
    give(&table, INPUT_MAKE_WAY);
    assert_non_null(find(&table, EFFECT_STOP_SEARCH));
    assert_false(game_wants_turn(&table.game));
    find_move(&table, "e2e4");
}

static void a_search_that_has_hardly_begun_waits_for_another_turn(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    wait_ms(&table, 999);
    give(&table, INPUT_MAKE_WAY);
    assert_non_null(find(&table, EFFECT_STOP_SEARCH));
    assert_true(game_wants_turn(&table.game));
    wait_ms(&table, STAY_MS);
    assert_non_null(find(&table, EFFECT_CLOSE_STREAM));
    assert_true(game_wants_turn(&table.game));
    assert_int_equal(table.game.correspondence.deadline_ms, 1000000 + DAY_MS);
    give(&table, INPUT_TURN_GRANTED);
    assert_non_null(find(&table, EFFECT_OPEN_STREAM));
    assert_non_null(find(&table, EFFECT_SEARCH)); /* the list is known, and most likely the same */
}

static void near_its_deadline_a_game_plays_even_what_it_has_just_found(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, true, DAY_MS / 24);
    give(&table, INPUT_TURN_GRANTED);
    give(&table, INPUT_MAKE_WAY); /* before it could begin: that keeps it from nothing */
    game_full(&table, "", "started", DAY_MS / 24);
    assert_non_null(find(&table, EFFECT_SEARCH));
    give(&table, INPUT_MAKE_WAY);
    assert_non_null(find(&table, EFFECT_STOP_SEARCH));
    assert_false(game_wants_turn(&table.game));
    find_move(&table, "e2e4");
}

static void a_move_on_its_way_is_not_put_off(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    find_move(&table, "e2e4");
    give(&table, INPUT_MAKE_WAY);
    wait_ms(&table, STAY_MS);
    assert_false(table.game.correspondence.is_asleep);
    assert_true(outbox_holds(&table.game.outbox, COMMAND_MOVE));
}

static void a_word_that_was_wrong_costs_no_more_than_a_look(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, true, DAY_MS);
    give(&table, INPUT_TURN_GRANTED);
    game_full(&table, "e2e4", "started", DAY_MS);
    assert_null(find(&table, EFFECT_SEARCH));
    assert_false(game_wants_turn(&table.game));
    turn(&table, true, DAY_MS); /* from before the stream was opened */
    assert_false(game_wants_turn(&table.game));
    wait_ms(&table, STAY_MS);
    assert_true(table.game.correspondence.is_asleep);
}

static void an_end_while_we_rest_is_read_in_full(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, false, INT64_MAX);
    finish(&table, STATUS_RESIGN, WHITE);
    assert_non_null(find(&table, EFFECT_OPEN_STREAM));
    game_full(&table, "e2e4 e7e5", "resign", DAY_MS);
    assert_non_null(find(&table, EFFECT_FINISH));
    assert_int_equal(table.game.sheet.ply, 2);
}

static void an_end_that_nobody_can_read_ends_all_the_same(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, false, INT64_MAX);
    finish(&table, STATUS_RESIGN, BLACK);
    wait_ms(&table, 60000);
    assert_non_null(find(&table, EFFECT_FINISH));
    assert_int_equal(table.game.winner, BLACK);
}

static void a_recheck_is_settled_by_the_stream(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, false, INT64_MAX);
    give(&table, INPUT_RECHECK);
    assert_non_null(find(&table, EFFECT_OPEN_STREAM));
    game_full(&table, "e2e4", "started", DAY_MS);
    wait_ms(&table, STAY_MS);
    assert_true(table.game.correspondence.is_asleep);
}

static void lines_of_a_stream_that_was_closed_say_nothing(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    find_move(&table, "e2e4");
    game_full(&table, "e2e4", "started", DAY_MS);
    wait_ms(&table, STAY_MS);
    assert_non_null(find(&table, EFFECT_CLOSE_STREAM));
    game_full(&table, "e2e4 e7e5", "started", DAY_MS);
    assert_int_equal(table.todo.count, 0);
    assert_int_equal(game_ply(&table.game), 1);
    wait_ms(&table, STAY_MS);
    assert_int_equal(table.todo.count, 0);
}

static void a_stream_that_is_lost_meanwhile_is_opened_again(void **state)
{
    (void)state;
    Table table;
    come_to_the_board(&table);
    step(&table, &(GameInput){ .kind = INPUT_STREAM_END, .end = STREAM_LOST });
    for (int i = 0; i < 10 && !find(&table, EFFECT_OPEN_STREAM); i++)
        wait_ms(&table, game_next_at_ms(&table.game) - table.now);
    assert_non_null(find(&table, EFFECT_OPEN_STREAM));
    assert_false(table.game.correspondence.is_asleep);
}

static void near_its_deadline_a_game_thinks_for_less(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    turn(&table, true, 20000);
    give(&table, INPUT_TURN_GRANTED);
    game_full(&table, "", "started", 20000);
    SearchLimits limits = { 0 };
    game_search_limits(&table.game, table.now, &limits);
    assert_int_equal(limits.movetime_ms, 2000);
    assert_true(game_next_at_ms(&table.game) <= table.now + 10000); /* when it is stopped_early */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_on_the_opponents_turn_is_left_alone),
        cmocka_unit_test(a_game_on_our_turn_waits_to_be_called),
        cmocka_unit_test(who_is_called_reads_thinks_moves_and_rests_again),
        cmocka_unit_test(an_answer_while_the_stream_is_open_waits_to_be_called_too),
        cmocka_unit_test(what_was_found_is_played_when_a_clock_needs_the_cores),
        cmocka_unit_test(a_search_that_has_hardly_begun_waits_for_another_turn),
        cmocka_unit_test(near_its_deadline_a_game_plays_even_what_it_has_just_found),
        cmocka_unit_test(a_move_on_its_way_is_not_put_off),
        cmocka_unit_test(a_word_that_was_wrong_costs_no_more_than_a_look),
        cmocka_unit_test(an_end_while_we_rest_is_read_in_full),
        cmocka_unit_test(an_end_that_nobody_can_read_ends_all_the_same),
        cmocka_unit_test(a_recheck_is_settled_by_the_stream),
        cmocka_unit_test(lines_of_a_stream_that_was_closed_say_nothing),
        cmocka_unit_test(a_stream_that_is_lost_meanwhile_is_opened_again),
        cmocka_unit_test(near_its_deadline_a_game_thinks_for_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
