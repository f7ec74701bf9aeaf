/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/analysis_json.h"
#include "bot/admin/game_json.h"
#include "bot/ops/jsonread.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

static struct json_object *shown(const GameRecord *record, size_t from)
{
    struct json_object *game = game_json_of_record(record, from);
    assert_non_null(game);
    return game;
}

static void expect_text(const struct json_object *from, const char *key, const char *expected)
{
    Text got = jsonread_text(from, key);
    if (!text_is(got, expected))
        fail_msg("%s: %.*s, not %s", key, TEXT_ARGS(got), expected);
}

static const struct json_object *move_at(const struct json_object *game, size_t index)
{
    return json_object_array_get_idx(jsonread_array(game, "moves"), index);
}

TEST(a_finished_game_is_told_move_by_move)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4 c7c5 g1f3 d7d6");
    struct json_object *game = shown(&record, 0);
    expect_text(game, "id", "abcdefgh");
    expect_text(game, "phase", "over");
    expect_text(game, "us", "white");
    expect_text(game, "result", "1-0");
    expect_text(game, "status", "resign");
    expect_text(game, "last", "d7d6");
    expect_text(game, "turn", "white");
    expect_text(game, "fen", "rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
    expect_text(jsonread_object(game, "white"), "title", "BOT");
    expect_text(jsonread_object(game, "black"), "name", "alba");
    const struct json_object *clocks = jsonread_object(game, "clock_ms");
    assert_int_equal(jsonread_int(clocks, "white", 0, INT64_MAX, -1), 180000 - 2 * 700);
    assert_int_equal(jsonread_int(clocks, "black", 0, INT64_MAX, -1), 180000 - 3 * 700);
    assert_int_equal(json_object_array_length(jsonread_array(game, "moves")), 4);
    expect_text(move_at(game, 2), "san", "Nf3");
    expect_text(move_at(game, 2), "uci", "g1f3");
    assert_int_equal(jsonread_int(move_at(game, 0), "cp", -99, 99, -99), 31);
    assert_int_equal(jsonread_int(move_at(game, 1), "cp", -99, 99, -99), -99);
    json_object_put(game);
    record_release(&record);
}

TEST(moves_that_are_known_are_left_out)
{
    static const struct {
        size_t from, told;
        int count;
    } rows[] = { { 0, 0, 4 }, { 3, 3, 1 }, { 4, 4, 0 }, { GAME_JSON_NO_MOVES, 4, 0 } };
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4 c7c5 g1f3 d7d6");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *game = shown(&record, rows[i].from);
        assert_int_equal(jsonread_int(game, "from", 0, 99, -1), rows[i].told);
        assert_int_equal(json_object_array_length(jsonread_array(game, "moves")), rows[i].count);
        json_object_put(game);
    }
    record_release(&record);
}

TEST(an_evaluation_is_for_white)
{
    static const struct {
        int score, index; /* of the move, which is ours */
        const char *key;
        int expected;
    } rows[] = {
        { 35, 0, "cp", 35 },
        { 35, 1, "cp", -35 },
        { SCORE_MATE - 1, 0, "mate", 1 },
        { SCORE_MATE - 5, 1, "mate", -3 },
        { -SCORE_MATE + 4, 0, "mate", -2 },
        { -SCORE_MATE + 4, 1, "mate", 2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GameRecord record;
        record_make(&record, "abcdefgh", "alba", "e2e4 c7c5");
        RecordMove *move = &record.moves[rows[i].index];
        move->has_choice = true;
        move->score = rows[i].score;
        move->depth = 9;
        struct json_object *game = shown(&record, 0);
        const struct json_object *told = move_at(game, (size_t)rows[i].index);
        assert_int_equal(jsonread_int(told, rows[i].key, -99, 99, -99), rows[i].expected);
        record.moves[1 - rows[i].index].has_choice = false;
        json_object_put(game);
        game = shown(&record, GAME_JSON_NO_MOVES); /* what a card draws its bar from */
        told = jsonread_object(game, "eval");
        assert_int_equal(jsonread_int(told, rows[i].key, -99, 99, -99), rows[i].expected);
        assert_int_equal(jsonread_int(told, "depth", 0, 99, -1), 9);
        json_object_put(game);
        record_release(&record);
    }
}

TEST(what_people_play_is_told_with_the_move)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4 c7c5");
    record.moves[0].has_choice = true;
    record.moves[0].people = (RecordPeople){ 31, 44, "d4", "Nf3" };
    struct json_object *game = shown(&record, 0);
    const struct json_object *people = jsonread_object(move_at(game, 0), "people");
    assert_int_equal(jsonread_int(people, "percent", 0, 100, -1), 31);
    assert_int_equal(jsonread_int(people, "first_percent", 0, 100, -1), 44);
    assert_true(text_is(jsonread_text(people, "first"), "d4"));
    assert_true(text_is(jsonread_text(people, "searched"), "Nf3"));
    assert_null(jsonread_object(move_at(game, 1), "people"));
    json_object_put(game);
    record_release(&record);
}

TEST(a_move_that_lost_nothing_is_not_among_the_losses)
{
    static const struct {
        int before, after;
        size_t count;
    } rows[] = { { 100, -300, 1 }, { -1950, -SCORE_MATE + 12, 0 }, { 0, 10, 0 } };
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PositionEval evals[] = { { .score = rows[i].before }, { .score = rows[i].after } };
        struct json_object *analysis = analysis_json(&record, evals);
        assert_non_null(analysis);
        assert_int_equal(json_object_array_length(jsonread_array(analysis, "losses")),
                         rows[i].count);
        json_object_put(analysis);
    }
    record_release(&record);
}

TEST(what_cannot_be_played_is_told_as_it_stands)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4 e2e4 g1f3");
    struct json_object *game = shown(&record, 0);
    expect_text(move_at(game, 0), "san", "e4");
    expect_text(move_at(game, 1), "san", "e2e4");
    expect_text(move_at(game, 2), "san", "g1f3");
    expect_text(game, "fen", "");
    json_object_put(game);
    record.variant = VARIANT_UNKNOWN;
    game = shown(&record, 0);
    expect_text(move_at(game, 0), "san", "e2e4");
    json_object_put(game);
    record_release(&record);
}

/* A move's text alone does not tell what it does there. */
TEST(each_move_of_a_variant_has_its_position)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4 d7d5 e4d5 d8d5 P@e6");
    record.variant = VARIANT_CRAZYHOUSE;
    struct json_object *game = shown(&record, 0);
    expect_text(move_at(game, 4), "san", "P@e6");
    expect_text(move_at(game, 3), "fen",
                "rnb1kbnr/ppp1pppp/8/3q4/8/8/PPPP1PPP/RNBQKBNR[Pp] w KQkq - 0 3");
    expect_text(game, "fen", "rnb1kbnr/ppp1pppp/4P3/3q4/8/8/PPPP1PPP/RNBQKBNR[p] b KQkq - 0 3");
    json_object_put(game);
    record.variant = VARIANT_STANDARD;
    game = shown(&record, 0);
    expect_text(move_at(game, 0), "fen", "");
    json_object_put(game);
    record_release(&record);
}

TEST(a_strangers_name_is_fit_to_be_shown)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "a\x1b[31m\xe2\x80\xae\xff", "e2e4");
    struct json_object *game = shown(&record, 0);
    expect_text(jsonread_object(game, "black"), "name", "a\\u001b[31m\\u202e\\xff");
    json_object_put(game);
    record_release(&record);
}
