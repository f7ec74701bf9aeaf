/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/odds.h"

#include "engine/base/check.h"
#include "engine/core/fen.h"

const char *const odds_names[ODDS_COUNT] = { NULL, "pawn", "knight", "rook", "queen" };

static const char *const fens[ODDS_COUNT] = {
    [ODDS_PAWN] = "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    [ODDS_KNIGHT] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1",
    [ODDS_ROOK] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1",
    [ODDS_QUEEN] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1",
};

static const int worth[PIECE_TYPE_COUNT] = {
    [PAWN] = 1, [KNIGHT] = 3, [BISHOP] = 3, [ROOK] = 5, [QUEEN] = 9
};

Odds odds_of(Text word)
{
    for (Odds odds = ODDS_PAWN; odds < ODDS_COUNT; odds++)
        if (text_is(word, odds_names[odds]))
            return odds;
    return ODDS_NONE;
}

const char *odds_fen(Odds odds)
{
    return fens[odds];
}

Colour odds_giver(Odds odds)
{
    return odds == ODDS_PAWN ? BLACK : WHITE;
}

OddsGiven odds_given(Text fen)
{
    const OddsGiven none = { .giver = (Colour)COLOUR_COUNT };
    char text[FEN_SIZE];
    Position usual, pos;
    int missing[COLOUR_COUNT] = { 0 };
    CHECK(fen_read(&usual, FEN_START, FEN_STRICT, NULL, NULL));
    if (!text_copy(text, sizeof text, fen) || !fen_read(&pos, text, FEN_LENIENT, NULL, NULL))
        return none;
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        Piece was = usual.board[square];
        if (pos.board[square] == was)
            continue;
        if (pos.board[square] != PIECE_NONE)
            return none;
        missing[piece_colour(was)] += worth[piece_type(was)];
    }
    if ((missing[WHITE] > 0) == (missing[BLACK] > 0))
        return none;
    Colour giver = missing[WHITE] > 0 ? WHITE : BLACK;
    return (OddsGiven){ giver, missing[giver] };
}
