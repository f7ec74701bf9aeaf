/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/odds.h"
#include "engine/core/fen.h"
#include "tests/support/unit.h"

TEST(each_odds_has_its_position)
{
    static const int worth[ODDS_COUNT] = {
        [ODDS_PAWN] = 1, [ODDS_KNIGHT] = 3, [ODDS_ROOK] = 5, [ODDS_QUEEN] = 9
    };
    for (Odds odds = ODDS_PAWN; odds < ODDS_COUNT; odds++) {
        Position pos;
        assert_true(fen_read(&pos, odds_fen(odds), FEN_STRICT, NULL, NULL));
        OddsGiven given = odds_given(text_of(odds_fen(odds)));
        assert_int_equal(given.giver, odds_giver(odds));
        assert_int_equal(given.worth, worth[odds]);
        assert_int_equal(odds_of(text_of(odds_names[odds])), odds);
    }
    assert_int_equal(odds_of(text_of("king")), ODDS_NONE);
    assert_int_equal(odds_of(text_of("")), ODDS_NONE);
}

TEST(other_positions_are_no_odds)
{
    static const char *const fens[] = {
        "",
        FEN_START,
        "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", /* both have less */
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKQNR w KQkq - 0 1", /* a second queen */
        "8/8/8/4k3/8/8/8/4K2Q w - - 0 1",
        "no position",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++)
        assert_int_equal(odds_given(text_of(fens[i])).giver, COLOUR_COUNT);
}
