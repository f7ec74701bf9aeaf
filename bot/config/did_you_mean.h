/* SPDX-License-Identifier: GPL-3.0-or-later */
/* did_you_mean.h - "did you mean …?" */
#pragma once
#include <stddef.h>

/* Edits (insert, delete, replace, swap neighbours; letter case does not count) that make `a` into
 * `b`; texts beyond 63 bytes count as 64 apart.
 * After: the optimal string alignment distance. */
int edit_distance(const char *a, const char *b);

/* The candidate nearest to `word`, or NULL when none is near enough to be meant. */
const char *did_you_mean(const char *word, const char *const *candidates, size_t count);
