/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lessons.h - what one's own games say about the moves of a book: for each position (by its
 * Polyglot key) and move how the games ended in which the book gave it. A table in memory, so that
 * weighing a position's moves takes microseconds. Bounded: when it is full, what is new is not
 * learned. Owner's thread only. */
#pragma once
#include "engine/book/book.h"

enum {
    LESSONS_MAX = 1 << 17, /* moves, of 24 bytes; twice the room when full */

    /* So many games won and as many lost are added to each position before anything is made of it:
     * a few games prove little. */
    LESSON_PRIOR = 4,
    LESSON_FACTOR_MOST = 4 * BOOK_FACTOR_ONE, /* as far as experience goes, either way */
    LESSON_FACTOR_LEAST = BOOK_FACTOR_ONE / 4,
};

/* Of games, for us. */
typedef struct {
    uint32_t won, drawn, lost;
} Results;

typedef struct {
    uint64_t key;
    Move move; /* as book_find() gives it; MOVE_NONE: the place is free */
    Results results;
} Lesson;

typedef struct {
    Lesson *places; /* a hash table with linear probing by key: a position's moves lie close */
    size_t count, capacity;
} Lessons;

void lessons_init(Lessons *lessons);
void lessons_release(Lessons *lessons);

/* Adds to what is known of a move. False when full or without memory; nothing has changed then. */
bool lessons_add(Lessons *lessons, uint64_t key, Move move, const Results *results) MUST_CHECK;

/* {0} where nothing is known. */
Results lessons_of(const Lessons *lessons, uint64_t key, Move move);

/* What experience makes of a book's weight, in parts of BOOK_FACTOR_ONE: how the odds of a point
 * with `move` compare with those of the position as a whole,
 *
 *     odds(move) / odds(all),  odds = s / (1 - s),
 *     s(all)  = (points of all moves there + P) / (games + 2 P),           P = LESSON_PRIOR
 *     s(move) = (points of the move + 2 P s(all)) / (games of the move + 2 P),
 *
 * within 1/4 to 4. Against the position and not against one half, so that a bot that wins most of
 * its games does not take every move that it has tried for a good one, and moves that it never
 * tried for bad ones: those get 1. Two draws count as a win and a loss. */
uint32_t lesson_factor(const Results *move, const Results *all);

/* Sets the factors of the moves that a book has for the position of this key. */
void lessons_weigh(const Lessons *lessons, uint64_t key, BookMoves *moves);
