/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/dialect.h"
#include "bot/lichess/event.h"
#include "bot/ops/jsonread.h"
#include "tests/support/unit.h"

static Dialect *dialect_made(void)
{
    Dialect *dialect;
    assert_true(dialect_new(&dialect, SERVER_PYCHESS, NULL));
    assert_non_null(dialect);
    return dialect;
}

/* The line as an event, in Lichess's words. */
static Event said(Dialect *dialect, const char *game_id, const char *line)
{
    Event event;
    struct json_object *json = jsonread_parse(line, strlen(line), NULL);
    assert_non_null(json);
    assert_int_equal(dialect_translate(dialect, game_id, json), DIALECT_EVENT);
    assert_true(event_read(&event, json, NULL));
    return event;
}

static void pass(Dialect *dialect, const char *game_id, const char *line)
{
    Event event = said(dialect, game_id, line);
    event_release(&event);
}

static const char challenge[] =
    "{\"type\":\"challenge\",\"challenge\":{\"id\":\"abcd1234\",\"challenger\":{\"name\":\"Alice\","
    "\"rating\":1600},\"variant\":{\"key\":\"3check\"},\"chess960\":false,\"speed\":\"blitz\","
    "\"timeControl\":{\"type\":\"clock\",\"limit\":180,\"increment\":2}}}";
static const char full[] =
    "{\"type\":\"gameFull\",\"id\":\"abcd1234\",\"variant\":{\"name\":\"3check\"},\"white\":{"
    "\"name\":\"Alice\"},\"black\":{\"name\":\"Castled-Bot\"},\"initialFen\":\"None\","
    "\"createdAt\":1700000000,\"state\":{\"type\":\"gameState\",\"moves\":\"e2e4\","
    "\"wtime\":180000,\"btime\":179000,\"winc\":2,\"binc\":2,\"status\":\"started\"}}";

TEST(lichess_needs_no_dialect)
{
    Dialect *dialect;
    assert_true(dialect_new(&dialect, SERVER_LICHESS, NULL));
    assert_null(dialect);
    assert_null(dialect_header(SERVER_LICHESS));
    assert_non_null(strstr(dialect_header(SERVER_PYCHESS), "\"chess960\""));
}

TEST(a_challenge_is_read_by_its_names)
{
    Dialect *dialect = dialect_made();
    Event event = said(dialect, "", challenge);
    assert_int_equal(event.challenge.variant, VARIANT_THREE_CHECK);
    assert_string_equal(event.challenge.challenger.id, "alice");
    event_release(&event);
    dialect_free(dialect);
}

TEST(what_the_game_does_not_say_is_remembered_from_its_challenge)
{
    Dialect *dialect = dialect_made();
    pass(dialect, "", challenge);
    Event start = said(dialect, "",
                       "{\"type\":\"gameStart\",\"game\":{\"id\":\"abcd1234\","
                       "\"chess960\":\"False\"}}");
    assert_string_equal(start.game.opponent.id, "alice");
    assert_int_equal(start.game.speed, SPEED_BLITZ);
    event_release(&start);
    Event event = said(dialect, "abcd1234", full);
    assert_int_equal(event.full.variant, VARIANT_THREE_CHECK);
    assert_int_equal(event.full.time.base_s, 180);
    assert_int_equal(event.full.time.increment_s, 2);
    assert_int_equal(event.full.state.increment_ms[WHITE], 2000);
    assert_int_equal(event.full.initial_fen.len, 0);
    assert_int_equal(gamefull_colour_of(&event.full, "castled-bot"), BLACK);
    assert_true(event.full.created_at_ms == 1700000000000);
    event_release(&event);
    dialect_free(dialect);
}

TEST(an_unknown_game_takes_its_clocks_for_their_beginning)
{
    Dialect *dialect = dialect_made();
    pass(dialect, "",
         "{\"type\":\"gameStart\",\"game\":{\"id\":\"abcd1234\",\"chess960\":\"True\"}}");
    Event event = said(dialect, "abcd1234",
                       "{\"type\":\"gameFull\",\"id\":\"abcd1234\",\"variant\":{\"name\":"
                       "\"chess\"},\"initialFen\":\"\",\"createdAt\":1,\"state\":{\"moves\":\"\","
                       "\"wtime\":180000,\"btime\":175000,\"winc\":2,\"binc\":2}}");
    assert_int_equal(event.full.variant, VARIANT_CHESS960);
    assert_int_equal(event.full.time.base_s, 180);
    assert_int_equal(event.full.speed, SPEED_BLITZ);
    event_release(&event);
    dialect_free(dialect);
}

TEST(an_end_keeps_the_moves_and_tells_no_winner)
{
    Dialect *dialect = dialect_made();
    pass(dialect, "abcd1234", full);
    pass(dialect, "abcd1234",
         "{\"type\":\"gameState\",\"moves\":\"e2e4 e7e5\",\"wtime\":1,\"btime\":1,\"winc\":2,"
         "\"binc\":2,\"status\":\"started\"}");
    Event event =
        said(dialect, "abcd1234", "{\"type\":\"gameEnd\",\"game\":{\"id\":\"abcd1234\"}}");
    assert_int_equal(event.type, EVENT_GAME_STATE);
    assert_int_equal(event.state.status, STATUS_UNKNOWN_FINISH);
    assert_int_equal(event.state.winner, COLOUR_NONE);
    assert_true(text_is(event.state.moves, "e2e4 e7e5"));
    assert_null(json_object_object_get(event.json, "wtime")); /* the clock has run on */
    event_release(&event);
    dialect_free(dialect);
}

TEST(a_ping_is_a_sign_of_life)
{
    Dialect *dialect = dialect_made();
    struct json_object *json = jsonread_parse("{\"type\":\"ping\"}", 15, NULL);
    assert_int_equal(dialect_translate(dialect, "", json), DIALECT_KEEPALIVE);
    json_object_put(json);
    dialect_free(dialect);
}

/* Of the many games that end and go on at once, the oldest are forgotten. */
TEST(strange_and_endless_lines_do_no_harm)
{
    static const char *const lines[] = {
        "{}",
        "{\"type\":\"challenge\"}",
        "{\"type\":\"challenge\",\"challenge\":{\"id\":\"../../..\"}}",
        "{\"type\":\"gameStart\",\"game\":{\"id\":5}}",
        "{\"type\":\"gameFull\",\"id\":\"abcd1234\",\"state\":[]}",
        "{\"type\":\"gameEnd\",\"game\":{\"id\":\"nobody00\"}}",
        "{\"type\":\"gameState\",\"moves\":3,\"winc\":\"x\",\"binc\":1e300}",
    };
    Dialect *dialect = dialect_made();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct json_object *json = jsonread_parse(lines[i], strlen(lines[i]), NULL);
        assert_int_equal(dialect_translate(dialect, "abcd1234", json), DIALECT_EVENT);
        json_object_put(json);
    }
    for (int i = 0; i < 1000; i++) {
        char line[400];
        snprintf(line, sizeof line,
                 "{\"type\":\"gameFull\",\"id\":\"game%04d\",\"state\":{\"moves\":\"\"}}", i);
        pass(dialect, "", line);
    }
    dialect_free(dialect);
}
