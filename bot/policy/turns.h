/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turns.h - which of the games without a clock is to be played now: the one with the nearest
 * deadline, but while games with a clock need the cores only one that can't wait. Pure. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t left_ms;   /* to the deadline of our move; INT64_MAX: none */
    int64_t waited_ms; /* since it has been our turn */
} SlowTurn;

/* Neither is its deadline near, nor has it waited for long. */
bool turn_can_wait(const SlowTurn *turn);

/* Once it is played all the same: whether games with a clock get the cores first. Not so when it
 * has but minutes left. */
bool turn_gives_way(const SlowTurn *turn, bool cores_are_needed);

/* The index of the next one; -1: none is to be played now. Of equal ones who waited longer. */
int turns_next(const SlowTurn *turns, int count, bool cores_are_needed);
