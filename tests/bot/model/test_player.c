/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/player.h"
#include "bot/model/time_control.h"
#include "tests/support/unit.h"

TEST(a_player_reads_as_people_say_it)
{
    static const struct {
        const char *name, *title;
        int ai_level;
        const char *text;
        bool is_bot_account, is_engine;
    } rows[] = {
        { .name = "Alba", .text = "Alba" },
        { .name = "Alba", .title = "FM", .text = "FM Alba" },
        { .name = "Otto",
          .title = "BOT",
          .text = "BOT Otto",
          .is_bot_account = true,
          .is_engine = true },
        { .name = "", .ai_level = 3, .text = "Stockfish level 3", .is_engine = true },
        { .name = "", .text = "anonymous" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[PLAYER_TEXT_SIZE];
        Player player = { .ai_level = rows[i].ai_level };
        text_copy(player.name, sizeof player.name, text_of(rows[i].name));
        text_copy(player.title, sizeof player.title, text_of(rows[i].title));
        print_message("%s\n", rows[i].text);
        player_text(&player, text);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(player_is_bot_account(&player), rows[i].is_bot_account);
        assert_int_equal(player_is_engine(&player), rows[i].is_engine);
    }
}

TEST(a_time_control_has_one_form)
{
    static const struct {
        TimeControl time;
        const char *text;
    } rows[] = {
        { { .kind = TIME_CLOCK, .base_s = 180, .increment_s = 2 }, "3+2" },
        { { .kind = TIME_CLOCK, .base_s = 30 }, "0.5+0" },
        { { .kind = TIME_CLOCK, .base_s = 15, .increment_s = 1 }, "0.25+1" },
        { { .kind = TIME_CLOCK, .base_s = 10800, .increment_s = 180 }, "180+180" },
        { { .kind = TIME_CLOCK, .base_s = INT64_MAX, .increment_s = INT64_MAX },
          "1.53723e+17+9223372036854775807" },
        { { .kind = TIME_CORRESPONDENCE, .days = 3 }, "3d" },
        { { .kind = TIME_UNLIMITED }, "unlimited" },
        { { .kind = TIME_UNKNOWN }, "?" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TIME_CONTROL_TEXT_SIZE];
        time_control_text(&rows[i].time, text);
        assert_string_equal(text, rows[i].text);
    }
}
