/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perft_suite.h - walks over files of `FEN ;D1 n ;D2 n …`. */
#pragma once
#include <stdint.h>

/* Counts every line of `path` at each depth whose published count is at most `most_leaves`, and
 * fails the running test on the first difference. Returns the number of lines, -1 when there is no
 * such file. Each line is a game of its own: nothing carries over. */
int perft_suite_run(const char *path, uint64_t most_leaves);
