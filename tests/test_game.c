/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I13, I14 and I16 of bot/README.md. */
#include "bot/game/game.h"
#include "bot/game/move_request.h"
#include "engine/core/uci_move.h"
#include "tests/unit.h"

/* A game, its world, and what its last step asked for. We are castled-bot; times in ms. */
typedef struct {
    Game game;
    Ratelimit limit;
    Effects todo;
    int64_t now;
} Table;

/* What a gameFull is made of; NULL or 0: the usual. */
typedef struct {
    bool we_are_black, is_tournament, has_no_clock, is_ai;
    const char *variant, *fen, *moves, *status, *more;
    int clock_ms; /* ours */
} Full;

static void step(Table *table, const GameInput *input)
{
    game_step(&table->game, input, table->now, &table->todo);
}

static void line(Table *table, const char *text)
{
    Event event;
    Error err = { 0 };
    if (!event_parse(&event, text, strlen(text), &err))
        fail_msg("%s: %s", err.text, text);
    step(table, &(GameInput){ .kind = INPUT_LINE, .event = &event });
    event_release(&event);
}

static const char * or (const char *text, const char *usual)
{
    return text ? text : usual;
}

static void state_text(char *out, size_t size, const Full *full)
{
    int len = snprintf(out, size,
                       "{\"type\":\"gameState\",\"moves\":\"%s\",\"wtime\":%d,\"btime\":%d,"
                       "\"winc\":0,\"binc\":0,\"status\":\"%s\"%s}",
                       or (full->moves, ""), full->clock_ms ? full->clock_ms : 60000,
                       full->clock_ms ? full->clock_ms : 60000, or (full->status, "started"),
                       or (full->more, ""));
    assert_in_range(len, 1, size - 1);
}

static void game_full(Table *table, Full full)
{
    static const char *const us = "{\"id\":\"castled-bot\",\"name\":\"Castled-Bot\"}";
    const char *const alba =
        full.is_ai ? "{\"aiLevel\":3}" : "{\"id\":\"alba\",\"name\":\"Alba\",\"rating\":2000}";
    char text[3000], state[2000];
    state_text(state, sizeof state, &full);
    int len = snprintf(text, sizeof text,
                       "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"%s\"},%s"
                       "\"speed\":\"blitz\",\"white\":%s,\"black\":%s,\"initialFen\":\"%s\",%s"
                       "\"state\":%s}",
                       or (full.variant, "standard"),
                       full.has_no_clock ? "" : "\"clock\":{\"initial\":60000,\"increment\":0},",
                       full.we_are_black ? alba : us, full.we_are_black ? us : alba,
                       or (full.fen, "startpos"),
                       full.is_tournament ? "\"tournamentId\":\"arena123\"," : "", state);
    assert_in_range(len, 1, sizeof text - 1);
    line(table, text);
}

static void game_state(Table *table, Full full)
{
    char text[2000];
    state_text(text, sizeof text, &full);
    line(table, text);
}

static void moves(Table *table, const char *list)
{
    game_state(table, (Full){ .moves = list });
}

static void wait_ms(Table *table, int64_t ms)
{
    table->now += ms;
    step(table, &(GameInput){ .kind = INPUT_TIME });
}

/* Lets the time pass until the game asks for it to be looked at. */
static void wait_for_wish(Table *table)
{
    int64_t next = game_next_at_ms(&table->game);
    assert_in_range(next, table->now, table->now + 200000);
    wait_ms(table, next - table->now);
}

static int count(const Table *table, EffectKind kind)
{
    int n = 0;
    for (int i = 0; i < table->todo.count; i++)
        n += table->todo.list[i].kind == kind;
    return n;
}

static const Effect *find(const Table *table, EffectKind kind)
{
    for (int i = 0; i < table->todo.count; i++) {
        if (table->todo.list[i].kind == kind)
            return &table->todo.list[i];
    }
    return NULL;
}

static const Post *posted(const Table *table, CommandKind kind)
{
    for (int i = 0; i < table->todo.count; i++) {
        const Effect *effect = &table->todo.list[i];
        if (effect->kind == EFFECT_POST && effect->post.command.kind == kind)
            return &effect->post;
    }
    return NULL;
}

static const Note *noted(const Table *table, NoteKind kind)
{
    for (int i = 0; i < table->todo.count; i++) {
        const Effect *effect = &table->todo.list[i];
        if (effect->kind == EFFECT_NOTE && effect->note.kind == kind)
            return &effect->note;
    }
    return NULL;
}

static uint32_t is_searching(const Table *table)
{
    const Effect *effect = find(table, EFFECT_SEARCH);
    return effect ? effect->version : 0;
}

static void assert_quiet(const Table *table)
{
    for (int i = 0; i < table->todo.count; i++)
        assert_int_equal(table->todo.list[i].kind, EFFECT_NOTE);
}

static void found(Table *table, uint32_t version, const char *uci)
{
    Move move = MOVE_NONE;
    if (uci)
        assert_true(uci_move_match(&table->game.sheet.position, uci, strlen(uci), &move, NULL));
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    input.choice = (MoveChoice){ .version = version, .move = move, .depth = 5 };
    step(table, &input);
}

static void reply(Table *table, uint32_t ticket, Reply what)
{
    GameInput input = { .kind = INPUT_REPLY };
    input.reply.ticket = ticket;
    input.reply.reply = what;
    step(table, &input);
}

static void stream_ends(Table *table, StreamEnd end)
{
    step(table, &(GameInput){ .kind = INPUT_STREAM_END, .end = end });
}

static void finished(Table *table, GameStatus status, Colour winner)
{
    GameInput input = { .kind = INPUT_FINISH };
    input.finish.status = status;
    input.finish.winner = winner;
    step(table, &input);
}

static const GameOptions usual_options = {
    .overhead_ms = 100, .abort_after_ms = 30000, .search_ms = 10000, .linger_ms = 30000
};

static void sit_down_with(Table *table, const GameOptions *options)
{
    table->now = 1000000;
    ratelimit_init(&table->limit);
    GameAccount account = { .our_id = "castled-bot", .limit = &table->limit };
    game_init(&table->game, "Qw8rTy2u", &account, options, 7, table->now);
    step(table, &(GameInput){ .kind = INPUT_TIME });
    assert_int_equal(count(table, EFFECT_OPEN_STREAM), 1);
}

static void sit_down(Table *table)
{
    sit_down_with(table, &usual_options);
}

/* White, thinking about the first move; returns the version. */
static uint32_t think_first_move(Table *table)
{
    sit_down(table);
    game_full(table, (Full){ 0 });
    uint32_t version = is_searching(table);
    assert_int_not_equal(version, 0);
    return version;
}

/* White, 1. e4 on its way; returns the ticket. */
static uint32_t send_first_move(Table *table)
{
    uint32_t version = think_first_move(table);
    found(table, version, "e2e4");
    const Post *post = posted(table, COMMAND_MOVE);
    assert_non_null(post);
    assert_string_equal(post->command.uci, "e2e4");
    return post->ticket;
}

/* The way of a move. */

static void we_think_when_it_is_our_turn_and_not_else(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    sit_down(&table);
    game_full(&table, (Full){ .we_are_black = true });
    assert_int_equal(is_searching(&table), 0);
    assert_false(game_owes_move(&table.game));
    moves(&table, "e2e4");
    assert_int_not_equal(is_searching(&table), 0);
}

static void a_position_may_begin_with_black(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .we_are_black = true,
                              .variant = "fromPosition",
                              .fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1" });
    uint32_t version = is_searching(&table);
    assert_int_not_equal(version, 0);
    found(&table, version, "e8g8");
    assert_string_equal(posted(&table, COMMAND_MOVE)->command.uci, "e8h8");
    game_state(&table, (Full){ .moves = "e8g8" }); /* the echo in the other notation */
    assert_non_null(noted(&table, NOTE_CONFIRMED));
    assert_false(outbox_holds(&table.game.outbox, COMMAND_MOVE));
}

static void castling_in_chess960_is_king_takes_rook(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *uci;
    } rows[] = {
        { "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", "e1b1" },
        { "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w KQkq - 0 1", "e1g1" },
        { "bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKR1NB w ECec - 0 1", "d1c1" },
        { "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down(&table);
        game_full(&table, (Full){ .variant = "chess960", .fen = rows[i].fen });
        found(&table, is_searching(&table), rows[i].uci);
        assert_string_equal(posted(&table, COMMAND_MOVE)->command.uci, rows[i].uci);
        moves(&table, rows[i].uci);
        assert_non_null(noted(&table, NOTE_CONFIRMED));
    }
}

