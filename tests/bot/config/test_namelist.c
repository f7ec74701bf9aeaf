/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/namelist.h"
#include "engine/base/buf.h"
#include "tests/support/unit.h"

/* The names, blank-separated; "refused". */
static const char *parsed(const char *text, size_t len, char out[1000])
{
    UserList list;
    size_t at = 0;
    Error err = { 0 };
    if (!namelist_parse(&list, text, len, &err)) {
        assert_true(error_is_set(&err));
        return "refused";
    }
    out[0] = '\0';
    for (size_t i = 0; i < list.count; i++)
        at += (size_t)snprintf(out + at, 1000 - at, "%s%s", i ? " " : "", list.ids[i]);
    user_list_release(&list);
    return out;
}

TEST(names_are_read_as_they_are_published)
{
    static const struct {
        const char *in, *out;
    } rows[] = {
        { "", "" },
        { "\n\n", "" },
        { "Zoe\nadam\nBea-2\n", "adam bea-2 zoe" },
        { "zoe", "zoe" },
        { "zoe\r\nadam\r\n", "adam zoe" },
        { "  zoe\t\n", "zoe" },
        { "# cheaters\nzoe # again\n", "zoe" },
        { "- zoe\n- Adam\n", "adam zoe" },
        { "\"zoe\",\n'adam',\n", "adam zoe" },
        { "zoe\nZOE\nzoe\n", "zoe" },
        { "two words\n", "refused" },
        { "<html>\n", "refused" },
        { "zoe\n<br>\n", "refused" },
        { "[\"zoe\"]\n", "refused" },
        { "zo\xc3\xa9\n", "refused" },
        { "{\"joinedTeamTimestamp\":1,\"id\":\"zoe\",\"name\":\"Zoe\"}\n{\"id\":\"adam\"}\n",
          "adam zoe" },
        { "{\"name\":\"Zoe\"}\n", "refused" },
        { "{\"id\":\"two words\"}\n", "refused" },
        { "{\"id\":\"zoe\"\n", "refused" },
        { "a-name-that-is-much-too-long-for-lichess\n", "refused" },
    };
    char out[1000];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(parsed(rows[i].in, strlen(rows[i].in), out), rows[i].out) != 0)
            fail_msg("\"%s\": %s", rows[i].in, out);
    assert_string_equal(parsed("a\0b", 3, out), "refused");
    assert_string_equal(parsed(NULL, 0, out), "");
}

TEST(a_list_has_an_end)
{
    Buf text;
    UserList list;
    buf_init(&text, 1 << 20);
    for (int i = 0; i < USER_LIST_MAX; i++)
        assert_true(buf_printf(&text, "user%d\n", i));
    assert_true(namelist_parse(&list, buf_view(&text), text.len, NULL));
    assert_int_equal(list.count, USER_LIST_MAX);
    assert_true(user_list_has(&list, text_of("user4711")));
    user_list_release(&list);
    assert_true(buf_put_text(&text, "more\n"));
    assert_false(namelist_parse(&list, buf_view(&text), text.len, NULL));
    buf_release(&text);
}
