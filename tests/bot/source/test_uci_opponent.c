/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/uci_opponent.h"
#include "tests/support/unit.h"

TEST(opponents_are_told_in_ucis_words)
{
    static const struct {
        const char *title, *name;
        int rating;
        bool is_bot;
        const char *text;
    } rows[] = {
        { "GM", "Garry", 2800, false, "GM 2800 human Garry" },
        { "BOT", "maia1", 1500, true, "none 1500 computer maia1" },
        { "", "Alba", 0, false, "none none human Alba" },
        { "", "", 0, false, "none none human anonymous" },
        { "", "x\nquit", 1500, false, "none 1500 human anonymous" },
        { "G M", "a b", 1500, false, "none 1500 human anonymous" },
        { "TITLELONG", "\xc3\xa9", 1500, false, "none 1500 human anonymous" },
        { "WGM", "abcdefghijabcdefghijabcdefghij", 2147483647, true,
          "WGM 2147483647 computer abcdefghijabcdefghijabcdefghij" },
        { "", "abcdefghijabcdefghijabcdefghijk", 1, false, "none 1 human anonymous" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char out[UCI_OPPONENT_SIZE];
        Player opponent = { .rating = rows[i].rating, .ai_level = rows[i].is_bot };
        text_copy(opponent.name, sizeof opponent.name, text_of(rows[i].name));
        text_copy(opponent.title, sizeof opponent.title, text_of(rows[i].title));
        uci_opponent_write(&opponent, out);
        assert_string_equal(out, rows[i].text);
    }
}