static void the_same_state_again_starts_no_second_search(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    for (int i = 0; i < 5; i++) {
        game_state(&table, (Full){ .more = i % 2 ? ",\"bdraw\":true" : "" });
        assert_int_equal(is_searching(&table), 0);
        assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 0);
    }
    game_full(&table, (Full){ 0 });
    assert_int_equal(is_searching(&table), 0);
}

static void a_move_is_posted_once_and_confirmed_by_its_echo(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    game_state(&table, (Full){ 0 }); /* the old list once more */
    assert_quiet(&table);
    moves(&table, "e2e4"); /* the echo comes before the answer */
    assert_non_null(noted(&table, NOTE_CONFIRMED));
    reply(&table, ticket, REPLY_RECEIVED);
    assert_quiet(&table);
    moves(&table, "e2e4 e7e5");
    assert_int_not_equal(is_searching(&table), 0);
    assert_non_null(noted(&table, NOTE_THEIR_MOVE));
    assert_string_equal(noted(&table, NOTE_THEIR_MOVE)->san, "e5");
}

static void a_result_for_an_old_list_is_not_played(void **state)
{
    (void)state;
    Table table;
    uint32_t old = think_first_move(&table);
    moves(&table, "d2d4"); /* somebody moved for us */
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    found(&table, old, NULL);
    assert_quiet(&table);
    moves(&table, "d2d4 d7d5");
    uint32_t young = is_searching(&table);
    assert_int_not_equal(young, old);
    found(&table, old, NULL);
    assert_null(posted(&table, COMMAND_MOVE));
    found(&table, young, "c2c4");
    assert_non_null(posted(&table, COMMAND_MOVE));
}

static void an_illegal_result_is_replaced_by_a_legal_move(void **state)
{
    (void)state;
    Table table;
    uint32_t version = think_first_move(&table);
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    input.choice = (MoveChoice){ .version = version, .move = move_make(A1, H8, MOVE_QUIET) };
    step(&table, &input);
    const Post *post = posted(&table, COMMAND_MOVE);
    assert_non_null(post);
    assert_non_null(noted(&table, NOTE_LAST_RESORT));
    Move move;
    assert_true(uci_move_match(&table.game.sheet.position, post->command.uci,
                               strlen(post->command.uci), &move, NULL));
}

static void a_moves_lag_is_what_the_servers_clock_lost_beyond_our_thinking(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *before, *after;
        int clock_ms, left_ms, echo_ms;
        int lag_ms;
    } rows[] = {
        { "the clock does not run yet", "", "e2e4", 60000, 60000, 70, 70 },
        { "it runs", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 58900, 250, 100 },
        { "nothing lost", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 59000, 250, 0 },
        { "time was given", "e2e4 e7e5", "e2e4 e7e5 g1f3", 60000, 74000, 250, 250 },
        { "the echo was lost", "e2e4 e7e5", "e2e4 e7e5 g1f3 b8c6", 60000, 50000, 900, 900 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down(&table);
        game_full(&table, (Full){ .moves = rows[i].before, .clock_ms = rows[i].clock_ms });
        uint32_t version = is_searching(&table);
        table.now += 1000;
        found(&table, version, rows[i].before[0] ? "g1f3" : "e2e4");
        table.now += rows[i].echo_ms;
        game_state(&table, (Full){ .moves = rows[i].after, .clock_ms = rows[i].left_ms });
        const Note *note = noted(&table, NOTE_CONFIRMED);
        assert_non_null(note);
        if (note->lag_ms != rows[i].lag_ms)
            fail_msg("%s: %d", rows[i].name, (int)note->lag_ms);
        assert_int_equal(table.game.lag.delay_ms[0], rows[i].lag_ms);
    }
}

static void the_first_move_knows_the_accounts_lag(void **state)
{
    (void)state;
    static const GameOptions measured = { .overhead_ms = OVERHEAD_AUTO };
    Table table = { .now = 1000000 };
    ratelimit_init(&table.limit);
    GameAccount account = { .our_id = "castled-bot", .limit = &table.limit };
    lag_add(&account.lag, 400);
    game_init(&table.game, "Qw8rTy2u", &account, &measured, 7, table.now);
    step(&table, &(GameInput){ .kind = INPUT_TIME });
    game_full(&table, (Full){ 0 });
    SearchLimits limits = { 0 };
    assert_int_equal(game_lag(&table.game).usual_ms, 400);
    game_search_limits(&table.game, table.now, &limits);
    assert_in_range(limits.time_ms[WHITE], 60000 - 70 * 400 - 400, 60000 - 69 * 400);
}

/* Clocks that a line does not tell. */

static void an_untold_clock_is_reckoned_from_the_one_before(void **state)
{
    (void)state;
    static const char *const clocks[] = { "", "\"wtime\":null,\"btime\":null," };
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        char text[200];
        Table table;
        SearchLimits limits = { 0 };
        sit_down(&table);
        game_full(&table, (Full){ .moves = "e2e4 e7e5" });
        table.now += 4000;
        moves(&table, "e2e4 e7e5 g1f3"); /* told: 60 s each */
        table.now += 5000;
        int len = snprintf(text, sizeof text,
                           "{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5 g1f3 b8c6\",%s"
                           "\"status\":\"started\"}",
                           clocks[i]);
        assert_in_range(len, 1, sizeof text - 1);
        line(&table, text);
        assert_int_not_equal(is_searching(&table), 0);
        table.now += 1000;
        game_search_limits(&table.game, table.now, &limits);
        assert_in_range(limits.time_ms[WHITE], 45000, 59000);
        assert_int_equal(limits.time_ms[BLACK], 55000);
    }
}

static void a_clock_that_no_line_tells_is_the_games_own(void **state)
{
    (void)state;
    Table table;
    SearchLimits limits = { 0 };
    sit_down(&table);
    line(&table,
         "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"standard\"},"
         "\"clock\":{\"initial\":60000,\"increment\":2000},\"speed\":\"blitz\","
         "\"white\":{\"id\":\"castled-bot\"},\"black\":{\"id\":\"alba\"},"
         "\"initialFen\":\"startpos\","
         "\"state\":{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5\",\"status\":\"started\"}}");
    game_search_limits(&table.game, table.now, &limits);
    assert_in_range(limits.time_ms[WHITE], 45000, 60000);
    assert_int_equal(limits.time_ms[BLACK], 60000);
    assert_int_equal(limits.increment_ms[BLACK], 2000);
}

/* The first move of an arena's game has a deadline of its own. */

static void a_first_move_in_an_arena_comes_before_its_own_deadline(void **state)
{
    (void)state;
    Table table;
    SearchLimits limits = { 0 };
    sit_down(&table);
    game_full(&table,
              (Full){ .is_tournament = true,
                      .clock_ms = 600000,
                      .more = ",\"expiration\":{\"idleMillis\":5000,\"millisToMove\":20000}" });
    int64_t began = table.now;
    game_search_limits(&table.game, table.now, &limits);
    assert_in_range(limits.movetime_ms, 1, 12000);
    for (int i = 0; i < 3 && !posted(&table, COMMAND_MOVE); i++)
        wait_for_wish(&table); /* the search is silent */
    assert_non_null(posted(&table, COMMAND_MOVE));
    assert_in_range(table.now - began, 5000, 14900);
}

static void only_the_first_moves_have_such_a_deadline(void **state)
{
    (void)state;
    Table table;
    SearchLimits limits = { 0 };
    sit_down(&table);
    game_full(&table,
              (Full){ .is_tournament = true,
                      .we_are_black = true,
                      .more = ",\"expiration\":{\"idleMillis\":5000,\"millisToMove\":20000}" });
    game_state(&table, (Full){ .moves = "e2e4" });
    game_search_limits(&table.game, table.now, &limits);
    assert_int_equal(limits.movetime_ms, 0);
}

/* Against Lichess's own engine the server holds each move of ours for half a second. */

