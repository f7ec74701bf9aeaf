/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_table.h - a state machine's states: their names, and which may follow which. Each machine
 * has one table and one function that changes its state, which calls state_enter(). Pure: any
 * thread. */
#pragma once
#include "engine/base/check.h"

#include <stdint.h>

typedef struct {
    const char *const *names; /* by state, for the log */
    const uint32_t *next;     /* bit n of next[s]: state n may follow state s */
} StateTable;

/* Returns `to`, the state from now on. Where that may not follow `from`, the process ends, also in
 * release builds: the next start resumes the games, while a machine astray might lose them. */
static inline unsigned state_enter(const StateTable *table, unsigned from, unsigned to)
{
    CHECK(table->next[from] >> to & 1);
    return to;
}
