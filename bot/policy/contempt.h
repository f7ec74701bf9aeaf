/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contempt.h - how much less a draw is worth to us against a weaker opponent: what our engine's
 * search is told for a game, in centipawns. Pure.
 *
 * It grows with the difference of the ratings, up to a cap. Against an equal or stronger opponent,
 * or where a rating is unknown, it is 0: there a draw is no loss, and misjudged positions would be
 * played on that should be held. engine/RESULTS.md has the match that it was chosen by. */
#pragma once

enum { CONTEMPT_CAP_CP = 20, CONTEMPT_CAP_DIFFERENCE = 200 };

/* Lichess's ratings; 0: unknown. */
int contempt_cp(int our_rating, int their_rating);
