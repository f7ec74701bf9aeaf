/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adjudicate.h - when to offer, accept or decline a draw, and when to resign. Pure.
 * Scores are centipawns for us. What they say must have been so for several of our moves in a row,
 * because one search can be wrong. */
#pragma once
#include "bot/config/config.h"

/* Lichess ignores an offer within so many plies of the one before. */
enum { DRAW_OFFER_GAP_PLIES = 20 };

/* Of our moves in a row, up to the latest: how many left the game level, and how many lost. */
typedef struct {
    int level, lost;
} ScoreTrend;

/* The score of one more move of ours. */
void trend_add(ScoreTrend *trend, const DrawSettings *draw, const ResignSettings *resign,
               int score_cp);

typedef struct {
    OpponentKind opponent;
    int move_number;           /* the game's, from 1 */
    int pieces;                /* on the board, kings included */
    int64_t opponent_clock_ms; /* INT64_MAX: no clock */
    ScoreTrend trend;
} Standing;

/* `plies_since_offer`: since our last one; INT_MAX: none yet. */
bool adjudicate_offers_draw(const DrawSettings *draw, const Standing *standing,
                            int plies_since_offer);
bool adjudicate_accepts_draw(const DrawSettings *draw, const Standing *standing);
bool adjudicate_resigns(const ResignSettings *resign, const Standing *standing);
