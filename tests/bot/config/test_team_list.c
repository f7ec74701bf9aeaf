/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/team_list.h"
#include "tests/support/unit.h"

static void assert_written(const TeamList *list, const char *expected)
{
    Buf out;
    buf_init(&out, 1000);
    assert_true(value_list_write(&team_list_kind, list, &out));
    assert_string_equal(buf_view(&out), expected);
    buf_release(&out);
}

TEST(teams_are_named_by_id_or_address)
{
    TeamList list = { 0 };
    assert_true(value_list_read(&team_list_kind, &list,
                                "Bots, https://lichess.org/team/engine-arenas_2", NULL));
    assert_true(
        value_list_read(&team_list_kind, &list, "bots zwei", NULL)); /* adds up, each once */
    assert_true(value_list_read(&team_list_kind, &list, "", NULL));
    assert_written(&list, "bots, engine-arenas_2, zwei");
    assert_true(team_list_has(&list, "zwei"));
    assert_false(team_list_has(&list, "drei"));
}

TEST(what_is_no_team_is_refused_and_the_list_kept)
{
    static const struct {
        const char *value, *error;
    } rows[] = {
        { "good, a/b", "\"a/b\" is no team's id or address" },
        { "https://lichess.org/team/", "is no team's id or address" },
        { "a?max=9", "is no team's id or address" },
        { "\xc3\xa4", "is no team's id or address" },
        { "0123456789012345678901234567890123456789012345678901234567890123",
          "is no team's id or address" },
        { "1 2 3 4 5 6 7 8", "more than 8 teams" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TeamList list = { 0 };
        Error err = { 0 };
        assert_true(value_list_read(&team_list_kind, &list, "one", NULL));
        assert_false(value_list_read(&team_list_kind, &list, rows[i].value, &err));
        assert_non_null(strstr(err.text, rows[i].error));
        assert_written(&list, "one");
    }
}

TEST(lists_are_the_same_by_their_teams_in_order)
{
    static const char *const others[] = { "", "a", "b, a", "a, c", "a, b, c" };
    TeamList list = { 0 }, same = { 0 };
    assert_true(value_list_read(&team_list_kind, &list, "a, b", NULL));
    assert_true(value_list_read(&team_list_kind, &same, "a b", NULL));
    assert_true(team_list_is_same(&list, &same));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        TeamList other = { 0 };
        assert_true(value_list_read(&team_list_kind, &other, others[i], NULL));
        assert_false(team_list_is_same(&list, &other));
    }
}
