/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/eco.h"
#include "bot/review/eco_table.h"
#include "tests/support/unit.h"

TEST(games_are_called_by_their_last_named_position)
{
    /* Codes and names as lichess.org shows them for these moves. */
    static const struct {
        const char *uci, *code, *name;
    } games[] = {
        { "e2e4", "B00", "King's Pawn Game" },
        { "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6", "B90",
          "Sicilian Defense: Najdorf Variation" },
        { "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", "C70", "Ruy Lopez: Morphy Defense" },
        /* A move that leaves all names keeps the last one. */
        { "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 h7h5 h2h3 a8b8", "C70", "Ruy Lopez: Morphy Defense" },
        { "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7", "C84", "Ruy Lopez: Closed" },
        { "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1h1 f8e7", "C84", "Ruy Lopez: Closed" },
        /* Another order of moves: c4 e6 d4 d5 is the Queen's Gambit. */
        { "c2c4 e7e6 d2d4 d7d5", "D30", "Queen's Gambit Declined" },
        { "d2d4 d7d5 c2c4 e7e6", "D30", "Queen's Gambit Declined" },
        { "d2d4 g8f6 c2c4 g7g6 b1c3 d7d5", "D80", "Grünfeld Defense" },
        { "a2a3 nonsense e2e4", "A00", "Anderssen's Opening" },
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        EcoOpening opening;
        assert_true(eco_of_game(VARIANT_STANDARD, "", text_of(games[i].uci), &opening));
        assert_string_equal(opening.name, games[i].name);
        assert_string_equal(opening.code, games[i].code);
    }
}

TEST(other_games_have_no_name)
{
    EcoOpening opening;
    assert_false(eco_of_game(VARIANT_STANDARD, "", text_of(""), &opening));
    assert_false(eco_of_game(VARIANT_STANDARD, "", text_of("e2e5"), &opening));
    assert_false(eco_of_game(VARIANT_CHESS960, "", text_of("e2e4"), &opening));
    assert_false(eco_of_game(VARIANT_ATOMIC, "", text_of("e2e4"), &opening));
    assert_false(eco_of_game(VARIANT_STANDARD, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", text_of("e2e4"),
                             &opening));
    assert_false(eco_find(0, &opening));
    assert_false(eco_find(UINT64_MAX, &opening));
}

TEST(every_first_move_has_a_name)
{
    static const char *const moves[] = { "a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3",
                                         "d2d4", "e2e3", "e2e4", "f2f3", "f2f4", "g2g3", "g2g4",
                                         "h2h3", "h2h4", "b1a3", "b1c3", "g1f3", "g1h3" };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
        EcoOpening opening;
        if (!eco_of_game(VARIANT_STANDARD, "", text_of(moves[i]), &opening))
            fail_msg("%s", moves[i]);
    }
}

TEST(every_row_is_found_and_fits)
{
    assert_int_equal(eco_count, 3807);
    for (size_t i = 0; i < eco_count; i++) {
        EcoOpening opening;
        assert_true(i == 0 || eco_rows[i - 1].key < eco_rows[i].key);
        assert_true(eco_find(eco_rows[i].key, &opening));
        assert_memory_equal(opening.code, eco_rows[i].code, 4);
        assert_in_range(strlen(opening.name), 1, ECO_NAME_SIZE - 1);
        assert_in_range(opening.code[0], 'A', 'E');
    }
}

TEST(a_family_ends_before_the_colon)
{
    static const struct {
        const char *title, *family;
    } titles[] = {
        { "B90 Sicilian Defense: Najdorf Variation", "Sicilian Defense" },
        { "D30 Queen's Gambit Declined", "Queen's Gambit Declined" },
        { "", "" },
        { "B90", "" },
        { "B90 ", "" },
        { "B90 :", "" },
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        assert_true(text_is(eco_title_family(titles[i].title), titles[i].family));
}
