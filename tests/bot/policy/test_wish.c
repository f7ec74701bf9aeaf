/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/wish.h"
#include "tests/support/unit.h"

#define CASUAL                                                                                     \
    {                                                                                              \
        .is_person = true, .can_recur = true                                                       \
    }

TEST(each_wish_has_its_answer)
{
    static const struct {
        WishKind kind;
        const char *about;
        WishFacts facts;
        bool is_granted, is_now;
        const char *answer;
    } rows[] = {
        { WISH_LEVEL, "1500", CASUAL, true, true,
          "I play at 1500, in this game and in our casual games of the next 24 hours." },
        { WISH_LEVEL,
          "1500",
          { .is_person = true, .has_begun = true },
          true,
          false,
          "I play at 1500 in our casual games of the next 24 hours, but not in this game." },
        { WISH_LEVEL,
          "1500",
          { .is_person = true, .is_rated = true },
          true,
          false,
          "I play at 1500 in our casual games of the next 24 hours, but not in this game." },
        { WISH_LEVEL, "off", CASUAL, true, false,
          "From our next game on I choose my level again." },
        { WISH_LEVEL, "", CASUAL, false, false,
          "I play as well as I can. !level 1500 asks for that rating, 600 to 2500, in casual "
          "games." },
        { WISH_LEVEL,
          "599",
          { .is_person = true, .level = 1320 },
          false,
          false,
          "I play at 1320. !level 1500 asks for that rating, 600 to 2500, in casual games." },
        { WISH_LEVEL,
          "2501",
          { .is_person = true, .level = 1320 },
          false,
          false,
          "I play at 1320. !level 1500 asks for that rating, 600 to 2500, in casual games." },
        { WISH_LEVEL, "1500", { .can_recur = true }, false, false, "I do that for people only." },
        { WISH_AGAIN, "", CASUAL, true, false,
          "When this game is over I challenge you to another one." },
        { WISH_AGAIN,
          "",
          { .is_person = true },
          false,
          false,
          "Not after this game: please challenge me." },
        { WISH_ODDS, "queen", CASUAL, true, false,
          "When this game is over I challenge you to a casual one without my queen." },
        { WISH_ODDS, "king", CASUAL, false, false,
          "!odds queen, rook, knight or pawn: I challenge you to a casual game in which I have so "
          "much less." },
        { WISH_ODDS,
          "rook",
          { .is_person = true },
          false,
          false,
          "Not after this game: please challenge me." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char answer[WISH_ANSWER_SIZE];
        Wish wish = wish_of(rows[i].kind, rows[i].about);
        wish_answer(&wish, &rows[i].facts, answer);
        assert_string_equal(answer, rows[i].answer);
        if (wish_is_granted(&wish, &rows[i].facts) != rows[i].is_granted ||
            wish_is_for_this_game(&wish, &rows[i].facts) != rows[i].is_now)
            fail_msg("row %zu: \"%s\"", i, rows[i].about);
    }
}

TEST(a_level_holds_in_all_games_but_one_that_had_begun)
{
    char text[WISH_LEVEL_SIZE];
    wish_level_write(1480, "", text);
    assert_int_equal(wish_level_read(text_of(text), "abcdefgh"), 1480);
    wish_level_write(1480, "abcdefgh", text);
    assert_int_equal(wish_level_read(text_of(text), "abcdefgh"), 0);
    assert_int_equal(wish_level_read(text_of(text), "ijklmnop"), 1480);
}

TEST(what_is_no_level_is_none)
{
    static const char *const texts[] = { "", "1480", "100 -", "x -", "1480 - -", "99999999999 -" };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(wish_level_read(text_of(texts[i]), "abcdefgh"), 0);
    assert_int_equal(wish_level_read(text_of(NULL), "abcdefgh"), 0);
}