static void the_servers_half_second_against_its_engine_is_no_lag(void **state)
{
    (void)state;
    static const GameOptions measured = { .overhead_ms = OVERHEAD_AUTO };
    Table table;
    SearchLimits limits = { 0 };
    sit_down_with(&table, &measured);
    game_full(&table, (Full){ .is_ai = true, .moves = "e2e4 e7e5" });
    uint32_t version = is_searching(&table);
    table.now += 1000;
    found(&table, version, "g1f3");
    table.now += 540;
    game_state(&table, (Full){ .is_ai = true, .moves = "e2e4 e7e5 g1f3", .clock_ms = 58460 });
    assert_int_equal(noted(&table, NOTE_CONFIRMED)->lag_ms, 40);
    assert_int_equal(table.game.lag.delay_ms[0], 40);
    game_state(&table, (Full){ .is_ai = true, .moves = "e2e4 e7e5 g1f3 b8c6" });
    game_search_limits(&table.game, table.now, &limits);
    assert_in_range(limits.time_ms[WHITE], 1, 60000 - 60 * 500); /* but it is kept back */
}

static void a_search_that_lets_the_clock_run_is_stopped_early_then_replaced(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4 e7e5", .clock_ms = 10000 });
    uint32_t version = is_searching(&table);
    int64_t began = table.now;
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    assert_in_range(table.now - began, 5000, 9500);
    wait_for_wish(&table);
    assert_non_null(posted(&table, COMMAND_MOVE));
    assert_in_range(table.now - began, 5000, 9900);
    found(&table, version, "g1f3"); /* too late */
    assert_quiet(&table);
}

static void no_move_is_owed_where_there_is_none(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "f2f3 e7e5 g2g4" });
    assert_false(game_owes_move(&table.game));
    moves(&table, "f2f3 e7e5 g2g4 d8h4"); /* mate: we are White */
    assert_false(game_owes_move(&table.game));
    assert_int_equal(is_searching(&table), 0);
}

static void a_game_not_begun_is_waited_for(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .status = "created" });
    assert_int_equal(is_searching(&table), 0);
    game_state(&table, (Full){ .status = "started" });
    assert_int_not_equal(is_searching(&table), 0);
}

static void an_unlimited_game_is_played_too(void **state)
{
    (void)state;
    Table table;
    SearchLimits limits = { 0 };
    sit_down(&table);
    game_full(&table, (Full){ .has_no_clock = true, .clock_ms = INT32_MAX });
    step(&table, &(GameInput){ .kind = INPUT_TURN_GRANTED });
    uint32_t version = is_searching(&table);
    assert_int_not_equal(version, 0);
    game_search_limits(&table.game, table.now, &limits);
    assert_false(limits.has_clock);
    assert_in_range(limits.movetime_ms, 1000, 60000);
    found(&table, version, "e2e4");
    assert_non_null(posted(&table, COMMAND_MOVE));
    wait_ms(&table, 3000000); /* nobody aborts a game of days */
    assert_null(posted(&table, COMMAND_ABORT));
}

/* Requests that fail. */

static void a_lost_move_is_repeated_while_the_list_is_old(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_LOST);
    assert_null(posted(&table, COMMAND_MOVE));
    wait_for_wish(&table);
    const Post *again = posted(&table, COMMAND_MOVE);
    assert_non_null(again);
    assert_string_equal(again->command.uci, "e2e4");
    assert_int_equal(again->tries, 2);
    assert_non_null(noted(&table, NOTE_AGAIN));
}

static void a_move_lost_but_played_is_not_repeated(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_LOST); /* a 502, though it was applied */
    moves(&table, "e2e4");
    wait_ms(&table, 20000);
    assert_null(posted(&table, COMMAND_MOVE));
}

static void a_lost_castling_that_could_become_a_step_is_not_repeated_blindly(void **state)
{
    (void)state;
    static const char fen[] = "1k3r2/8/8/8/8/7p/7P/6KR w K - 0 1";
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .variant = "chess960", .fen = fen });
    found(&table, is_searching(&table), "g1h1");
    reply(&table, posted(&table, COMMAND_MOVE)->ticket, REPLY_LOST);
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_POST), 0);
    wait_ms(&table, 10000); /* the old stream's word does not count any more */
    assert_int_equal(count(&table, EFFECT_POST), 0);
    game_full(&table, (Full){ .variant = "chess960", .fen = fen });
    assert_string_equal(posted(&table, COMMAND_MOVE)->command.uci, "g1h1");
    assert_int_equal(posted(&table, COMMAND_MOVE)->tries, 2);
}

static void a_refused_move_leads_to_a_fresh_look_and_nothing_else(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_REFUSED);
    assert_quiet(&table);
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_POST), 0);
    wait_ms(&table, 14000); /* while the stream is silent nothing is sent */
    assert_int_equal(count(&table, EFFECT_POST), 0);
    game_full(&table, (Full){ 0 }); /* the old list, it is still our turn */
    assert_non_null(posted(&table, COMMAND_MOVE));
}

static void a_refused_move_that_was_played_is_not_repeated(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_REFUSED);
    wait_for_wish(&table);
    game_full(&table, (Full){ .moves = "e2e4 c7c5" });
    assert_null(posted(&table, COMMAND_MOVE));
    assert_int_not_equal(is_searching(&table), 0);
}

static void a_move_that_is_always_refused_is_sent_seldom(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    int requests = 1;
    int64_t end = table.now + 600000;
    reply(&table, ticket, REPLY_REFUSED);
    while (table.now < end) {
        wait_ms(&table, 100);
        if (count(&table, EFFECT_OPEN_STREAM))
            game_full(&table, (Full){ .clock_ms = 900000 });
        const Post *post = posted(&table, COMMAND_MOVE);
        if (!post)
            continue;
        requests++;
        reply(&table, post->ticket, REPLY_REFUSED);
    }
    assert_in_range(requests, 4, 80);
    assert_int_equal(table.game.phase, GAME_PLAYING);
}

static void a_received_move_without_echo_leads_to_a_fresh_look(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_RECEIVED);
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    assert_null(posted(&table, COMMAND_MOVE));
    game_full(&table, (Full){ .moves = "e2e4" });
    assert_non_null(noted(&table, NOTE_CONFIRMED));
}

static void a_rate_limit_is_waited_out_only_where_the_clock_allows(void **state)
{
    (void)state;
    static const struct {
        int clock_ms;
        int64_t least_ms, most_ms;
    } rows[] = { { 600000, 59000, 61000 }, { 20000, 900, 1100 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down(&table);
        game_full(&table, (Full){ .moves = "e2e4 e7e5", .clock_ms = rows[i].clock_ms });
        found(&table, is_searching(&table), "g1f3");
        uint32_t ticket = posted(&table, COMMAND_MOVE)->ticket;
        int64_t began = table.now;
        ratelimit_note(&table.limit, FAMILY_MOVE, 0, false, table.now);
        reply(&table, ticket, REPLY_LIMITED);
        do
            wait_for_wish(&table);
        while (!posted(&table, COMMAND_MOVE) && table.now - began < 100000);
        assert_in_range(table.now - began, rows[i].least_ms, rows[i].most_ms);
    }
}

/* Streams that fail. */

static void a_streams_end_is_not_the_games_end(void **state)
{
    (void)state;
    static const StreamEnd ends[] = { STREAM_CLOSED, STREAM_LOST };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        Table table;
        uint32_t version = think_first_move(&table);
        table.now += 20000;
        stream_ends(&table, ends[i]);
        assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1); /* at once */
        assert_int_equal(count(&table, EFFECT_FINISH), 0);
        assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 0);
        game_full(&table, (Full){ .clock_ms = 50000 });
        assert_int_equal(is_searching(&table), 0); /* the search has gone on */
        assert_non_null(noted(&table, NOTE_STREAM_BACK));
        found(&table, version, "e2e4");
        assert_non_null(posted(&table, COMMAND_MOVE));
    }
}

static void a_stream_that_fails_again_and_again_is_opened_ever_less_often(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    int opened = 0;
    int64_t end = table.now + 60000;
    stream_ends(&table, STREAM_LOST);
    while (table.now < end) {
        if (count(&table, EFFECT_OPEN_STREAM)) {
            opened++;
            stream_ends(&table, STREAM_LOST);
        } else {
            wait_ms(&table, 10);
        }
    }
    assert_in_range(opened, 8, 60);
}

static void a_move_found_while_the_stream_is_down_is_sent(void **state)
{
    (void)state;
    Table table;
    uint32_t version = think_first_move(&table);
    stream_ends(&table, STREAM_LOST);
    found(&table, version, "e2e4");
    const Post *post = posted(&table, COMMAND_MOVE);
    assert_non_null(post);
    reply(&table, post->ticket, REPLY_LOST);
    wait_ms(&table, 20000);
    assert_null(posted(&table, COMMAND_MOVE)); /* once; what came of it the stream will say */
    game_full(&table, (Full){ .moves = "e2e4" });
    assert_null(posted(&table, COMMAND_MOVE));
    assert_non_null(noted(&table, NOTE_CONFIRMED));
}

