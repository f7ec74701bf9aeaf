/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/wish.h"
#include "tests/support/unit.h"

TEST(each_wish_has_its_answer)
{
    static const struct {
        const char *name;
        WishKind kind;
        const char *about;
        WishFacts facts;
        bool is_granted, is_now;
        const char *answer;
    } rows[] = {
        { .name = "a level before the game has begun",
          .kind = WISH_LEVEL,
          .about = "1500",
          .facts = { .is_person = true, .can_recur = true },
          .is_granted = true,
          .is_now = true,
          .answer = "I play at 1500, in this game and in our casual games of the next 24 hours." },
        { .name = "a level after both have moved",
          .kind = WISH_LEVEL,
          .about = "1500",
          .facts = { .is_person = true, .has_begun = true },
          .is_granted = true,
          .answer =
              "I play at 1500 in our casual games of the next 24 hours, but not in this game." },
        { .name = "a level in a rated game",
          .kind = WISH_LEVEL,
          .about = "1500",
          .facts = { .is_person = true, .is_rated = true },
          .is_granted = true,
          .answer =
              "I play at 1500 in our casual games of the next 24 hours, but not in this game." },
        { .name = "the level as it was",
          .kind = WISH_LEVEL,
          .about = "off",
          .facts = { .is_person = true },
          .is_granted = true,
          .answer = "From our next game on I choose my level again." },
        { .name = "no level is named",
          .kind = WISH_LEVEL,
          .about = "",
          .facts = { .is_person = true },
          .answer =
              "I play as well as I can. !level 1500 asks for that rating, 600 to 2500, in casual "
              "games." },
        { .name = "too low a level",
          .kind = WISH_LEVEL,
          .about = "599",
          .facts = { .is_person = true, .level = 1320 },
          .answer =
              "I play at 1320. !level 1500 asks for that rating, 600 to 2500, in casual games." },
        { .name = "too high a level",
          .kind = WISH_LEVEL,
          .about = "2501",
          .facts = { .is_person = true, .level = 1320 },
          .answer =
              "I play at 1320. !level 1500 asks for that rating, 600 to 2500, in casual games." },
        { .name = "a level for a bot",
          .kind = WISH_LEVEL,
          .about = "1500",
          .facts = { .can_recur = true },
          .answer = "I do that for people only." },
        { .name = "another game",
          .kind = WISH_AGAIN,
          .about = "",
          .facts = { .is_person = true, .can_recur = true },
          .is_granted = true,
          .answer = "When this game is over I challenge you to another one." },
        { .name = "another game that we cannot ask for",
          .kind = WISH_AGAIN,
          .about = "",
          .facts = { .is_person = true },
          .answer = "Not after this game: please challenge me." },
        { .name = "odds",
          .kind = WISH_ODDS,
          .about = "queen",
          .facts = { .is_person = true, .can_recur = true },
          .is_granted = true,
          .answer = "When this game is over I challenge you to a casual one without my queen." },
        { .name = "odds of a piece that stays",
          .kind = WISH_ODDS,
          .about = "king",
          .facts = { .is_person = true, .can_recur = true },
          .answer = "!odds queen, rook, knight or pawn: I challenge you to a casual game in which "
                    "I have so "
                    "much less." },
        { .name = "odds that we cannot ask for",
          .kind = WISH_ODDS,
          .about = "rook",
          .facts = { .is_person = true },
          .answer = "Not after this game: please challenge me." },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char answer[WISH_ANSWER_SIZE];
        Wish wish = wish_of(rows[i].kind, rows[i].about);
        wish_answer(&wish, &rows[i].facts, answer);
        if (strcmp(answer, rows[i].answer) != 0 ||
            wish_is_granted(&wish, &rows[i].facts) != rows[i].is_granted ||
            wish_is_for_this_game(&wish, &rows[i].facts) != rows[i].is_now)
            fail_msg("%s: \"%s\"", rows[i].name, answer);
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
