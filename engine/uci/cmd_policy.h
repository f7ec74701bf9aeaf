/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_policy.h - `castled-uci policy NETWORK [RATING]`: what a policy network makes of positions.
 * Reads a line for each from standard input, as it follows UCI's "position", and writes one: the
 * mover's chances to win, draw and lose, a tab, and MOVE:PROBABILITY of each legal move, likeliest
 * first. A line that is no position of chess gets "error: " and the reason. */
#pragma once

/* Arguments after the command's name; returns the exit status. */
int cmd_policy(int argc, char **argv);