static void a_drop_between_move_and_echo_is_settled_by_the_fresh_state(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_RECEIVED);
    stream_ends(&table, STREAM_LOST);
    game_full(&table, (Full){ 0 }); /* it was lost after all */
    if (!posted(&table, COMMAND_MOVE))
        wait_for_wish(&table);
    assert_non_null(posted(&table, COMMAND_MOVE));
}

static void a_game_that_the_server_does_not_know_is_given_up(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    stream_ends(&table, STREAM_NOT_FOUND);
    assert_int_equal(count(&table, EFFECT_FINISH), 0);
    if (!count(&table, EFFECT_OPEN_STREAM))
        wait_for_wish(&table);
    stream_ends(&table, STREAM_NOT_FOUND);
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(table.game.phase, GAME_OVER);
}

static void an_unreadable_line_makes_us_read_afresh(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    table.now += 20000;
    step(&table, &(GameInput){ .kind = INPUT_UNREADABLE });
    assert_int_equal(count(&table, EFFECT_CLOSE_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 0);
}

/* Moves that make no sense. */

static void a_desynced_game_is_read_again_once_and_never_answered(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    table.now += 20000;
    moves(&table, "e2e4 e7e5 e4e5");
    assert_non_null(noted(&table, NOTE_DESYNCED));
    assert_non_null(strstr(noted(&table, NOTE_DESYNCED)->text, "e4e5"));
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    game_full(&table, (Full){ .moves = "e2e4 e7e5 e4e5" });
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 0);
    for (int i = 0; i < 100; i++) {
        wait_ms(&table, 10000);
        assert_quiet(&table);
    }
    assert_int_equal(table.game.phase, GAME_DESYNCED);
    moves(&table, "e2e4 e7e5"); /* taken back: we are in again */
    assert_int_not_equal(is_searching(&table), 0);
}

static void a_garbled_list_is_healed_by_the_fresh_one(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    table.now += 20000;
    moves(&table, "e2e4 e7");
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    assert_int_equal(table.game.phase, GAME_PLAYING);
    assert_int_not_equal(is_searching(&table), 0);
}

static void a_game_that_we_cannot_play_is_aborted_or_watched(void **state)
{
    (void)state;
    static const Full rows[] = {
        { .variant = "atomic" },
        { .variant = "bughouse" },
        { .variant = "fromPosition", .fen = "no position" },
        { .variant = "fromPosition", .fen = "8/8/8/8/8/8/8/8 w - - 0 1" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down(&table);
        game_full(&table, rows[i]);
        assert_non_null(noted(&table, NOTE_UNPLAYABLE));
        assert_non_null(posted(&table, COMMAND_ABORT));
        assert_int_equal(is_searching(&table), 0);
        game_state(&table, (Full){ .status = "aborted" });
        assert_int_equal(count(&table, EFFECT_FINISH), 1);

        Full late = rows[i];
        late.moves = "e2e4 e7e5";
        sit_down(&table);
        game_full(&table, late);
        assert_quiet(&table);
        game_state(&table, (Full){ .moves = "e2e4 e7e5", .status = "outoftime" });
        assert_int_equal(count(&table, EFFECT_FINISH), 1);
    }
}

static void a_game_without_us_is_not_played(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    line(&table, "{\"type\":\"gameFull\",\"id\":\"Qw8rTy2u\",\"variant\":{\"key\":\"standard\"},"
                 "\"clock\":{\"initial\":60000,\"increment\":0},\"white\":{},\"black\":{},"
                 "\"initialFen\":\"startpos\",\"state\":{\"moves\":\"e2e4 e7e5\",\"wtime\":1,"
                 "\"btime\":1,\"status\":\"started\"}}");
    assert_quiet(&table);
    assert_int_equal(table.game.phase, GAME_UNPLAYABLE);
}

static void claims_that_the_board_contradicts_do_not_stop_a_game(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table,
              (Full){ .variant = "fromPosition", .fen = "4k3/8/8/8/8/8/8/4K3 w KQkq e3 0 1" });
    assert_non_null(noted(&table, NOTE_CLAIMS_DROPPED));
    assert_int_not_equal(is_searching(&table), 0);
}

/* Variants that our rules don't know. */

static void sit_down_for_variants(Table *table)
{
    GameOptions options = usual_options;
    options.variants = 1U << VARIANT_CRAZYHOUSE | 1U << VARIANT_RACING_KINGS;
    sit_down_with(table, &options);
}

static void found_text(Table *table, uint32_t version, const char *uci)
{
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    input.choice = (MoveChoice){ .version = version, .depth = 5 };
    memcpy(input.choice.text, uci, strlen(uci) + 1);
    step(table, &input);
}

static void a_variant_is_played_by_text_alone(void **state)
{
    (void)state;
    Table table;
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "crazyhouse", .moves = "e2e4 d7d5 e4d5 d8d5" });
    found_text(&table, is_searching(&table), "P@e5");
    assert_string_equal(posted(&table, COMMAND_MOVE)->command.uci, "P@e5");
    assert_string_equal(noted(&table, NOTE_MOVE)->san, "P@e5");
    moves(&table, "e2e4 d7d5 e4d5 d8d5 P@e5");
    assert_non_null(noted(&table, NOTE_CONFIRMED));
    assert_false(game_owes_move(&table.game));
    moves(&table, "e2e4 d7d5 e4d5 d8d5 P@e5 P@e6");
    assert_string_equal(noted(&table, NOTE_THEIR_MOVE)->san, "P@e6");
    found_text(&table, is_searching(&table), "e1g1");
    moves(&table, "e2e4 d7d5 e4d5 d8d5 P@e5 P@e6 e1h1"); /* the other notation */
    assert_non_null(noted(&table, NOTE_CONFIRMED));
}

static void a_variants_own_start_is_handed_on(void **state)
{
    (void)state;
    static const char fen[] = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    Table table;
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "racingKings", .fen = fen });
    assert_int_not_equal(is_searching(&table), 0);
    assert_string_equal(table.game.fen, fen);
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "racingKings", .fen = "8 b\\nquit" });
    assert_non_null(noted(&table, NOTE_UNPLAYABLE));
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "atomic" }); /* no engine for that one */
    assert_non_null(noted(&table, NOTE_UNPLAYABLE));
}

static void without_rules_no_move_is_made_up(void **state)
{
    (void)state;
    static const char *const nothing[] = { "", "0000", "e9e4" };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        Table table;
        sit_down_for_variants(&table);
        game_full(&table, (Full){ .variant = "crazyhouse" });
        found_text(&table, is_searching(&table), nothing[i]);
        assert_null(posted(&table, COMMAND_MOVE));
        assert_non_null(noted(&table, NOTE_NO_MOVE));
        assert_int_equal(is_searching(&table), 0); /* not in haste */
        assert_int_equal(game_next_at_ms(&table.game), table.now + 1000);
        wait_ms(&table, 1000);
        found_text(&table, is_searching(&table), "e2e4");
        assert_non_null(posted(&table, COMMAND_MOVE));
    }
    Table table;
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "crazyhouse", .moves = "e2e4 e7e5" });
    uint32_t version = is_searching(&table);
    for (int i = 0; i < 10 && game_next_at_ms(&table.game) != INT64_MAX; i++)
        wait_for_wish(&table); /* the clock runs down, and nobody answers */
    assert_null(noted(&table, NOTE_LAST_RESORT));
    found_text(&table, version, "g1f3");
    assert_non_null(posted(&table, COMMAND_MOVE));
}

static void a_move_that_the_server_refuses_is_replaced_a_few_times(void **state)
{
    (void)state;
    Table table;
    sit_down_for_variants(&table);
    game_full(&table, (Full){ .variant = "crazyhouse" });
    uint32_t version = is_searching(&table);
    for (int i = 1; i <= 3; i++) {
        found_text(&table, version, "e2e5");
        const Post *post = posted(&table, COMMAND_MOVE);
        assert_non_null(post);
        reply(&table, post->ticket, REPLY_REFUSED);
        for (int j = 0; j < 5 && count(&table, EFFECT_OPEN_STREAM) == 0; j++)
            wait_for_wish(&table);
        assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
        game_full(&table, (Full){ .variant = "crazyhouse" });
        assert_int_equal(noted(&table, NOTE_BAD_MOVE)->count, i);
        version = is_searching(&table);
        assert_int_equal(version != 0, i < 3);
        assert_int_equal(table.game.refusals, i);
    }
    moves(&table, "e2e4 e7e5"); /* somebody moved for us */
    assert_int_not_equal(is_searching(&table), 0);
}

