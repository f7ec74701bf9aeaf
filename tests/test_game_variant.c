/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variants that our rules do not cover: moves are text. */
#include "tests/game_fixture.h"

static void start_variant_game(GameFixture *f)
{
    GameOptions options = GAME_USUAL_OPTIONS;
    options.variants = 1U << VARIANT_CRAZYHOUSE | 1U << VARIANT_RACING_KINGS;
    game_fixture_start(f, &options);
}

static void feed_move_text(GameFixture *f, uint32_t version, const char *uci)
{
    MoveChoice choice = { .version = version, .depth = 5 };
    memcpy(choice.text, uci, strlen(uci) + 1);
    feed_choice(f, choice, NULL);
}

static void a_variant_is_played_by_text_alone(void **state)
{
    GameFixture *f = *state;
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "crazyhouse", .moves = "e2e4 d7d5 e4d5 d8d5" });
    feed_move_text(f, started_search(f), "P@e5");
    assert_string_equal(find_post(f, COMMAND_MOVE)->command.uci, "P@e5");
    assert_string_equal(find_note(f, NOTE_MOVE)->san, "P@e5");
    feed_moves(f, "e2e4 d7d5 e4d5 d8d5 P@e5");
    assert_non_null(find_note(f, NOTE_CONFIRMED));
    assert_false(game_owes_move(&f->game));
    feed_moves(f, "e2e4 d7d5 e4d5 d8d5 P@e5 P@e6");
    assert_string_equal(find_note(f, NOTE_THEIR_MOVE)->san, "P@e6");
    feed_move_text(f, started_search(f), "e1g1");
    feed_moves(f, "e2e4 d7d5 e4d5 d8d5 P@e5 P@e6 e1h1"); /* the other notation */
    assert_non_null(find_note(f, NOTE_CONFIRMED));
}

static void a_variants_own_start_is_handed_on(void **state)
{
    GameFixture *f = *state;
    static const char fen[] = "8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1";
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "racingKings", .fen = fen });
    assert_int_not_equal(started_search(f), 0);
    assert_string_equal(f->game.fen, fen);
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "racingKings", .fen = "8 b\\nquit" });
    assert_non_null(find_note(f, NOTE_UNPLAYABLE));
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "atomic" }); /* no engine for that one */
    assert_non_null(find_note(f, NOTE_UNPLAYABLE));
}

static void without_rules_no_move_is_made_up(void **state)
{
    GameFixture *f = *state;
    static const char *const nothing[] = { "", "0000", "e9e4" };
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        start_variant_game(f);
        feed_game_full(f, (GameText){ .variant = "crazyhouse" });
        feed_move_text(f, started_search(f), nothing[i]);
        assert_null(find_post(f, COMMAND_MOVE));
        assert_non_null(find_note(f, NOTE_NO_MOVE));
        assert_int_equal(started_search(f), 0); /* not in haste */
        assert_int_equal(game_next_at_ms(&f->game), f->now + 1000);
        pass_ms(f, 1000);
        feed_move_text(f, started_search(f), "e2e4");
        assert_non_null(find_post(f, COMMAND_MOVE));
    }
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "crazyhouse", .moves = "e2e4 e7e5" });
    uint32_t version = started_search(f);
    for (int i = 0; i < 10 && game_next_at_ms(&f->game) != INT64_MAX; i++)
        pass_until_due(f); /* the clock runs down without an answer */
    assert_null(find_note(f, NOTE_LAST_RESORT));
    feed_move_text(f, version, "g1f3");
    assert_non_null(find_post(f, COMMAND_MOVE));
}

static void a_move_that_the_server_refuses_is_replaced_a_few_times(void **state)
{
    GameFixture *f = *state;
    start_variant_game(f);
    feed_game_full(f, (GameText){ .variant = "crazyhouse" });
    uint32_t version = started_search(f);
    for (int i = 1; i <= 3; i++) {
        feed_move_text(f, version, "e2e5");
        const Post *post = find_post(f, COMMAND_MOVE);
        assert_non_null(post);
        feed_reply(f, post->ticket, REPLY_REFUSED);
        for (int j = 0; j < 5 && count_effects(f, EFFECT_OPEN_STREAM) == 0; j++)
            pass_until_due(f);
        assert_int_equal(count_effects(f, EFFECT_OPEN_STREAM), 1);
        feed_game_full(f, (GameText){ .variant = "crazyhouse" });
        assert_int_equal(find_note(f, NOTE_BAD_MOVE)->count, i);
        version = started_search(f);
        assert_int_equal(version != 0, i < 3);
        assert_int_equal(f->game.refusals, i);
    }
    feed_moves(f, "e2e4 e7e5"); /* somebody else moved with our account */
    assert_int_not_equal(started_search(f), 0);
}

static void in_chess_a_refused_move_is_sent_again(void **state)
{
    GameFixture *f = *state;
    uint32_t ticket = game_fixture_send_first(f);
    feed_reply(f, ticket, REPLY_REFUSED);
    for (int j = 0; j < 5 && count_effects(f, EFFECT_OPEN_STREAM) == 0; j++)
        pass_until_due(f);
    feed_game_full(f, (GameText){ 0 });
    assert_null(find_note(f, NOTE_BAD_MOVE));
    assert_int_equal(started_search(f), 0);
    assert_true(outbox_holds(&f->game.outbox, COMMAND_MOVE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        GAME_TEST(a_variant_is_played_by_text_alone),
        GAME_TEST(a_variants_own_start_is_handed_on),
        GAME_TEST(without_rules_no_move_is_made_up),
        GAME_TEST(a_move_that_the_server_refuses_is_replaced_a_few_times),
        GAME_TEST(in_chess_a_refused_move_is_sent_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
