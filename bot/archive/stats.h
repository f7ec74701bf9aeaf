/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats.h - our results by the archive: games won, drawn and lost, grouped by one of their traits.
 * The moves are read only where books or time are asked for, and only a book's are replayed.
 * Blocking; for commands, not for the loop. */
#pragma once
#include "bot/archive/stats_groups.h"
#include "bot/archive/store.h"

typedef enum {
    STATS_ALL, /* one row */
    STATS_COLOUR,
    STATS_SPEED,
    STATS_CLOCK, /* as time_control.h writes them */
    STATS_VARIANT,
    STATS_KIND, /* of opponent: "human", "bot"; Lichess's AI is one of the latter */
    STATS_OPPONENT,
    STATS_OPENING,   /* its family, see eco.h; a game that has none is named by its variant */
    STATS_VARIATION, /* its code and whole name */
    STATS_REASON,    /* Lichess's word for how the game ended */
    STATS_BOOK,      /* where our book had no more: the moves up to its last one; other games not */
    STATS_MONTH,     /* in which it ended, humans and bots apart: "2026-11 bot" */
    STATS_WEEK,      /* the same by the week's Monday: "2026-11-16 human" */
    STATS_TIME,      /* the speeds again, with our use of the clock */
    STATS_LOSSES,    /* the months again, of games with an analysis: what they cost us points by */
    STATS_ENGINE,    /* the external engine as the archive names it; "-": ours, or not known */
    STATS_OPPONENT_ENGINE, /* what the opponent's says it is; "-": not known */
    STATS_BY_COUNT,
} StatsBy;

/* "colour", … */
extern const char *const stats_by_names[STATS_BY_COUNT];

typedef struct {
    const char *name; /* lent for the call; foreign text */
    int64_t games, won, drawn, lost;
    double opponents;  /* mean of their ratings, of those that are known; 0: none is */
    int64_t in_book;   /* of the games: those in which a book gave a move; and of these */
    double book_plies; /* … the mean ply of its last one, */
    int64_t exits;     /* … those whose next move of ours has an evaluation, */
    double exit_cp;    /* and its mean: centipawns for us, within 10 pawns, mates as 10 */
    TimeUse time;      /* STATS_TIME alone */
    LossSum losses;    /* STATS_ALL and STATS_LOSSES */
    int64_t on_time;   /* STATS_ENGINE alone, so the next: games lost on the clock, */
    int64_t strikes;   /* … and faults of the engine in all games */
    int64_t groups;    /* in all, also those that are not listed */
} StatsRow;

/* Calls for each group, the one with the most games first (months and weeks: the latest), `limit`
 * of them at most. Only games that were won, drawn or lost count. The filter's own limit does not.
 * False and an Error when the file can't be read, or without memory. */
typedef void StatsOnRow(void *user, const StatsRow *row);
bool stats_read(Store *store, const StoreFilter *filter, StatsBy by, int64_t limit,
                StatsOnRow *on_row, void *user, Error *err) MUST_CHECK;

typedef enum { AGAINST_HUMANS, AGAINST_BOTS, AGAINST_COUNT } Against;

/* "human", "bot" */
const char *against_name(Against kind);

/* All games against humans and all against bots, of `account` (NULL: of all), read from an index
 * alone where it is NULL. The rows' names and what they say of books are left empty. */
bool stats_read_kinds(Store *store, const char *account, StatsRow out[AGAINST_COUNT],
                      Error *err) MUST_CHECK;

/* Of the points to be had, 0..1. */
double stats_score(const StatsRow *row);

/* The rating with which Elo's formula expects such a score against such opponents, within 800 of
 * theirs; 0 where no opponent's rating is known. */
int stats_performance(const StatsRow *row);