static void in_chess_a_refused_move_is_sent_again(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_REFUSED);
    for (int j = 0; j < 5 && count(&table, EFFECT_OPEN_STREAM) == 0; j++)
        wait_for_wish(&table);
    game_full(&table, (Full){ 0 });
    assert_null(noted(&table, NOTE_BAD_MOVE));
    assert_int_equal(is_searching(&table), 0);
    assert_true(outbox_holds(&table.game.outbox, COMMAND_MOVE));
}

/* Takebacks, draws, aborts. */

static void a_takeback_while_we_think_starts_anew(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    uint32_t old = is_searching(&table);
    moves(&table, ""); /* both moves */
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    assert_int_not_equal(is_searching(&table), 0);
    assert_int_not_equal(is_searching(&table), old);
    assert_non_null(noted(&table, NOTE_TAKEN_BACK));
    moves(&table, "e2e4 e7e5");
    uint32_t version = is_searching(&table);
    moves(&table, "e2e4"); /* one move: not our turn any more */
    assert_int_equal(is_searching(&table), 0);
    found(&table, version, NULL);
    assert_quiet(&table);
}

static void a_takeback_while_our_move_is_in_flight_forgets_it(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found(&table, is_searching(&table), "g1f3");
    uint32_t ticket = posted(&table, COMMAND_MOVE)->ticket;
    moves(&table, "");
    uint32_t version = is_searching(&table);
    assert_int_not_equal(version, 0);
    reply(&table, ticket, REPLY_REFUSED);
    assert_quiet(&table);
    found(&table, version, "d2d4");
    assert_string_equal(posted(&table, COMMAND_MOVE)->command.uci, "d2d4");
}

static void our_late_move_after_a_takeback_is_followed_like_any(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found(&table, is_searching(&table), "g1f3");
    moves(&table, "");
    assert_int_not_equal(is_searching(&table), 0);
    moves(&table, "g1f3"); /* what was in flight was legal there too */
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    assert_false(game_owes_move(&table.game));
}

static void takebacks_are_granted_as_often_as_configured(void **state)
{
    (void)state;
    GameOptions options = usual_options;
    options.takebacks = 1;
    Table table;
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5 g1f3" });
    Full proposal = { .moves = "e2e4 e7e5 g1f3", .more = ",\"btakeback\":true" };
    game_state(&table, proposal);
    assert_true(posted(&table, COMMAND_TAKEBACK)->command.accepts);
    game_state(&table, proposal); /* told again, answered once */
    assert_null(posted(&table, COMMAND_TAKEBACK));
    moves(&table, "e2e4");
    assert_int_equal(table.game.takebacks_granted, 1);
    moves(&table, "e2e4 c7c5");
    game_state(&table, (Full){ .moves = "e2e4 c7c5", .more = ",\"btakeback\":true" });
    assert_false(posted(&table, COMMAND_TAKEBACK)->command.accepts);
    game_state(&table, (Full){ .moves = "e2e4 c7c5" });
    game_state(&table, (Full){ .moves = "e2e4 c7c5", .more = ",\"btakeback\":true" });
    assert_false(posted(&table, COMMAND_TAKEBACK)->command.accepts); /* a new proposal */
    game_state(&table, (Full){ .moves = "e2e4 c7c5", .more = ",\"wtakeback\":true" });
    assert_false(posted(&table, COMMAND_TAKEBACK)->command.accepts); /* it is ours: taken back */
}

static void a_yes_to_a_takeback_never_goes_out_beside_a_move(void **state)
{
    (void)state;
    GameOptions options = usual_options;
    options.takebacks = 5;
    Table table;
    Full proposal = { .moves = "e2e4 e7e5", .more = ",\"btakeback\":true" };

    /* Our move is on its way, and declines. */
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found(&table, is_searching(&table), "g1f3");
    assert_non_null(posted(&table, COMMAND_MOVE));
    game_state(&table, proposal);
    assert_null(posted(&table, COMMAND_TAKEBACK));
    assert_false(noted(&table, NOTE_TAKEBACK_ASKED)->is_accepted);

    /* The move is still being searched: it waits for what comes of the yes. */
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    uint32_t version = is_searching(&table);
    game_state(&table, proposal);
    const Post *post = posted(&table, COMMAND_TAKEBACK);
    assert_non_null(post);
    assert_true(post->command.accepts);
    uint32_t ticket = post->ticket;
    found(&table, version, "g1f3");
    assert_null(posted(&table, COMMAND_MOVE));
    reply(&table, ticket, REPLY_RECEIVED);
    assert_null(posted(&table, COMMAND_MOVE));
    moves(&table, "e2e4"); /* done */
    assert_int_equal(table.game.takebacks_granted, 1);
    moves(&table, "e2e4 c7c5");
    found(&table, is_searching(&table), "g1f3");
    assert_non_null(posted(&table, COMMAND_MOVE));
}

static void a_yes_that_is_not_obeyed_holds_the_move_for_a_moment_only(void **state)
{
    (void)state;
    GameOptions options = usual_options;
    options.takebacks = 5;
    static const struct {
        Reply reply;
        int least_ms;
    } rows[] = { { REPLY_RECEIVED, 100 }, { REPLY_LOST, 100 }, { REPLY_REFUSED, 0 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down_with(&table, &options);
        game_full(&table, (Full){ .moves = "e2e4 e7e5" });
        game_state(&table, (Full){ .moves = "e2e4 e7e5", .more = ",\"btakeback\":true" });
        reply(&table, posted(&table, COMMAND_TAKEBACK)->ticket, rows[i].reply);
        int64_t began = table.now;
        while (is_searching(&table) == 0) {
            wait_for_wish(&table);
            assert_null(posted(&table, COMMAND_TAKEBACK)); /* twice could be a proposal */
        }
        assert_in_range(table.now - began, rows[i].least_ms, 6000);
        found(&table, is_searching(&table), "g1f3");
        assert_non_null(posted(&table, COMMAND_MOVE));
    }
}

static void a_proposal_that_our_move_has_declined_is_not_accepted(void **state)
{
    (void)state;
    GameOptions options = usual_options;
    options.takebacks = 5;
    Table table;
    Full shown = { .moves = "e2e4 e7e5 g1f3", .more = ",\"btakeback\":true" };
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found(&table, is_searching(&table), "g1f3");
    game_state(&table, shown); /* the confirmation may still carry it */
    assert_null(posted(&table, COMMAND_TAKEBACK));
    moves(&table, "e2e4 e7e5 g1f3");
    assert_null(posted(&table, COMMAND_TAKEBACK));
    game_state(&table, shown); /* a new one */
    assert_true(posted(&table, COMMAND_TAKEBACK)->command.accepts);
}

static void a_draw_offer_is_declined_once_and_not_by_a_request_if_we_move_anyway(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    uint32_t version = is_searching(&table);
    game_state(&table, (Full){ .moves = "e2e4 e7e5", .more = ",\"bdraw\":true" });
    assert_null(noted(&table, NOTE_DRAW_OFFERED));
    assert_null(posted(&table, COMMAND_DRAW)); /* our move will say it */
    found(&table, version, "g1f3");
    assert_int_equal(noted(&table, NOTE_DRAW_OFFERED)->is_accepted, 0);
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_null(posted(&table, COMMAND_DRAW)); /* the echo still shows it */
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3" });
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    const Post *post = posted(&table, COMMAND_DRAW);
    assert_non_null(post);
    assert_false(post->command.accepts);
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_null(posted(&table, COMMAND_DRAW));
}

/* Ends by our word. We are White; the second move is where everything may be drawn or lost. */

static const GameOptions ending_options = {
    .overhead_ms = 100,
    .claim = CLAIM_VICTORY,
    .draw = { .offer = true,
              .accept = true,
              .score_cp = 10,
              .moves = 1,
              .pieces = 32,
              .opponents = 3 },
    .resign = { .enabled = true, .score_cp = 1000, .moves = 1, .opponents = 3 },
};

static void found_by(Table *table, const char *uci, int score, TablebaseVerdict tables)
{
    Move move = MOVE_NONE;
    assert_true(uci_move_match(&table->game.sheet.position, uci, strlen(uci), &move, NULL));
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    input.choice = (MoveChoice){ .version = table->game.search.version,
                                 .move = move,
                                 .depth = 5,
                                 .score = score,
                                 .tablebase_verdict = tables };
    step(table, &input);
}

static void found_scored(Table *table, const char *uci, int score)
{
    found_by(table, uci, score, TABLEBASE_VERDICT_NONE);
}

static void a_draw_is_offered_with_a_move_and_not_again_for_twenty_plies(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_scored(&table, "g1f3", 5);
    assert_true(posted(&table, COMMAND_MOVE)->command.offers_draw);
    assert_non_null(noted(&table, NOTE_OFFERS_DRAW));
    moves(&table, "e2e4 e7e5 g1f3");
    moves(&table, "e2e4 e7e5 g1f3 b8c6");
    found_scored(&table, "f1b5", 5);
    assert_false(posted(&table, COMMAND_MOVE)->command.offers_draw);
    assert_null(posted(&table, COMMAND_DRAW));
}

/* An offer stands until the opponent moves, and turns the fall of their flag into a draw. */
static void no_draw_is_offered_to_one_whose_flag_may_fall(void **state)
{
    (void)state;
    static const struct {
        int clock_ms;
        bool offers;
    } rows[] = { { 5000, false }, { 19999, false }, { 30000, true }, { 60000, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        sit_down_with(&table, &ending_options); /* the operator's opponent_clock is 0 */
        game_full(&table, (Full){ .moves = "e2e4 e7e5", .clock_ms = rows[i].clock_ms });
        found_scored(&table, "g1f3", 5);
        assert_int_equal(posted(&table, COMMAND_MOVE)->command.offers_draw, rows[i].offers);
    }
}

static void a_move_without_a_score_offers_nothing(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    GameInput input = { .kind = INPUT_MOVE_FOUND };
    Move move;
    assert_true(uci_move_match(&table.game.sheet.position, "g1f3", 4, &move, NULL));
    input.choice = (MoveChoice){ .version = table.game.search.version, .move = move };
    step(&table, &input);
    assert_false(posted(&table, COMMAND_MOVE)->command.offers_draw);
    assert_null(posted(&table, COMMAND_RESIGN));
}

static void a_draw_is_accepted_at_once_where_it_stands(void **state)
{
    (void)state;
    Table table;
    GameOptions options = ending_options;
    options.draw.offer = false;
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_scored(&table, "g1f3", 5);
    /* An offer that a line shows with our move is one that the move has declined. */
    for (int i = 0; i < 2; i++) {
        game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
        assert_null(posted(&table, COMMAND_DRAW));
    }
    moves(&table, "e2e4 e7e5 g1f3");
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_true(posted(&table, COMMAND_DRAW)->command.accepts);
    assert_int_equal(noted(&table, NOTE_DRAW_OFFERED)->is_accepted, 1);
    /* It is withdrawn before it could be sent again. */
    uint32_t ticket = posted(&table, COMMAND_DRAW)->ticket;
    moves(&table, "e2e4 e7e5 g1f3");
    reply(&table, ticket, REPLY_LOST);
    wait_ms(&table, 10000);
    assert_null(posted(&table, COMMAND_DRAW));
    /* With a move of his, while we are to move: at once too. */
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3 b8c6", .more = ",\"bdraw\":true" });
    assert_true(posted(&table, COMMAND_DRAW)->command.accepts);
}

