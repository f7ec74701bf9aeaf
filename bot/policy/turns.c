/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/turns.h"

enum { SOON_MS = 3600 * 1000, LONG_MS = 3600 * 1000, SHORT_MS = 600 * 1000 };

bool turn_can_wait(const SlowTurn *turn)
{
    return turn->left_ms > SOON_MS && turn->waited_ms < LONG_MS;
}

bool turn_gives_way(const SlowTurn *turn, bool cores_are_needed)
{
    return cores_are_needed && turn->left_ms > SHORT_MS;
}

static bool is_before(const SlowTurn *a, const SlowTurn *b)
{
    return a->left_ms != b->left_ms ? a->left_ms < b->left_ms : a->waited_ms > b->waited_ms;
}

int turns_next(const SlowTurn *turns, int count, bool cores_are_needed)
{
    int next = -1;
    for (int i = 0; i < count; i++) {
        if (cores_are_needed && turn_can_wait(&turns[i]))
            continue;
        if (next < 0 || is_before(&turns[i], &turns[next]))
            next = i;
    }
    return next;
}
