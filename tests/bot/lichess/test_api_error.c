/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/lichess/api_error.h"
#include "tests/support/unit.h"

TEST(every_shape_of_refusal_gives_one_line)
{
    static const struct {
        const char *body, *text, *key;
        int64_t seconds;
    } rows[] = {
        { "{\"error\":\"No such token\"}", "No such token", "", 0 },
        { "{\"error\":{\"clock.limit\":[\"Invalid value\"]},\"clock.limit\":[\"Invalid value\"]}",
          "clock.limit: Invalid value", "", 0 },
        { "{\"error\":{\"global\":[\"Invalid clock\",\"x\"]}}", "Invalid clock", "", 0 },
        { "{\"error\":{\"a\":7}}", "a: not accepted", "", 0 },
        { "{\"error\":\"done\",\"ratelimit\":{\"key\":\"bot.vsBot.day\",\"seconds\":41230}}",
          "done", "bot.vsBot.day", 41230 },
        { "{\"error\":\"x\",\"ratelimit\":{\"seconds\":1e99}}", "x", "", 604800 },
        { "{\"error\":\"x\",\"ratelimit\":[]}", "x", "", 0 },
        { "{\"error\":\"Zu viele Anfragen \xc3\xbc\"}", "Zu viele Anfragen \xc3\xbc", "", 0 },
        { "{\"error\":\"two\\nlines\\u001b[2J\"}", "two lines [2J", "", 0 },
        { "{\"error\":null}", "no reason given", "", 0 },
        { "{\"error\":{}}", "no reason given", "", 0 },
        { "{}", "no reason given", "", 0 },
        { "", "no reason given", "", 0 },
        { "  \n ", "no reason given", "", 0 },
        { "<html>\n<head><TITLE> 429 Too Many\r\nRequests </TITLE></head></html>",
          "no JSON but \"429 Too Many Requests\"", "", 0 },
        { "<html><title>cut", "no JSON but \"<html><title>cut\"", "", 0 },
        { "Bad gateway", "no JSON but \"Bad gateway\"", "", 0 },
        { "\xff\xfe\x80", "no JSON but \"???\"", "", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ApiError refusal;
        api_error_parse(&refusal, text_of(rows[i].body));
        assert_string_equal(refusal.text, rows[i].text);
        assert_string_equal(refusal.limit_key, rows[i].key);
        assert_int_equal(refusal.limit_seconds, rows[i].seconds);
    }
}

TEST(long_texts_are_cut_between_letters)
{
    for (int shift = 0; shift < 4; shift++) {
        char body[2000] = "{\"error\":\"";
        size_t len = strlen(body);
        memset(body + len, 'x', (size_t)shift);
        len += (size_t)shift;
        for (int i = 0; i < 400; i++, len += 3)
            memcpy(body + len, "\xe2\x99\x9e", 3);
        memcpy(body + len, "\"}", 3);
        ApiError refusal;
        api_error_parse(&refusal, text_of(body));
        len = strlen(refusal.text);
        assert_in_range(len, sizeof refusal.text - 8, sizeof refusal.text - 1);
        assert_int_equal((len - (size_t)shift) % 3, 0);
    }
}

TEST(a_long_field_name_leaves_room_for_the_reason)
{
    char body[1000] = "{\"error\":{\"";
    size_t len = strlen(body);
    memset(body + len, 'f', 500);
    memcpy(body + len + 500, "\":[\"wrong\"]}}", 14);
    ApiError refusal;
    api_error_parse(&refusal, text_of(body));
    assert_non_null(strstr(refusal.text, ": wrong"));
}
