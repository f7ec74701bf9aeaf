/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/challenge_list.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

static bool parse(ChallengeList *list, const char *body)
{
    Error err = { 0 };
    bool ok = challenge_list_parse(list, body, strlen(body), &err);
    assert_int_equal(ok, !error_is_set(&err));
    return ok;
}

TEST(those_to_us_are_listed_and_ours_are_not)
{
    ChallengeList list;
    assert_true(parse(&list, "{\"in\":[{\"id\":\"Qw8rTy2u\",\"status\":\"created\"},"
                             "{\"id\":\"abcdefgh\"}],\"out\":[{\"id\":\"12345678\"}]}"));
    assert_int_equal(list.count, 2);
    assert_true(challenge_list_has(&list, "Qw8rTy2u"));
    assert_true(challenge_list_has(&list, "abcdefgh"));
    assert_false(challenge_list_has(&list, "12345678"));
    assert_false(challenge_list_has(&list, ""));
    assert_true(parse(&list, "{\"in\":[],\"out\":[]}"));
    assert_int_equal(list.count, 0);
}

TEST(what_is_no_list_is_an_error_and_leaves_the_old_one)
{
    static const char *const bodies[] = {
        "",    "[]",         "<html>502</html>", "{}",       "{\"in\":{}}", "{\"in\":null}",
        "nul", "{\"out\":[", "{\"in\":\"[]\"}",  "\xff\xfe",
    };
    ChallengeList list = { .count = 7 };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (parse(&list, bodies[i]))
            fail_msg("%s", bodies[i]);
        assert_int_equal(list.count, 7);
    }
}

TEST(what_has_no_id_is_passed_over_and_too_many_are_cut)
{
    ChallengeList list;
    Buf body;
    assert_true(parse(&list, "{\"in\":[null,7,[],{},{\"id\":null},{\"id\":\"\"},{\"id\":\"../x\"},"
                             "{\"id\":\"waytoolongforanid\"},{\"id\":\"Qw8rTy2u\"}]}"));
    assert_int_equal(list.count, 1);
    buf_init(&body, 100000);
    assert_true(buf_put_text(&body, "{\"in\":[{}"));
    for (int i = 0; i < 2 * CHALLENGE_LIST_MAX; i++)
        assert_true(buf_printf(&body, ",{\"id\":\"x%07d\"}", i));
    assert_true(buf_put_text(&body, "]}"));
    assert_true(parse(&list, buf_view(&body)));
    assert_int_equal(list.count, CHALLENGE_LIST_MAX);
    buf_release(&body);
}

static void note_id(void *user, const Event *event)
{
    assert_int_equal(event->type, EVENT_CHALLENGE);
    assert_true(buf_printf(user, "%s by %s;", event->challenge.id, event->challenge.challenger.id));
}

TEST(each_challenge_to_us_is_read_as_its_event_would_be)
{
    static const char body[] =
        "{\"in\":[7,{\"id\":\"../"
        "x\"},{\"id\":\"Qw8rTy2u\",\"challenger\":{\"id\":\"berta\",\"name\":"
        "\"Berta\"}},{\"id\":\"abcdefgh\"}],\"out\":[{\"id\":\"12345678\"}]}";
    Buf told;
    buf_init(&told, 1000);
    assert_true(challenge_list_each(body, strlen(body), note_id, &told));
    assert_string_equal(buf_view(&told), "Qw8rTy2u by berta;abcdefgh by ;");
    assert_false(challenge_list_each("<html>", 6, note_id, &told));
    buf_release(&told);
}
