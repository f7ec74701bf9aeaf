/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/arena_spec.h"
#include "tests/support/unit.h"

TEST(tournaments_are_wished_for_by_id_or_address)
{
    static const struct {
        const char *words, *id, *password, *team; /* id NULL: refused */
    } rows[] = {
        { "AbCd1234", "AbCd1234", "", "" },
        { "  AbCd1234\t", "AbCd1234", "", "" },
        { "https://lichess.org/tournament/AbCd1234", "AbCd1234", "", "" },
        { "AbCd1234 password=open-sesame", "AbCd1234", "open-sesame", "" },
        { "AbCd1234  team=bots  password=a=b", "AbCd1234", "a=b", "bots" },
        { "", NULL, "", "" },
        { "password=x", NULL, "", "" },
        { "https://lichess.org/tournament/", NULL, "", "" },
        { "https://lichess.org/AbCd1234", NULL, "", "" },
        { "AbCd1234?x=1", NULL, "", "" },
        { "AbCd12345678901234", NULL, "", "" },
        { "AbCd1234 sesame", NULL, "", "" },
        { "AbCd1234 password=", NULL, "", "" },
        { "AbCd1234 team=0123456789012345678901234567890123456789012345678901234567890123", NULL,
          "", "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ArenaSpec wish = { .id = "before" };
        Error err = { 0 };
        bool ok = arena_spec_read(&wish, rows[i].words, &err);
        if (ok != (rows[i].id != NULL) || ok == error_is_set(&err))
            fail_msg("%s: %s", rows[i].words, err.text);
        assert_string_equal(wish.id, ok ? rows[i].id : "before");
        if (ok) {
            assert_string_equal(wish.password, rows[i].password);
            assert_string_equal(wish.team, rows[i].team);
        }
    }
}

TEST(a_wrong_word_is_not_told_as_it_may_be_a_password)
{
    ArenaSpec wish;
    Error err = { 0 };
    assert_false(arena_spec_read(&wish, "AbCd1234 passwort=sesame", &err));
    assert_null(strstr(err.text, "sesame"));
}

TEST(a_list_grows_and_shows_no_password)
{
    ArenaSpecList list = { 0 };
    Buf text;
    char id[16];
    buf_init(&text, 1000);
    assert_true(value_list_read(&arena_specs_kind, &list, "", NULL));
    assert_true(value_list_read(&arena_specs_kind, &list, "first", NULL));
    assert_true(
        value_list_read(&arena_specs_kind, &list, "second password=sesame team=bots", NULL));
    assert_true(value_list_read(&arena_specs_kind, &list, "first team=cats",
                                NULL)); /* in place of the other */
    assert_int_equal(list.count, 2);
    assert_true(value_list_write(&arena_specs_kind, &list, &text));
    assert_string_equal(buf_view(&text), "first team=cats | second password=*** team=bots");
    assert_string_equal(arena_specs_find(&list, "second")->password, "sesame");
    assert_null(arena_specs_find(&list, "third"));
    for (int i = list.count; i < ARENA_SPECS_MAX; i++) {
        assert_true(snprintf(id, sizeof id, "more%d", i) > 0);
        assert_true(value_list_read(&arena_specs_kind, &list, id, NULL));
    }
    assert_false(value_list_read(&arena_specs_kind, &list, "onemore", NULL));
    buf_release(&text);
}
