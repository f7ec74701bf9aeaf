/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/online_bots.h"
#include "tests/support/unit.h"

TEST(bots_are_read_line_by_line)
{
    static const char body[] =
        "{\"id\":\"alpha\",\"username\":\"Alpha\",\"perfs\":{\"blitz\":{\"rating\":2100},"
        "\"chess960\":{\"rating\":1900}}}\n"
        "\n"
        "not json\n"
        "{\"id\":\"a/../b\"}\n"
        "{\"username\":\"NoId\"}\n"
        "{\"id\":\"closed\",\"disabled\":true,\"perfs\":null}\n"
        "{\"id\":\"last-one\",\"perfs\":{\"bullet\":{\"rating\":\"x\"},\"rapid\":{\"rating\":99999}"
        "}}";
    OnlineBotsReading reading;
    assert_true(online_bots_begin(&reading, body, sizeof body - 1, NULL));
    assert_true(online_bots_read_on(&reading, 1));
    assert_int_equal(reading.people.count, 1);
    int more = 0;
    while (online_bots_read_on(&reading, 2))
        more++;
    assert_int_equal(more, 2); /* of seven lines */
    const OnlineBots people = reading.people;
    assert_int_equal(people.count, 3);
    assert_string_equal(people.list[0].id, "alpha");
    assert_int_equal(online_bot_rating(&people.list[0], VARIANT_STANDARD, SPEED_BLITZ), 2100);
    assert_int_equal(online_bot_rating(&people.list[0], VARIANT_STANDARD, SPEED_BULLET), 0);
    assert_int_equal(online_bot_rating(&people.list[0], VARIANT_CHESS960, SPEED_BLITZ), 1900);
    assert_false(people.list[0].is_out);
    assert_true(people.list[1].is_out);
    assert_string_equal(people.list[2].id, "last-one");
    assert_int_equal(online_bot_rating(&people.list[2], VARIANT_STANDARD, SPEED_BULLET), 0);
    assert_int_equal(online_bot_rating(&people.list[2], VARIANT_STANDARD, SPEED_RAPID), 5000);
    online_bots_release(&reading.people);
}

TEST(our_own_ratings_come_from_the_account)
{
    static const char body[] = "{\"id\":\"castled\",\"username\":\"Castled\",\"title\":\"BOT\","
                               "\"perfs\":{\"blitz\":{\"rating\":2100}}}";
    static const char *const wrong[] = {
        "", "[]", "<html>", "{}", "{\"id\":7}", "{\"id\":\"../\"}"
    };
    OnlineBot us = { .id = "kept" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(online_bot_parse(&us, wrong[i], strlen(wrong[i]), NULL));
        assert_string_equal(us.id, "kept");
    }
    assert_true(online_bot_parse(&us, body, sizeof body - 1, NULL));
    assert_int_equal(online_bot_rating(&us, VARIANT_STANDARD, SPEED_BLITZ), 2100);
    assert_int_equal(online_bot_rating(&us, VARIANT_STANDARD, SPEED_RAPID), 0);
}

TEST(a_crowd_is_cut)
{
    enum { CROWD = ONLINE_BOTS_MAX + 50, LINE = 16 };
    char *body = malloc((size_t)CROWD * LINE + 1);
    OnlineBotsReading reading;
    for (size_t i = 0; i < CROWD; i++)
        assert_int_equal(snprintf(body + i * LINE, LINE + 1, "{\"id\":\"b%05zu\"}\n", i), LINE);
    assert_true(online_bots_begin(&reading, body, (size_t)CROWD * LINE, NULL));
    assert_false(online_bots_read_on(&reading, CROWD));
    assert_int_equal(reading.people.count, ONLINE_BOTS_MAX);
    online_bots_release(&reading.people);
    free(body);
}

TEST(the_first_who_is_free_is_found)
{
    static const char ids[3][USER_ID_SIZE] = { "alpha", "beta", "gamma" };
    static const struct {
        const char *body;
        int first; /* -2: an error */
    } rows[] = {
        { "[{\"id\":\"gamma\",\"online\":true},{\"id\":\"beta\",\"online\":true}]", 1 },
        { "[{\"id\":\"alpha\"},{\"id\":\"gamma\",\"online\":true}]", 2 },
        { "[{\"id\":\"alpha\",\"online\":true,\"playing\":true}]", -1 },
        { "[{\"id\":\"alpha\",\"online\":true,\"playing\":{\"id\":\"x\"}}]", -1 },
        { "[{\"id\":\"someone-else\",\"online\":true}]", -1 },
        { "[]", -1 },
        { "[1,null,\"x\"]", -1 },
        { "{\"error\":\"no\"}", -2 },
        { "<html>", -2 },
        { "", -2 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int first = -2;
        bool ok = online_bots_first_free(rows[i].body, strlen(rows[i].body), ids, 3, &first, NULL);
        assert_int_equal(ok, rows[i].first != -2);
        assert_int_equal(first, rows[i].first);
    }
}

TEST(a_user_is_online_if_the_server_says_so)
{
    static const struct {
        const char *body;
        int is_online; /* -1: not known */
    } rows[] = {
        { "[{\"id\":\"us\",\"name\":\"Us\",\"online\":true,\"playing\":true}]", true },
        { "[{\"id\":\"us\",\"name\":\"Us\",\"title\":\"BOT\"}]", false },
        { "[{\"id\":\"us\",\"online\":false}]", false },
        { "[{\"id\":\"us\",\"online\":null}]", false },
        { "[{\"id\":\"them\",\"online\":false},{\"id\":\"us\",\"online\":true}]", true },
        { "[{\"id\":\"them\"}]", -1 },
        { "[7,null,{}]", -1 },
        { "[]", -1 },
        { "{}", -1 },
        { "<html>", -1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool is_online;
        Error err = { 0 };
        bool ok = user_is_online(rows[i].body, strlen(rows[i].body), "us", &is_online, &err);
        assert_int_equal(ok ? is_online : -1, rows[i].is_online);
        assert_int_equal(error_is_set(&err), !ok);
    }
}

TEST(speeds_follow_from_clocks)
{
    assert_int_equal(speed_of_clock(15, 0), SPEED_ULTRA_BULLET);
    assert_int_equal(speed_of_clock(0, 1), SPEED_BULLET);
    assert_int_equal(speed_of_clock(180, 0), SPEED_BLITZ);
    assert_int_equal(speed_of_clock(300, 5), SPEED_RAPID);
    assert_int_equal(speed_of_clock(1800, 0), SPEED_CLASSICAL);
}
