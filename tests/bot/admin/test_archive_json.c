/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page and the commands are told of the archive: games_json.h, stats_json.h. */
#include "bot/admin/games_json.h"
#include "bot/admin/stats_json.h"
#include "engine/base/duration.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

/* The text has all of these. Takes the object. */
static void expect_parts(struct json_object *json, const char *const *parts, size_t count)
{
    assert_non_null(json);
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    for (size_t i = 0; i < count; i++)
        if (!strstr(text, parts[i]))
            fail_msg("%s:\n%s", parts[i], text);
    json_object_put(json);
}

#define EXPECT(json, ...)                                                                          \
    do {                                                                                           \
        static const char *const parts[] = { __VA_ARGS__ };                                        \
        expect_parts(json, parts, sizeof parts / sizeof *parts);                                   \
    } while (0)

TEST(a_row_says_how_a_game_ended_and_against_whom)
{
    GameRecord record;
    record_make(&record, "abcdefgh", "alba", "e2e4");
    EXPECT(games_json_row(&record, 33), "\"id\":\"abcdefgh\"", "\"outcome\":\"won\"",
           "\"speed\":\"blitz\",\"rated\":true,\"initial_s\":180,\"increment_s\":2",
           "{\"name\":\"alba\",\"title\":\"FM\",\"rating\":2213}", "\"status\":\"resign\"",
           "\"plies\":33");
    record.time = time_control_of_days(3);
    record.winner = COLOUR_NONE;
    record.players[BLACK].ai_level = 4;
    EXPECT(games_json_row(&record, 33), "\"days_per_turn\":3", "{\"name\":\"Stockfish\"",
           "\"ai\":4");
    record_release(&record);
}

TEST(what_strangers_write_can_be_shown)
{
    const StatsRow row = { .name = "a\x1b[31m\xe2\x80\xae\xff", .games = 1, .won = 1 };
    struct json_object *json = stats_json_row(STATS_OPPONENT, &row);
    const char *text = json_object_to_json_string_ext(json, JSON_C_TO_STRING_PLAIN);
    assert_null(strchr(text, '\x1b'));
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_null(strchr(text, '\xff'));
    json_object_put(json);
}

TEST(statistics_say_what_was_counted)
{
    Progress progress = { .begins_ms = 20000 * DURATION_DAY_MS,
                          .step_ms = DURATION_DAY_MS,
                          .count = 2,
                          .rating_count = 1 };
    const TimeUse times[SPEED_COUNT] = { [SPEED_BLITZ] = { .games = 1,
                                                           .share = 0.25,
                                                           .spent = { { 1, 5000, 5000 } },
                                                           .lag = { 1, 200, 200 } } };
    const TimeByMove by_move = { .spent = { { [1] = { 1, 5000, 5000 } } } };
    const StatsRow row = { .name = "human", .games = 4, .won = 2, .drawn = 1, .lost = 1 };
    progress.results[AGAINST_BOTS][1].won = 3;
    memcpy(progress.ratings[0].name, "blitz", 6);
    progress.ratings[0].rating[1] = 2010;
    EXPECT(stats_json_row(STATS_KIND, &row),
           "{\"by\":\"kind\",\"name\":\"human\",\"games\":4,\"won\":2,\"drawn\":1,\"lost\":1,"
           "\"score\":0.6250}");
    EXPECT(stats_json_progress(&progress), "\"begins_unix_s\":1728000000,\"step_s\":86400",
           "\"human\":{\"won\":[0,0]", "\"bot\":{\"won\":[0,3]",
           "{\"name\":\"blitz\",\"rating\":[null,2010]}");
    EXPECT(stats_json_times(times, &by_move),
           "{\"speed\":\"blitz\",\"games\":1,\"ours_s\":5.0,\"clock_share\":0.2500,\"lag_ms\":200,"
           "\"lag_worst_ms\":200}",
           "\"ours\":[5.00,null,", "\"theirs\":[null,null,");
}
