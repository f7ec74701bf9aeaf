/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pace.h - how long a human would think about a move. Pure.
 *
 * Humans spread some forty decisions over their clock (1). Their times have a long tail, differ by
 * the stage of the game, and go in spells: a slow move is likely to follow a slow one (1). The more
 * there is to choose from, the longer it takes, by its logarithm (2). So
 *
 *     time = typical x stage x choice x mood
 *
 * typical   a 45th of the clock and half of the increment
 * stage     a quarter in the first moves, growing to 1.5 at move 20, falling to 1 at move 40 and
 *           0.8 at move 60
 * choice    1 with 30 legal moves, by their logarithm; a tenth more for each capture, up to five; a
 *           third more in check
 * mood      log-normal around 1 with a standard deviation of 0.6 in the logarithm; the logarithms
 *           of two moves in a row are correlated by 0.48
 *
 * What takes no thought is done after a reaction: the only legal move, and a recapture. That is
 * 0.2 to 0.9 s, by the clock, around which the mood is half as wide.
 *
 * No time is longer than a twelfth of the clock and half of the increment, nor than a quarter of
 * the clock, so that the clock never runs out. Below two seconds there is no thinking at all. The
 * clock must be what is left after all that the way to the server may cost.
 *
 * (1) is where the tail, the stages, the spells and the forty moves come from; there an opponent's
 * slow moves are catching too, which is left out. The numbers are ours: in 3+0 they make a third of
 * the clock go in the first twenty moves, and most of the rest by move 60.
 *
 * (1) Sigman, Etchemendy, Fernandez Slezak, Cecchi, "Response time distributions in rapid chess: a
 *     large-scale decision making experiment", Frontiers in Neuroscience 4:60 (2010).
 * (2) Hick, "On the rate of gain of information", Quarterly Journal of Experimental Psychology 4
 *     (1952). */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t left_ms, increment_ms; /* of our clock */
    int move;                      /* the number of the move, 1 is the game's first */
    int legal_moves, captures;     /* to choose from; captures are among the legal moves */
    bool in_check;
    bool is_recapture; /* the move takes what has just taken */
    uint64_t seed;     /* the game's: the same game has the same moods */
} PaceFacts;

/* Milliseconds from the opponent's move to ours; 0: at once. */
int64_t pace_think_ms(const PaceFacts *facts);
