/* SPDX-License-Identifier: GPL-3.0-or-later */
/* people_moves.h - how likely people of some rating are to play the moves of a game, by castled's
 * own network of people's moves, which lies in the program. Chess alone. Pure. */
#pragma once
#include "bot/model/record.h"
#include "engine/core/san.h"

/* The network has learnt people of these ratings; others count as the nearest. */
enum { PEOPLE_RATING_MIN = 1100, PEOPLE_RATING_MAX = 1900 };

typedef struct {
    float share;          /* of such people who play the move, 0..1 */
    float first_share;    /* who play the likeliest one, */
    char first[SAN_SIZE]; /* … and that one; the same move: `is_first` */
    bool is_first;
} PeopleMove;

/* Whose moves are told where the opponent is rated so: a hundred, 1100 to 1900. 0: not known. */
int people_rating(int rating);

/* Of the moves from number `first` (0: the game's first) to `last` into out[0..last - first].
 * Returns how many are known, from the first on; 0 without memory, where the rating is 0, and of
 * variants. ~30 us a move. */
size_t people_moves_read(const GameRecord *record, size_t first, size_t last, int rating,
                         PeopleMove *out);
