/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is read and what is refused must not depend on json-c's version, so the rows are exact. */
#include "bot/ops/jsonread.h"
#include "bot/ops/json_grammar.h"
#include "engine/base/buf.h"

#include "tests/support/unit.h"

static struct json_object *parse(const char *text, Error *err)
{
    return text[strspn(text, " \t\r\n")] == '[' ? jsonread_parse_list(text, strlen(text), err)
                                                : jsonread_parse(text, strlen(text), err);
}

TEST(json_is_read)
{
    static const struct {
        const char *text, *as; /* what json-c writes of it */
    } rows[] = {
        { "{}", "{}" },
        { " \t\r\n{ } \r\n\t ", "{}" },
        { "[]", "[]" },
        { "[ ]", "[]" },
        { "{\"a\":[1,{\"b\":null}],\"c\":true}", "{\"a\":[1,{\"b\":null}],\"c\":true}" },
        { "{ \"a\" : false , \"b\" : [ 1 , 2 ] }", "{\"a\":false,\"b\":[1,2]}" },
        { "{\"\":0,\"a\":1,\"a\":2}", "{\"\":0,\"a\":2}" },
        { "[0,-0,7,-12,0.5,-0.5,10.25]", "[0,0,7,-12,0.5,-0.5,10.25]" },
        { "[1e5,1E+5,1.5e-3,0e0,1e400]", "[1e5,1E+5,1.5e-3,0e0,1e400]" },
        { "[99999999999999999999999,-99999999999999999999999]",
          "[18446744073709551615,-9223372036854775808]" },
        { "[\"f\xc3\xbcr\",\"\xd0\x9f\xd1\x80\",\"\xe2\x99\x9a\",\"\xf0\x9f\x98\x80\"]",
          "[\"f\xc3\xbcr\",\"\xd0\x9f\xd1\x80\",\"\xe2\x99\x9a\",\"\xf0\x9f\x98\x80\"]" },
        { "{\"f\xc3\xbcr\":1}", "{\"f\xc3\xbcr\":1}" },
        { "[\"\x7f\x01\t\"]", "[\"\x7f\\u0001\\t\"]" },
        { "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]", "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"]" },
        { "[\"\\u00fc\\u00FC\\ud83d\\ude00\"]", "[\"\xc3\xbc\xc3\xbc\xf0\x9f\x98\x80\"]" },
        { "[\"\\ud800\",\"\\ude00x\"]", "[\"\xef\xbf\xbd\",\"\xef\xbf\xbdx\"]" },
        { "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]", "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = { 0 };
        struct json_object *tree = parse(rows[i].text, &err);
        if (!tree)
            fail_msg("%s: %s", rows[i].text, err.text);
        assert_string_equal(json_object_to_json_string_ext(tree, JSON_C_TO_STRING_PLAIN),
                            rows[i].as);
        json_object_put(tree);
    }
}

TEST(what_is_no_json_is_refused_with_its_place)
{
    static const struct {
        const char *text, *why;
    } rows[] = {
        { "", "no JSON: it ends too early" },
        { "  ", "no JSON: it ends too early" },
        { "{\"a\"", "no JSON: it ends too early" },
        { "{\"a\":", "no JSON: it ends too early" },
        { "{\"a\":1", "no JSON: it ends too early" },
        { "{\"a\":1,", "no JSON: it ends too early" },
        { "{\"a\":\"b", "no JSON: it ends too early" },
        { "{\"a\":tru", "no JSON: it ends too early" },
        { "[1,", "no JSON: it ends too early" },
        { "{}{}", "no JSON: text follows the value at byte 2" },
        { "[] x", "no JSON: text follows the value at byte 3" },
        { "{} // no", "no JSON: text follows the value at byte 3" },
        { "[1,]", "no JSON: wrong character at byte 3" },
        { "[,1]", "no JSON: wrong character at byte 1" },
        { "[1 2]", "no JSON: wrong character at byte 3" },
        { "{\"a\":1,}", "no JSON: wrong character at byte 7" },
        { "{,}", "no JSON: wrong character at byte 1" },
        { "{\"a\" 1}", "no JSON: wrong character at byte 5" },
        { "{a:1}", "no JSON: wrong character at byte 1" },
        { "{1:1}", "no JSON: wrong character at byte 1" },
        { "{'a':1}", "no JSON: wrong character at byte 1" },
        { "{\"a\":'b'}", "no JSON: wrong character at byte 5" },
        { "[1}", "no JSON: wrong character at byte 2" },
        { "/* no */ {}", "no JSON: wrong character at byte 0" },
        { "[1, // no\n2]", "no JSON: wrong character at byte 4" },
        { "\xef\xbb\xbf{}", "no JSON: wrong character at byte 0" },
        { "[NaN]", "no JSON: wrong character at byte 1" },
        { "[nan]", "no JSON: wrong character at byte 3" },
        { "[Infinity]", "no JSON: wrong character at byte 1" },
        { "[-Infinity]", "no JSON: wrong character at byte 2" },
        { "[True]", "no JSON: wrong character at byte 1" },
        { "[NULL]", "no JSON: wrong character at byte 1" },
        { "[truex]", "no JSON: wrong character at byte 5" },
        { "[01]", "no JSON: wrong character at byte 2" },
        { "[+1]", "no JSON: wrong character at byte 1" },
        { "[.5]", "no JSON: wrong character at byte 1" },
        { "[1.]", "no JSON: wrong character at byte 3" },
        { "[-]", "no JSON: wrong character at byte 2" },
        { "[1e]", "no JSON: wrong character at byte 3" },
        { "[1e+]", "no JSON: wrong character at byte 4" },
        { "[0x10]", "no JSON: wrong character at byte 2" },
        { "[\"\\x41\"]", "no JSON: wrong character at byte 3" },
        { "[\"\\u00g0\"]", "no JSON: wrong character at byte 6" },
        { "[\"\xff\"]", "no JSON: invalid utf-8 string" },
        { "{\"\xc3\":1}", "no JSON: invalid utf-8 string" },
        { "[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]", "no JSON: nesting too deep at byte 16" },
        { "12", "no JSON object" },
        { "null ", "no JSON object" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Error err = { 0 };
        if (parse(rows[i].text, &err))
            fail_msg("it was read: %s", rows[i].text);
        if (strcmp(err.text, rows[i].why) != 0)
            fail_msg("%s: %s", rows[i].text, err.text);
    }
}

TEST(a_nul_ends_nothing)
{
    static const char within[] = "{\"a\0\":1}", behind[] = "{}\0";
    assert_null(jsonread_parse(within, sizeof within - 1, NULL));
    assert_null(jsonread_parse(behind, sizeof behind, NULL));
}

TEST(an_object_is_no_list)
{
    Error err = { 0 };
    assert_null(jsonread_parse("[]", 2, &err));
    assert_string_equal(err.text, "no JSON object");
    err = (Error){ 0 };
    assert_null(jsonread_parse_list("{}", 2, &err));
    assert_string_equal(err.text, "no JSON array");
}

/* A short line of empty objects would take a hundred times its length. */
TEST(objects_and_arrays_are_counted)
{
    Buf text;
    for (int count = JSON_CONTAINERS_MAX; count <= JSON_CONTAINERS_MAX + 1; count++) {
        Error err = { 0 };
        buf_init(&text, 1 << 20);
        assert_true(buf_put_text(&text, "["));
        for (int i = 2; i <= count; i++)
            assert_true(buf_put_text(&text, i == 2 ? "{}" : ",{}"));
        assert_true(buf_put_text(&text, "]"));
        struct json_object *tree =
            jsonread_parse_list(buf_view(&text), strlen(buf_view(&text)), &err);
        assert_int_equal(tree != NULL, count == JSON_CONTAINERS_MAX);
        if (!tree)
            assert_non_null(strstr(err.text, "too many objects and arrays"));
        json_object_put(tree);
        buf_release(&text);
    }
}
