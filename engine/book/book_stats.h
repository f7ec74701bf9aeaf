/* SPDX-License-Identifier: GPL-3.0-or-later */
/* book_stats.h - how our own games with book moves ended: results for each position (by its
 * Polyglot key) and move. They are in memory, so weighing a position's moves takes microseconds.
 * Bounded: once full, new moves are not added. Owner's thread only. */
#pragma once
#include "engine/book/book.h"

enum {
    BOOK_STATS_MAX = 1 << 17, /* moves, of 24 bytes; twice the room when full */

    /* This many games won and lost are added to each position before its results count, because a
     * few games prove little. */
    BOOK_STATS_PRIOR = 4,
    BOOK_STATS_FACTOR_MAX =
        4 * BOOK_FACTOR_ONE, /* the most that results change a weight, either way */
    BOOK_STATS_FACTOR_MIN = BOOK_FACTOR_ONE / 4,
};

/* Of games, for us. */
typedef struct {
    uint32_t won, drawn, lost;
} Results;

typedef struct {
    uint64_t key;
    Move move; /* as book_find() gives it; MOVE_NONE: the place is free */
    Results results;
} BookMoveStats;

typedef struct {
    BookMoveStats
        *slots; /* a hash table with linear probing by key: a position's moves lie close */
    size_t count, capacity;
} BookStats;

void book_stats_init(BookStats *stats);
void book_stats_release(BookStats *stats);

/* Adds to what is known of a move. False when full or without memory; nothing has changed then. */
bool book_stats_add(BookStats *stats, uint64_t key, Move move, const Results *results) MUST_CHECK;

/* {0} where nothing is known. */
Results book_stats_of(const BookStats *stats, uint64_t key, Move move);

/* The factor for a book's weight, in parts of BOOK_FACTOR_ONE: the odds of a point with `move`,
 * compared with those of the position as a whole,
 *
 *     odds(move) / odds(all),  odds = s / (1 - s),
 *     s(all)  = (points of all moves there + P) / (games + 2 P),           P = BOOK_STATS_PRIOR
 *     s(move) = (points of the move + 2 P s(all)) / (games of the move + 2 P),
 *
 * within 1/4 to 4. The comparison is with the position and not with one half. Otherwise a bot that
 * wins most games would take every move that it tried for a good one. Untried moves get 1. Two
 * draws count as a win and a loss. */
uint32_t book_stats_factor(const Results *move, const Results *all);

/* Sets the factors of the moves that a book has for the position of this key. */
void book_stats_weigh(const BookStats *stats, uint64_t key, BookMoves *moves);
