/* SPDX-License-Identifier: GPL-3.0-or-later */
/* state_table.h - a state machine's states: their names, and which may follow which. Each machine
 * has one table and one function that changes its state, which calls state_enter(). Pure: any
 * thread. */
#pragma once
#include <assert.h>
#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *const *names; /* by state, for the log */
    const uint32_t *next;     /* bit n of next[s]: state n may follow state s */
} StateTable;

/* Returns `to`, the state from now on. Where that may not follow `from`, a line on standard error
 * says so, and a debug build ends. A release build goes on: who wrote the table has overlooked a
 * way that games go, and ending would lose them where the next start goes it again. */
static inline unsigned state_enter(const StateTable *table, unsigned from, unsigned to)
{
    if (!(table->next[from] >> to & 1))
        fprintf(stderr, "castled: fault: %s follows %s, and no table knows of it\n",
                table->names[to], table->names[from]);
    assert(table->next[from] >> to & 1);
    return to;
}
