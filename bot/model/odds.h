/* SPDX-License-Identifier: GPL-3.0-or-later */
/* odds.h - games in which one side begins with less: the usual position without some of its men.
 * Pure. */
#pragma once
#include "engine/base/text.h"
#include "engine/core/piece.h"

typedef enum { ODDS_NONE, ODDS_PAWN, ODDS_KNIGHT, ODDS_ROOK, ODDS_QUEEN, ODDS_COUNT } Odds;

/* "pawn", …; NULL for ODDS_NONE. */
extern const char *const odds_names[ODDS_COUNT];

/* ODDS_NONE: no such word. */
Odds odds_of(Text word);

/* Where such a game begins, and who gives the odds: White a piece, Black the pawn of the f-file, as
 * has long been usual. Not of ODDS_NONE. */
const char *odds_fen(Odds odds);
Colour odds_giver(Odds odds);

/* What a game from a position is, as far as odds go. */
typedef struct {
    Colour giver; /* COLOUR_COUNT: it is no game at odds */
    int worth;    /* in pawns: a queen is 9 */
} OddsGiven;

OddsGiven odds_given(Text fen);
