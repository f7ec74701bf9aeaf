/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adjudicate.h - when to offer, accept or decline a draw, and when to resign. Pure. Scores are
 * centipawns for us, counted from what a draw is worth. They must hold for several of our moves in
 * a row, because one search can be wrong. Tablebases are never wrong: their wins are not drawn and
 * their draws not resigned, whatever the scores were. Where the operator allows it, their draws and
 * losses count at once. */
#pragma once
#include "bot/config/settings.h"
#include "engine/tablebase/tablebase.h"

/* Lichess ignores an offer within this many plies of the one before, and all offers before two
 * plies were made. A resignation would abort the game there. */
enum { DRAW_OFFER_GAP_PLIES = 20, BEGUN_PLIES = 2 };

/* A standing offer turns the opponent's flag fall into a draw and cannot be withdrawn, so none is
 * made when they have less than this left. */
enum { DRAW_OFFER_CLOCK_MIN_MS = 20000 };

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
    TablebaseVerdict tablebase_verdict; /* on the position as it is, or will be after our move */
    bool opponent_mates_next;           /* after our move */
    bool takes_no_offer;                /* it is Lichess's own engine */
    int plies;                          /* made, without the move of ours that is just found */
} Standing;

/* With the move of ours that is just found. `plies_since_offer`: since our last one; INT_MAX: none
 * yet. */
bool adjudicate_offers_draw(const DrawSettings *draw, const Standing *standing,
                            int plies_since_offer);
bool adjudicate_accepts_draw(const DrawSettings *draw, const Standing *standing);

/* After that move. */
bool adjudicate_resigns(const ResignSettings *resign, const Standing *standing);
