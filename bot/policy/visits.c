/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/visits.h"

#include <string.h>

void visits_init(Visits *visits)
{
    memset(visits, 0, sizeof *visits);
}

void visits_note(Visits *visits, Text id, int64_t now_ms)
{
    if (id.len == 0 || id.len >= USER_ID_SIZE)
        return;
    Visit *visit = &visits->visits[visits->next];
    *visit = (Visit){ .at_ms = now_ms };
    memcpy(visit->id, id.at, id.len);
    visits->next = (visits->next + 1) % VISITS_MAX;
    if (visits->count < VISITS_MAX)
        visits->count++;
}

int visits_count(const Visits *visits, Text id, int64_t window_ms, int64_t now_ms)
{
    int count = 0;
    for (int i = 0; i < visits->count; i++) {
        const Visit *visit = &visits->visits[i];
        count += now_ms - visit->at_ms < window_ms && text_is(id, visit->id);
    }
    return count;
}
