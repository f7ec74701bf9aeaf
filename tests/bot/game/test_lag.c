/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/lag.h"
#include "tests/support/unit.h"

#include <stdio.h>

/* `times` delays each; 0 ends the list. */
typedef struct {
    int delay_ms, times;
} Stretch;

static LagMeter after(const Stretch *stretches)
{
    LagMeter meter;
    lag_meter_init(&meter);
    for (; stretches->times > 0; stretches++)
        for (int i = 0; i < stretches->times; i++)
            lag_meter_add(&meter, stretches->delay_ms);
    return meter;
}

TEST(the_usual_and_the_worst_follow_the_last_delays)
{
    static const struct {
        const char *name;
        Stretch stretches[8];
        int usual_ms, worst_from_ms, worst_to_ms;
    } rows[] = {
        { "nothing known", { { 0 } }, 100, 300, 300 },
        { "one delay", { { 40, 1 } }, 40, 60, 100 },
        { "a steady line", { { 200, 50 } }, 200, 220, 300 },
        { "no delay to speak of", { { 0, 50 } }, 0, 20, 20 },
        { "an outlier just now", { { 50, 30 }, { 2000, 1 } }, 50, 2000, 2100 },
        { "an outlier three moves ago", { { 50, 30 }, { 2000, 1 }, { 50, 3 } }, 50, 2000, 2100 },
        { "an outlier ten moves ago", { { 50, 30 }, { 2000, 1 }, { 50, 10 } }, 50, 70, 100 },
        { "slower for four moves", { { 50, 30 }, { 700, 4 } }, 700, 700, 900 },
        { "faster for seven moves", { { 700, 30 }, { 50, 7 } }, 50, 700, 900 },
        { "faster for good", { { 700, 30 }, { 50, 13 } }, 50, 70, 100 },
        { "by turns", { { 30, 1 }, { 90, 1 }, { 30, 1 }, { 90, 1 }, { 30, 1 } }, 30, 110, 150 },
        { "a lost request", { { 50, 30 }, { 3600000, 1 } }, 50, 3000, 3100 },
        { "a clock that runs backwards", { { -500, 20 } }, 0, 20, 20 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        LagMeter meter = after(rows[i].stretches);
        Lag lag = lag_meter_expected(&meter, OVERHEAD_AUTO);
        if (lag.usual_ms != rows[i].usual_ms || lag.worst_ms < rows[i].worst_from_ms ||
            lag.worst_ms > rows[i].worst_to_ms)
            fail_msg("%s: %d, at worst %d", rows[i].name, (int)lag.usual_ms, (int)lag.worst_ms);
    }
}

TEST(what_the_operator_says_holds)
{
    LagMeter meter = after((Stretch[]){ { 700, 30 }, { 0 } });
    Lag lag = lag_meter_expected(&meter, 1234);
    assert_int_equal(lag.usual_ms, 1234);
    assert_int_equal(lag.worst_ms, 1234);
    assert_int_equal(lag_meter_expected(&meter, 0).worst_ms, 0);
}

TEST(a_meter_is_read_as_it_was_written)
{
    char text[LAG_TEXT_SIZE], again[LAG_TEXT_SIZE];
    LagMeter meter, read;
    lag_meter_init(&meter);
    for (int i = 0; i < 40; i++) {
        lag_meter_write(&meter, text);
        lag_meter_read(&read, text_of(text));
        lag_meter_write(&read, again);
        assert_string_equal(again, text);
        assert_memory_equal(&read, &meter, sizeof read);
        lag_meter_add(&meter, i % 2 ? 3000 : i * 17); /* the longest there are fit */
    }
}

TEST(what_is_no_delay_is_left_out)
{
    static const struct {
        const char *text, *meaning;
    } rows[] = {
        { "", "" },
        { "31", "31" },
        { " 31  30 ", "31 30" },
        { "-1 31", "31" },
        { "3001 99999999999999999999 3000", "3000" },
        { "x31 3x1 3.1 0", "0" },
        { "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
          "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[LAG_TEXT_SIZE];
        LagMeter meter;
        lag_meter_read(&meter, text_of(rows[i].text));
        lag_meter_write(&meter, text);
        assert_string_equal(text, rows[i].meaning);
    }
    LagMeter none;
    lag_meter_read(&none, text_of(NULL));
    assert_int_equal(none.count, 0);
}
