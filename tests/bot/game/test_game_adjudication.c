/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws and resignations. We are White; everything may be drawn or lost from the second move on. */
#include "tests/support/game_fixture.h"

static const GameOptions ending_options = {
    .overhead_ms = 100,
    .draw = { .offer = true,
              .accept = true,
              .score_cp = 10,
              .moves = 1,
              .pieces = 32,
              .opponents = 3 },
    .resign = { .enabled = true, .score_cp = 1000, .moves = 1, .opponents = 3 },
};

GAME_TEST(a_draw_offer_is_declined_once_and_not_by_a_request_if_we_move_anyway)
{
    GameFixture *f = *state;
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
    uint32_t version = started_search(f);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .more = ",\"bdraw\":true" });
    assert_null(find_note(f, NOTE_DRAW_OFFERED));
    assert_null(find_post(f, COMMAND_DRAW)); /* our move will say it */
    feed_move(f, version, "g1f3");
    assert_int_equal(find_note(f, NOTE_DRAW_OFFERED)->is_accepted, 0);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_null(find_post(f, COMMAND_DRAW)); /* the echo still shows it */
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3" });
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    const Post *post = find_post(f, COMMAND_DRAW);
    assert_non_null(post);
    assert_false(post->command.accepts);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_null(find_post(f, COMMAND_DRAW));
}

static void feed_judged_move(GameFixture *f, const char *uci, int score, TablebaseVerdict verdict)
{
    MoveChoice choice = { .version = f->game.search.version, .depth = 5 };
    choice.score = score;
    choice.tablebase_verdict = verdict;
    feed_choice(f, choice, uci);
}

static void feed_scored_move(GameFixture *f, const char *uci, int score)
{
    feed_judged_move(f, uci, score, TABLEBASE_VERDICT_NONE);
}

static void start_at_second_move(GameFixture *f, const GameOptions *options)
{
    game_fixture_start(f, options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
}

GAME_TEST(a_draw_is_offered_with_a_move_and_not_again_for_twenty_plies)
{
    GameFixture *f = *state;
    start_at_second_move(f, &ending_options);
    feed_scored_move(f, "g1f3", 5);
    assert_true(find_post(f, COMMAND_MOVE)->command.offers_draw);
    assert_non_null(find_note(f, NOTE_OFFERS_DRAW));
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6");
    feed_scored_move(f, "f1b5", 5);
    assert_false(find_post(f, COMMAND_MOVE)->command.offers_draw);
    assert_null(find_post(f, COMMAND_DRAW));
}

/* An offer stands until the opponent moves, and turns the fall of their flag into a draw. */
GAME_TEST(no_draw_is_offered_to_one_whose_flag_may_fall)
{
    GameFixture *f = *state;
    static const struct {
        int clock_ms;
        bool offers;
    } rows[] = { { 5000, false }, { 19999, false }, { 30000, true }, { 60000, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        game_fixture_start(f, &ending_options); /* the operator's opponent_clock is 0 */
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .clock_ms = rows[i].clock_ms });
        feed_scored_move(f, "g1f3", 5);
        assert_int_equal(find_post(f, COMMAND_MOVE)->command.offers_draw, rows[i].offers);
    }
}

GAME_TEST(a_move_without_a_score_offers_nothing)
{
    GameFixture *f = *state;
    start_at_second_move(f, &ending_options);
    feed_choice(f, (MoveChoice){ .version = f->game.search.version }, "g1f3");
    assert_false(find_post(f, COMMAND_MOVE)->command.offers_draw);
    assert_null(find_post(f, COMMAND_RESIGN));
}

GAME_TEST(a_draw_is_accepted_at_once_where_it_stands)
{
    GameFixture *f = *state;
    GameOptions options = ending_options;
    options.draw.offer = false;
    start_at_second_move(f, &options);
    feed_scored_move(f, "g1f3", 5);
    /* An offer that a line shows with our move is one that the move has declined. */
    for (int i = 0; i < 2; i++) {
        feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
        assert_null(find_post(f, COMMAND_DRAW));
    }
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_true(find_post(f, COMMAND_DRAW)->command.accepts);
    assert_int_equal(find_note(f, NOTE_DRAW_OFFERED)->is_accepted, 1);
    /* It is withdrawn before it could be sent again. */
    uint32_t ticket = find_post(f, COMMAND_DRAW)->ticket;
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_reply(f, ticket, REPLY_LOST);
    pass_ms(f, 10000);
    assert_null(find_post(f, COMMAND_DRAW));
    /* With a move of theirs, on our turn: at once too. */
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6", .more = ",\"bdraw\":true" });
    assert_true(find_post(f, COMMAND_DRAW)->command.accepts);
}

GAME_TEST(a_draw_in_a_game_that_is_not_level_is_declined)
{
    GameFixture *f = *state;
    start_at_second_move(f, &ending_options);
    feed_scored_move(f, "g1f3", 200);
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_false(find_post(f, COMMAND_DRAW)->command.accepts);
    assert_int_equal(find_note(f, NOTE_DRAW_OFFERED)->is_accepted, 0);
}

static GameOptions table_options(void)
{
    GameOptions options = ending_options;
    options.draw.tablebase = options.resign.tablebase = true;
    options.draw.moves = options.resign.moves = 50;
    return options;
}

