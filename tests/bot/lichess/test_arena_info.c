/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/arena_info.h"
#include "tests/support/unit.h"

static bool parse(ArenaInfo *info, const char *body)
{
    return arena_info_parse(info, body, strlen(body), NULL);
}

TEST(a_tournament_is_read)
{
    ArenaInfo info;
    assert_true(parse(&info,
                      "{\"id\":\"AbCd1234\",\"fullName\":\"Bots' Arena\",\"botsAllowed\":true,"
                      "\"secondsToStart\":90,\"minutes\":60,\"startsAt\":\"2026-01-01T\"}"));
    assert_string_equal(info.name, "Bots' Arena");
    assert_int_equal(info.bots, BOTS_ADMITTED);
    assert_int_equal(info.seconds_to_start, 90);
    assert_int_equal(info.seconds_to_finish, -1);
    assert_false(info.is_finished || info.has_us);
    assert_true(parse(&info, "{\"isStarted\":true,\"secondsToFinish\":600,\"botsAllowed\":false,"
                             "\"me\":{\"rank\":3,\"withdraw\":true}}"));
    assert_int_equal(info.bots, BOTS_REFUSED);
    assert_int_equal(info.seconds_to_start, 0);
    assert_int_equal(info.seconds_to_finish, 600);
    assert_true(info.has_us && info.has_withdrawn);
}

TEST(strange_answers_are_read_as_far_as_they_go)
{
    ArenaInfo info;
    assert_true(parse(&info, "{}"));
    assert_int_equal(info.bots, BOTS_NOT_STATED);
    assert_true(parse(&info,
                      "{\"fullName\":7,\"botsAllowed\":\"yes\",\"isFinished\":null,\"me\":[],"
                      "\"secondsToStart\":-5,\"secondsToFinish\":1e30}"));
    assert_string_equal(info.name, "");
    assert_int_equal(info.bots, BOTS_NOT_STATED);
    assert_int_equal(info.seconds_to_start, 0);
    assert_false(info.has_us);
    static const char *const refused[] = { "", "[]", "null", "<html>", "{", "{\"a\":\"\xff\"}" };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(parse(&info, refused[i]));
}

TEST(a_line_of_a_teams_list_is_read)
{
    ListedArena arena;
    static const char line[] =
        "{\"id\":\"AbCd1234\",\"createdBy\":\"alba\",\"system\":\"arena\",\"minutes\":60,"
        "\"clock\":{\"limit\":300,\"increment\":3},\"rated\":true,\"fullName\":\"Bots\","
        "\"nbPlayers\":12,\"variant\":{\"key\":\"atomic\",\"short\":\"Atom\",\"name\":\"Atomic\"},"
        "\"startsAt\":1762914600000,\"finishesAt\":1762918200000,\"status\":20}";
    assert_true(listed_arena_parse(&arena, line, strlen(line), NULL));
    assert_string_equal(arena.id, "AbCd1234");
    assert_int_equal(arena.starts_unix_ms, 1762914600000);
    assert_int_equal(arena.ends_unix_ms, 1762918200000);
    assert_int_equal(arena.minutes, 60);
    assert_int_equal(arena.base_s, 300);
    assert_int_equal(arena.increment_s, 3);
    assert_int_equal(arena.variant, VARIANT_ATOMIC);
    assert_true(arena.is_rated);
    assert_false(arena.is_finished);
}

TEST(a_line_without_what_matters_is_none)
{
    ListedArena arena;
    static const char *const refused[] = {
        "",
        "[]",
        "{\"id\":\"AbCd1234\"}",
        "{\"id\":\"AbCd1234\",\"startsAt\":1,\"finishesAt\":2}",
        "{\"id\":\"AbCd1234\",\"clock\":{},\"startsAt\":2,\"finishesAt\":2}",
        "{\"id\":\"AbCd1234\",\"clock\":{},\"startsAt\":-1,\"finishesAt\":2}",
        "{\"id\":\"a/b\",\"clock\":{},\"startsAt\":1,\"finishesAt\":2}",
        "{\"id\":\"0123456789abcdef\",\"clock\":{},\"startsAt\":1,\"finishesAt\":2}",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        Error err = { 0 };
        assert_false(listed_arena_parse(&arena, refused[i], strlen(refused[i]), &err));
        assert_true(err.text[0] != '\0');
    }
    static const char late[] =
        "{\"id\":\"AbCd1234\",\"clock\":{},\"startsAt\":1e300,"
        "\"finishesAt\":1e301,\"minutes\":1e99,\"variant\":[],\"status\":30}";
    assert_false(listed_arena_parse(&arena, late, strlen(late), NULL));
}

TEST(a_long_name_is_cut_between_characters)
{
    ArenaInfo info;
    char body[400] = "{\"fullName\":\"x";
    for (int i = 0; i < 70; i++)
        memcpy(body + strlen(body), "\xc3\xa4", 3);
    memcpy(body + strlen(body), "\"}", 3);
    assert_true(parse(&info, body));
    assert_int_equal(strlen(info.name), ARENA_NAME_SIZE - 1);
    assert_int_equal((unsigned char)info.name[ARENA_NAME_SIZE - 2], 0xa4);
}
