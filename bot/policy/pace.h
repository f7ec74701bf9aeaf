/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace.h - how long a human would think about a move. Pure.
 *
 * The times of people follow the stage of the game, the position and a mood that lasts. So
 *
 *     time = clock x share x choice x mood
 *
 * clock     what is left, and 22 increments
 * share     0.8 % in the first moves, 1.5 % at move 8, 3 % at move 18, 3.7 % from move 26 to 36,
 *           3.2 % at move 50
 * choice    1 where the probabilities of the moves have an entropy of 1.5 nats and there are 30
 *           legal moves; e^0.33 times for each nat more, and the power 0.33 of the number of moves.
 *           A recapture takes 0.78 times as long, a move in check 1.84 times. A move that one
 *           person in twenty finds at most takes a third longer.
 * mood      log-normal around 1 with a standard deviation of 0.95 in the logarithm; the logarithms
 *           of two moves in a row are correlated by 0.46
 *
 * The only legal move is made after a reaction of 0.2 to 0.9 s, by the clock, around which the mood
 * is a third as wide.
 *
 * No time is longer than a quarter of the clock, so that the clock never runs out. Below two
 * seconds there is no thinking at all. The clock must be what is left after all that the way to the
 * server may cost.
 *
 * The numbers are measured: medians and a regression over 32,139 moves in 3+0, 5+0 and 10+0 of
 * Lichess's open database, October 2021. There one move in ten takes more than a tenth of the
 * clock. That people's times come in spells with a long tail: Sigman, Etchemendy, Fernandez Slezak,
 * Cecchi, "Response time distributions in rapid chess: a large-scale decision making experiment",
 * Frontiers in Neuroscience 4:60 (2010). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t left_ms, increment_ms; /* of our clock */
    int move;                      /* the number of the move, 1 is the game's first */
    int legal_moves;
    bool in_check;
    bool is_recapture;   /* the move takes what has just taken */
    double entropy;      /* of people's probabilities of the moves, in nats */
    double probability;  /* of the move itself */
    bool is_people_said; /* those two are known */
    uint64_t seed;       /* the game's: the same game has the same moods */
} PaceFacts;

/* Milliseconds from the opponent's move to ours; 0: at once. */
int64_t pace_think_ms(const PaceFacts *facts);