GAME_TEST(a_draw_by_the_tables_is_offered_and_accepted_at_once)
{
    GameFixture *f = *state;
    GameOptions options = table_options();
    start_at_second_move(f, &options);
    feed_judged_move(f, "g1f3", 90, TABLEBASE_VERDICT_DRAW);
    assert_true(find_post(f, COMMAND_MOVE)->command.offers_draw);
    assert_non_null(find_note(f, NOTE_OFFERS_DRAW));
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3", .more = ",\"bdraw\":true" });
    assert_true(find_post(f, COMMAND_DRAW)->command.accepts);
}

/* What they said before the opponent's move says nothing about the position after it. */
GAME_TEST(an_offer_with_a_blunder_is_answered_by_what_the_tables_say_of_it)
{
    GameFixture *f = *state;
    static const struct {
        TablebaseVerdict now;
        bool accepts;
    } rows[] = { { TABLEBASE_VERDICT_WIN, false },
                 { TABLEBASE_VERDICT_DRAW, true },
                 { TABLEBASE_VERDICT_LOSS, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameOptions options = table_options();
        options.draw.moves = 1;
        options.draw.offer = false;
        start_at_second_move(f, &options);
        feed_judged_move(f, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
        feed_moves(f, "e2e4 e7e5 g1f3");
        feed_game_state(f, (GameText){ .moves = "e2e4 e7e5 g1f3 b8c6", .more = ",\"bdraw\":true" });
        assert_null(find_post(f, COMMAND_DRAW));
        feed_judged_move(f, "f1b5", 0, rows[i].now);
        assert_int_equal(find_post(f, COMMAND_MOVE)->command.offers_draw, rows[i].accepts);
        assert_null(find_note(f, NOTE_RESIGNS));
        assert_int_equal(find_note(f, NOTE_DRAW_OFFERED)->is_accepted, rows[i].accepts);
    }
}

GAME_TEST(an_offer_that_stands_no_more_is_not_accepted_with_a_move)
{
    GameFixture *f = *state;
    GameOptions options = table_options();
    options.draw.offer = false;
    start_at_second_move(f, &options);
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5", .more = ",\"bdraw\":true" });
    feed_game_state(f, (GameText){ .moves = "e2e4 e7e5" });
    feed_judged_move(f, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
    assert_false(find_post(f, COMMAND_MOVE)->command.offers_draw);
}

GAME_TEST(a_loss_by_the_tables_is_resigned_at_once_and_a_draw_never)
{
    GameFixture *f = *state;
    static const struct {
        TablebaseVerdict tables;
        bool resigns;
    } rows[] = { { TABLEBASE_VERDICT_LOSS, true },
                 { TABLEBASE_VERDICT_DRAW, false },
                 { TABLEBASE_VERDICT_NONE, true } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameOptions options = table_options();
        options.resign.moves = rows[i].tables == TABLEBASE_VERDICT_LOSS ? 50 : 1;
        start_at_second_move(f, &options);
        feed_judged_move(f, "g1f3", -3000, rows[i].tables);
        assert_int_equal(find_note(f, NOTE_RESIGNS) != NULL, rows[i].resigns);
    }
}

GAME_TEST(lichess_s_own_engine_is_offered_nothing)
{
    GameFixture *f = *state;
    GameOptions options = table_options();
    game_fixture_start(f, &options);
    feed_game_full(f, (GameText){ .moves = "e2e4 e7e5", .is_ai = true });
    feed_judged_move(f, "g1f3", 0, TABLEBASE_VERDICT_DRAW);
    assert_false(find_post(f, COMMAND_MOVE)->command.offers_draw);
}

GAME_TEST(an_eval_history_goes_on_where_an_earlier_process_left_it)
{
    GameFixture *f = *state;
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
        GameOptions options = table_options();
        game_fixture_start(f, &options);
        game_recall(&f->game, &rows[i].kept);
        feed_game_full(f, (GameText){ .moves = "e2e4 e7e5" });
        feed_scored_move(f, "g1f3", 0);
        if (find_post(f, COMMAND_MOVE)->command.offers_draw != rows[i].offers)
            fail_msg("%s", rows[i].name);
    }
}

GAME_TEST(a_lost_game_is_resigned_after_the_move)
{
    GameFixture *f = *state;
    start_at_second_move(f, &ending_options);
    feed_scored_move(f, "g1f3", -1200);
    uint32_t ticket = find_post(f, COMMAND_MOVE)->ticket;
    assert_null(find_post(f, COMMAND_RESIGN)); /* the move goes first */
    assert_non_null(find_note(f, NOTE_RESIGNS));
    feed_reply(f, ticket, REPLY_RECEIVED);
    assert_non_null(find_post(f, COMMAND_RESIGN));
}

GAME_TEST(a_resignation_that_did_not_get_through_is_dropped_when_the_opponent_moves)
{
    GameFixture *f = *state;
    start_at_second_move(f, &ending_options);
    feed_scored_move(f, "g1f3", -1200);
    feed_moves(f, "e2e4 e7e5 g1f3");
    feed_reply(f, find_post(f, COMMAND_RESIGN)->ticket, REPLY_LOST);
    feed_moves(f, "e2e4 e7e5 g1f3 b8c6");
    assert_int_not_equal(started_search(f), 0);
    pass_ms(f, 20000);
    assert_null(find_post(f, COMMAND_RESIGN));
}
