/* SPDX-License-Identifier: GPL-3.0-or-later */
/* perft_suite.h - walks over files of `FEN ;D1 n ;D2 n …`. */
#pragma once
#include "engine/core/ruleset.h"

typedef enum {
    PERFT_FAST,    /* perft() */
    PERFT_CAREFUL, /* every move is made, position_validate() before and after each */
} PerftCare;

/* Counts every line of `path`, by these rules, at each depth whose published count is at most
 * `most_leaves`, and fails the running test on the first difference. Returns the number of lines,
 * -1 when there is no such file. */
int perft_suite_run(const char *path, Ruleset ruleset, uint64_t most_leaves, PerftCare care);