static void a_draw_in_a_game_that_is_not_level_is_declined(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_scored(&table, "g1f3", 200);
    moves(&table, "e2e4 e7e5 g1f3");
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_false(posted(&table, COMMAND_DRAW)->command.accepts);
    assert_int_equal(noted(&table, NOTE_DRAW_OFFERED)->is_accepted, 0);
}

static GameOptions table_options(void)
{
    GameOptions options = ending_options;
    options.draw.tablebase = options.resign.tablebase = true;
    options.draw.moves = options.resign.moves = 50;
    return options;
}

static void a_draw_by_the_tables_is_offered_and_accepted_at_once(void **state)
{
    (void)state;
    Table table;
    GameOptions options = table_options();
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_by(&table, "g1f3", 90, TABLEBASE_VERDICT_DRAW);
    assert_true(posted(&table, COMMAND_MOVE)->command.offers_draw);
    assert_non_null(noted(&table, NOTE_OFFERS_DRAW));
    moves(&table, "e2e4 e7e5 g1f3");
    game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_true(posted(&table, COMMAND_DRAW)->command.accepts);
}

/* What they said before the opponent's move says nothing about the position after it. */
static void an_offer_with_a_blunder_is_answered_by_what_the_tables_say_of_it(void **state)
{
    (void)state;
    static const struct {
        TablebaseVerdict now;
        bool accepts;
    } rows[] = { { TABLEBASE_VERDICT_WIN, false },
                 { TABLEBASE_VERDICT_DRAW, true },
                 { TABLEBASE_VERDICT_LOSS, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        GameOptions options = table_options();
        options.draw.moves = 1;
        options.draw.offer = false;
        sit_down_with(&table, &options);
        game_full(&table, (Full){ .moves = "e2e4 e7e5" });
        found_by(&table, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
        moves(&table, "e2e4 e7e5 g1f3");
        game_state(&table, (Full){ .moves = "e2e4 e7e5 g1f3 b8c6", .more = ",\"bdraw\":true" });
        assert_null(posted(&table, COMMAND_DRAW));
        found_by(&table, "f1b5", 0, rows[i].now);
        assert_int_equal(posted(&table, COMMAND_MOVE)->command.offers_draw, rows[i].accepts);
        assert_null(noted(&table, NOTE_RESIGNS));
        assert_int_equal(noted(&table, NOTE_DRAW_OFFERED)->is_accepted, rows[i].accepts);
    }
}

static void an_offer_that_stands_no_more_is_not_accepted_with_a_move(void **state)
{
    (void)state;
    Table table;
    GameOptions options = table_options();
    options.draw.offer = false;
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    game_state(&table, (Full){ .moves = "e2e4 e7e5", .more = ",\"bdraw\":true" });
    game_state(&table, (Full){ .moves = "e2e4 e7e5" });
    found_by(&table, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
    assert_false(posted(&table, COMMAND_MOVE)->command.offers_draw);
}

static void a_loss_by_the_tables_is_resigned_at_once_and_a_draw_never(void **state)
{
    (void)state;
    static const struct {
        TablebaseVerdict tables;
        bool resigns;
    } rows[] = { { TABLEBASE_VERDICT_LOSS, true },
                 { TABLEBASE_VERDICT_DRAW, false },
                 { TABLEBASE_VERDICT_NONE, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        GameOptions options = table_options();
        options.resign.moves = rows[i].tables == TABLEBASE_VERDICT_LOSS ? 50 : 1;
        sit_down_with(&table, &options);
        game_full(&table, (Full){ .moves = "e2e4 e7e5" });
        found_by(&table, "g1f3", -3000, rows[i].tables);
        assert_int_equal(noted(&table, NOTE_RESIGNS) != NULL, rows[i].resigns);
    }
}

static void lichess_s_own_engine_is_offered_nothing(void **state)
{
    (void)state;
    Table table;
    GameOptions options = table_options();
    sit_down_with(&table, &options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5", .is_ai = true });
    found_by(&table, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
    assert_false(posted(&table, COMMAND_MOVE)->command.offers_draw);
}

static void an_eval_history_goes_on_where_an_earlier_process_left_it(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        EvalHistory kept;
        bool offers;
    } rows[] = {
        { "one move more", { .ply = 1, .trend = { .level = 49 } }, true },
        { "too few", { .ply = 1, .trend = { .level = 48 } }, false },
        { "of other moves", { .ply = 5, .trend = { .level = 49 } }, false },
        { "offered just before",
          { .ply = 1, .trend = { .level = 49 }, .offered_at_ply = 1 },
          false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        GameOptions options = table_options();
        sit_down_with(&table, &options);
        game_recall(&table.game, &rows[i].kept);
        game_full(&table, (Full){ .moves = "e2e4 e7e5" });
        found_scored(&table, "g1f3", 0);
        if (posted(&table, COMMAND_MOVE)->command.offers_draw != rows[i].offers)
            fail_msg("%s", rows[i].name);
    }
}

static void a_lost_game_is_resigned_after_the_move(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_scored(&table, "g1f3", -1200);
    uint32_t ticket = posted(&table, COMMAND_MOVE)->ticket;
    assert_null(posted(&table, COMMAND_RESIGN)); /* the move goes first */
    assert_non_null(noted(&table, NOTE_RESIGNS));
    reply(&table, ticket, REPLY_RECEIVED);
    assert_non_null(posted(&table, COMMAND_RESIGN));
}

static void a_resignation_that_did_not_get_through_is_dropped_when_the_opponent_moves(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5" });
    found_scored(&table, "g1f3", -1200);
    moves(&table, "e2e4 e7e5 g1f3");
    reply(&table, posted(&table, COMMAND_RESIGN)->ticket, REPLY_LOST);
    moves(&table, "e2e4 e7e5 g1f3 b8c6");
    assert_int_not_equal(is_searching(&table), 0);
    wait_ms(&table, 20000);
    assert_null(posted(&table, COMMAND_RESIGN));
}

static void gone(Table *table, const char *correspondence)
{
    char text[100];
    assert_true(snprintf(text, sizeof text, "{\"type\":\"opponentGone\",%s}", correspondence) > 0);
    line(table, text);
}

static void an_opponent_who_is_gone_is_claimed_from_when_it_is_time(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5 g1f3" });
    gone(&table, "\"gone\":true,\"claimWinInSeconds\":8");
    wait_ms(&table, 7999);
    assert_null(posted(&table, COMMAND_CLAIM));
    wait_ms(&table, 1);
    const Post *post = posted(&table, COMMAND_CLAIM);
    assert_non_null(post);
    assert_true(post->command.claims_victory);
    assert_non_null(noted(&table, NOTE_CLAIMS));
    reply(&table, post->ticket, REPLY_REFUSED); /* too early */
    wait_ms(&table, 5000);
    assert_non_null(posted(&table, COMMAND_CLAIM));
    gone(&table, "\"gone\":false");
    wait_ms(&table, 20000);
    assert_null(posted(&table, COMMAND_CLAIM));
}

static void a_server_that_refuses_claims_is_not_asked_for_ever(void **state)
{
    (void)state;
    Table table;
    int claims = 0;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5 g1f3" });
    for (int i = 0; i < 50; i++) {
        gone(&table, "\"gone\":true,\"claimWinInSeconds\":0");
        const Post *post = posted(&table, COMMAND_CLAIM);
        claims += post != NULL;
        if (post)
            reply(&table, post->ticket, REPLY_REFUSED);
        wait_ms(&table, 1000);
    }
    assert_int_equal(claims, 5);
}

static void nothing_is_claimed_on_our_turn_or_from_one_who_moves(void **state)
{
    (void)state;
    Table table;
    sit_down_with(&table, &ending_options);
    game_full(&table, (Full){ .moves = "e2e4 e7e5", .clock_ms = 600000 });
    gone(&table, "\"gone\":true,\"claimWinInSeconds\":0");
    assert_null(posted(&table, COMMAND_CLAIM));
    moves(&table, "e2e4 e7e5 g1f3");
    gone(&table, "\"gone\":true,\"claimWinInSeconds\":8");
    moves(&table, "e2e4 e7e5 g1f3 b8c6");
    wait_ms(&table, 9000);
    assert_null(posted(&table, COMMAND_CLAIM));
}

static void claims_are_what_the_operator_wants(void **state)
{
    (void)state;
    static const struct {
        ClaimChoice choice;
        bool claims, victory;
    } rows[] = { { CLAIM_NOTHING, false, false },
                 { CLAIM_DRAW, true, false },
                 { CLAIM_VICTORY, true, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        GameOptions options = ending_options;
        options.claim = rows[i].choice;
        sit_down_with(&table, &options);
        game_full(&table, (Full){ .moves = "e2e4 e7e5 g1f3" });
        gone(&table, "\"gone\":true,\"claimWinInSeconds\":0");
        const Post *post = posted(&table, COMMAND_CLAIM);
        assert_int_equal(post != NULL, rows[i].claims);
        if (post)
            assert_int_equal(post->command.claims_victory, rows[i].victory);
    }
}

static void a_game_without_a_first_move_is_aborted(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .we_are_black = true });
    wait_ms(&table, 29999);
    assert_null(posted(&table, COMMAND_ABORT));
    wait_ms(&table, 1);
    const Post *post = posted(&table, COMMAND_ABORT);
    assert_non_null(post);
    reply(&table, post->ticket, REPLY_RECEIVED); /* received, not done */
    wait_ms(&table, 30000);
    assert_non_null(posted(&table, COMMAND_ABORT));
    game_state(&table, (Full){ .status = "aborted" });
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
}

static void the_second_move_has_its_own_time(void **state)
{
    (void)state;
    Table table;
    uint32_t ticket = send_first_move(&table);
    reply(&table, ticket, REPLY_RECEIVED);
    table.now += 1000;
    moves(&table, "e2e4");
    wait_ms(&table, 29000);
    assert_null(posted(&table, COMMAND_ABORT));
    wait_ms(&table, 1000);
    assert_non_null(posted(&table, COMMAND_ABORT));
}

static void no_game_is_aborted_that_has_begun_or_must_not_be(void **state)
{
    (void)state;
    static const struct {
        Full full;
        int64_t abort_after_ms;
    } rows[] = {
        { { .moves = "e2e4 e7e5 g1f3" }, 30000 },
        { { .we_are_black = true, .is_tournament = true }, 30000 },
        { { .we_are_black = true }, 0 },
        { { .we_are_black = true, .status = "created" }, 30000 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Table table;
        GameOptions options = usual_options;
        options.abort_after_ms = rows[i].abort_after_ms;
        sit_down_with(&table, &options);
        game_full(&table, rows[i].full);
        wait_ms(&table, 600000);
        assert_null(posted(&table, COMMAND_ABORT));
    }
}

static void a_refused_abort_is_not_tried_again(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .we_are_black = true });
    wait_ms(&table, 30000);
    reply(&table, posted(&table, COMMAND_ABORT)->ticket, REPLY_REFUSED);
    for (int i = 0; i < 10; i++) {
        wait_ms(&table, 60000);
        assert_null(posted(&table, COMMAND_ABORT));
    }
    moves(&table, "e2e4");
    assert_int_not_equal(is_searching(&table), 0);
}

/* Ends. */

static void every_final_status_ends_the_game_once(void **state)
{
    (void)state;
    static const char *const words[] = {
        "aborted", "mate",       "resign",        "stalemate",
        "timeout", "draw",       "cheat",         "outoftime",
        "noStart", "variantEnd", "unknownFinish", "insufficientMaterialClaim"
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        Table table;
        think_first_move(&table);
        game_state(&table, (Full){ .status = words[i], .more = ",\"winner\":\"black\"" });
        assert_int_equal(count(&table, EFFECT_FINISH), 1);
        assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
        assert_int_equal(count(&table, EFFECT_CLOSE_STREAM), 1);
        assert_int_equal(table.game.winner, BLACK);
        game_state(&table, (Full){ .status = words[i] });
        assert_int_equal(table.todo.count, 0);
        finished(&table, STATUS_MATE, WHITE);
        assert_int_equal(table.todo.count, 0);
        assert_int_equal(game_next_at_ms(&table.game), INT64_MAX);
    }
}

static void a_threefold_ends_it_though_the_line_before_said_started(void **state)
{
    (void)state;
    static const char *const list = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1" });
    moves(&table, list);
    uint32_t version = is_searching(&table);
    game_state(&table, (Full){ .moves = list, .status = "draw" });
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    found(&table, version, NULL);
    assert_int_equal(table.todo.count, 0);
}

static void a_game_already_over_is_not_joined(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    game_full(&table, (Full){ .moves = "e2e4", .status = "resign" });
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(is_searching(&table), 0);
}

static void the_event_streams_finish_waits_for_the_last_line(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    finished(&table, STATUS_RESIGN, WHITE);
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 1);
    assert_int_equal(count(&table, EFFECT_FINISH), 0);
    assert_int_equal(is_searching(&table), 0);
    game_state(&table,
               (Full){ .moves = "e2e4 e7e5", .status = "resign", .more = ",\"winner\":\"white\"" });
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(table.game.sheet.position.ply, 2);

    think_first_move(&table);
    finished(&table, STATUS_RESIGN, WHITE);
    stream_ends(&table, STREAM_CLOSED);
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(table.game.status, STATUS_RESIGN);

    think_first_move(&table);
    finished(&table, STATUS_DRAW, COLOUR_NONE);
    game_state(&table, (Full){ .moves = "e2e4 e7e5" }); /* a late line from before */
    assert_quiet(&table);
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(table.game.status, STATUS_DRAW);
}

static void a_finish_told_before_the_first_line_is_no_harm(void **state)
{
    (void)state;
    Table table;
    sit_down(&table);
    finished(&table, STATUS_ABORTED, COLOUR_NONE);
    assert_int_equal(count(&table, EFFECT_FINISH), 0);
    game_full(&table, (Full){ .moves = "e2e4", .status = "aborted" });
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
    assert_int_equal(table.game.sheet.position.ply, 1);

    sit_down(&table);
    finished(&table, STATUS_ABORTED, COLOUR_NONE);
    game_full(&table, (Full){ .moves = "e2e5" }); /* late, and makes no sense */
    assert_quiet(&table);
    assert_int_equal(count(&table, EFFECT_SEARCH), 0);
    game_state(&table, (Full){ .moves = "e2e5" });
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_FINISH), 1);

    sit_down(&table);
    finished(&table, STATUS_ABORTED, COLOUR_NONE);
    game_full(&table, (Full){ .variant = "atomic" });
    assert_quiet(&table);
    wait_for_wish(&table);
    assert_int_equal(count(&table, EFFECT_FINISH), 1);
}

static void a_status_of_tomorrow_is_no_end_and_no_turn(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    game_state(&table, (Full){ .moves = "e2e4 e7e5", .status = "adjourned" });
    assert_non_null(noted(&table, NOTE_UNKNOWN_STATUS));
    assert_int_equal(count(&table, EFFECT_FINISH), 0);
    assert_false(game_owes_move(&table.game));
    moves(&table, "e2e4 e7e5");
    assert_true(game_owes_move(&table.game));
}

static void a_recheck_opens_the_stream_again(void **state)
{
    (void)state;
    Table table;
    think_first_move(&table);
    table.now += 20000;
    step(&table, &(GameInput){ .kind = INPUT_RECHECK });
    assert_int_equal(count(&table, EFFECT_OPEN_STREAM), 1);
    assert_int_equal(count(&table, EFFECT_STOP_SEARCH), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(we_think_when_it_is_our_turn_and_not_else),
        cmocka_unit_test(a_position_may_begin_with_black),
        cmocka_unit_test(castling_in_chess960_is_king_takes_rook),
        cmocka_unit_test(the_same_state_again_starts_no_second_search),
        cmocka_unit_test(a_move_is_posted_once_and_confirmed_by_its_echo),
        cmocka_unit_test(a_result_for_an_old_list_is_not_played),
        cmocka_unit_test(an_illegal_result_is_replaced_by_a_legal_move),
        cmocka_unit_test(a_moves_lag_is_what_the_servers_clock_lost_beyond_our_thinking),
        cmocka_unit_test(the_first_move_knows_the_accounts_lag),
        cmocka_unit_test(an_untold_clock_is_reckoned_from_the_one_before),
        cmocka_unit_test(a_clock_that_no_line_tells_is_the_games_own),
        cmocka_unit_test(a_first_move_in_an_arena_comes_before_its_own_deadline),
        cmocka_unit_test(only_the_first_moves_have_such_a_deadline),
        cmocka_unit_test(the_servers_half_second_against_its_engine_is_no_lag),
        cmocka_unit_test(a_search_that_lets_the_clock_run_is_stopped_early_then_replaced),
        cmocka_unit_test(no_move_is_owed_where_there_is_none),
        cmocka_unit_test(a_game_not_begun_is_waited_for),
        cmocka_unit_test(an_unlimited_game_is_played_too),
        cmocka_unit_test(a_lost_move_is_repeated_while_the_list_is_old),
        cmocka_unit_test(a_move_lost_but_played_is_not_repeated),
        cmocka_unit_test(a_lost_castling_that_could_become_a_step_is_not_repeated_blindly),
        cmocka_unit_test(a_refused_move_leads_to_a_fresh_look_and_nothing_else),
        cmocka_unit_test(a_refused_move_that_was_played_is_not_repeated),
        cmocka_unit_test(a_move_that_is_always_refused_is_sent_seldom),
        cmocka_unit_test(a_received_move_without_echo_leads_to_a_fresh_look),
        cmocka_unit_test(a_rate_limit_is_waited_out_only_where_the_clock_allows),
        cmocka_unit_test(a_streams_end_is_not_the_games_end),
        cmocka_unit_test(a_stream_that_fails_again_and_again_is_opened_ever_less_often),
        cmocka_unit_test(a_move_found_while_the_stream_is_down_is_sent),
        cmocka_unit_test(a_drop_between_move_and_echo_is_settled_by_the_fresh_state),
        cmocka_unit_test(a_game_that_the_server_does_not_know_is_given_up),
        cmocka_unit_test(an_unreadable_line_makes_us_read_afresh),
        cmocka_unit_test(a_desynced_game_is_read_again_once_and_never_answered),
        cmocka_unit_test(a_garbled_list_is_healed_by_the_fresh_one),
        cmocka_unit_test(a_game_that_we_cannot_play_is_aborted_or_watched),
        cmocka_unit_test(a_game_without_us_is_not_played),
        cmocka_unit_test(claims_that_the_board_contradicts_do_not_stop_a_game),
        cmocka_unit_test(a_variant_is_played_by_text_alone),
        cmocka_unit_test(a_variants_own_start_is_handed_on),
        cmocka_unit_test(without_rules_no_move_is_made_up),
        cmocka_unit_test(a_move_that_the_server_refuses_is_replaced_a_few_times),
        cmocka_unit_test(in_chess_a_refused_move_is_sent_again),
        cmocka_unit_test(a_takeback_while_we_think_starts_anew),
        cmocka_unit_test(a_takeback_while_our_move_is_in_flight_forgets_it),
        cmocka_unit_test(our_late_move_after_a_takeback_is_followed_like_any),
        cmocka_unit_test(takebacks_are_granted_as_often_as_configured),
        cmocka_unit_test(a_yes_to_a_takeback_never_goes_out_beside_a_move),
        cmocka_unit_test(a_yes_that_is_not_obeyed_holds_the_move_for_a_moment_only),
        cmocka_unit_test(a_proposal_that_our_move_has_declined_is_not_accepted),
        cmocka_unit_test(a_draw_offer_is_declined_once_and_not_by_a_request_if_we_move_anyway),
        cmocka_unit_test(a_draw_is_offered_with_a_move_and_not_again_for_twenty_plies),
        cmocka_unit_test(no_draw_is_offered_to_one_whose_flag_may_fall),
        cmocka_unit_test(a_move_without_a_score_offers_nothing),
        cmocka_unit_test(a_draw_is_accepted_at_once_where_it_stands),
        cmocka_unit_test(a_draw_in_a_game_that_is_not_level_is_declined),
        cmocka_unit_test(a_draw_by_the_tables_is_offered_and_accepted_at_once),
        cmocka_unit_test(an_offer_with_a_blunder_is_answered_by_what_the_tables_say_of_it),
        cmocka_unit_test(an_offer_that_stands_no_more_is_not_accepted_with_a_move),
        cmocka_unit_test(a_loss_by_the_tables_is_resigned_at_once_and_a_draw_never),
        cmocka_unit_test(lichess_s_own_engine_is_offered_nothing),
        cmocka_unit_test(an_eval_history_goes_on_where_an_earlier_process_left_it),
        cmocka_unit_test(a_lost_game_is_resigned_after_the_move),
        cmocka_unit_test(a_resignation_that_did_not_get_through_is_dropped_when_the_opponent_moves),
        cmocka_unit_test(an_opponent_who_is_gone_is_claimed_from_when_it_is_time),
        cmocka_unit_test(a_server_that_refuses_claims_is_not_asked_for_ever),
        cmocka_unit_test(nothing_is_claimed_on_our_turn_or_from_one_who_moves),
        cmocka_unit_test(claims_are_what_the_operator_wants),
        cmocka_unit_test(a_game_without_a_first_move_is_aborted),
        cmocka_unit_test(the_second_move_has_its_own_time),
        cmocka_unit_test(no_game_is_aborted_that_has_begun_or_must_not_be),
        cmocka_unit_test(a_refused_abort_is_not_tried_again),
        cmocka_unit_test(every_final_status_ends_the_game_once),
        cmocka_unit_test(a_threefold_ends_it_though_the_line_before_said_started),
        cmocka_unit_test(a_game_already_over_is_not_joined),
        cmocka_unit_test(the_event_streams_finish_waits_for_the_last_line),
        cmocka_unit_test(a_finish_told_before_the_first_line_is_no_harm),
        cmocka_unit_test(a_status_of_tomorrow_is_no_end_and_no_turn),
        cmocka_unit_test(a_recheck_opens_the_stream_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
