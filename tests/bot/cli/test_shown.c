/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/shown.h"
#include "tests/support/unit.h"

#include <json-c/json.h>

TEST(what_acts_on_a_terminal_is_escaped)
{
    Error err = { 0 };
    assert_string_equal(shown(text_of("Zo\xc3\xab \x1b]0;x\x07")).text,
                        "Zo\xc3\xab \\u001b]0;x\\u0007");
    assert_string_equal(shown(text_of("a\nb\xe2\x80\xae")).text, "a\\nb\\u202e");
    assert_string_equal(shown((Text){ NULL, 0 }).text, "");
    error_set(&err, ERR_IO, "malformed schema (\x1b[2J)");
    assert_string_equal(shown_error(&err).text, "malformed schema (\\u001b[2J)");
}

TEST(a_long_text_is_cut)
{
    char text[2 * SHOWN_SIZE];
    memset(text, 'a', sizeof text);
    assert_int_equal(strlen(shown((Text){ text, sizeof text }).text), SHOWN_SIZE - 1);
}

TEST(json_keeps_its_meaning)
{
    /* Bytes of JSON, and what is printed. */
    static const struct {
        const char *json, *expected;
    } rows[] = {
        { "{\"a\":\"Zo\xc3\xab\"}", "{\"a\":\"Zo\xc3\xab\"}\n" },
        { "\"\xe2\x80\xae\"", "\"\\u202e\"\n" },
        { "\"\xc2\x9b"
          "31m\"",
          "\"\\u009b31m\"\n" },
        { "\"\xf3\xa0\x81\xa1\"", "\"\\udb40\\udc61\"\n" },
        { "\"\xff\"", "\"\\ufffd\"\n" },
        { "\"\x1b[2J\"", "\"\\u001b[2J\"\n" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char *written = NULL;
        size_t len = 0;
        FILE *out = open_memstream(&written, &len);
        assert_non_null(out);
        shown_json(out, rows[i].json);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(written, rows[i].expected);
        free(written);
    }
}

TEST(a_tag_comes_back_from_its_surrogates)
{
    static const char tag[] = "\"\xf3\xa0\x81\xa1\"";
    char *written = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&written, &len);
    assert_non_null(out);
    shown_json(out, tag);
    assert_int_equal(fclose(out), 0);
    struct json_object *read = json_tokener_parse(written);
    assert_non_null(read);
    assert_string_equal(json_object_get_string(read), "\xf3\xa0\x81\xa1");
    json_object_put(read);
    free(written);
}
