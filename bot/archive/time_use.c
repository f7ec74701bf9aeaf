/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/time_use.h"

#include "engine/base/number.h"

enum { CLOCK_MOST_MS = 1 << 30 }; /* twelve days; Lichess's clocks are hours */

/* The list's next word; -1 where it says nothing. */
static int64_t next_ms(Text *list)
{
    int64_t ms;
    Text word = text_next_word(list, " ");
    return number_parse(word.at, word.len, 0, CLOCK_MOST_MS, &ms, NULL) ? ms : -1;
}

static bool is_clock(const TimeUseClock *clock)
{
    return clock->initial_ms >= 0 && clock->initial_ms <= CLOCK_MOST_MS &&
           clock->increment_ms >= 0 && clock->increment_ms <= CLOCK_MOST_MS &&
           clock->initial_ms + clock->increment_ms > 0;
}

void time_use_add(TimeUse *use, const TimeUseClock *clock, Text clocks_ms, Text times_ms)
{
    int64_t before = -1, moves = 0, spent_ms = 0;
    if (!is_clock(clock))
        return;
    for (int64_t ply = 0; clocks_ms.len > 0; ply++) {
        int64_t after = next_ms(&clocks_ms), searched = next_ms(&times_ms);
        if ((ply % 2 == 0) != clock->we_began)
            continue;
        int64_t spent = before >= 0 && after >= 0 ? before - after + clock->increment_ms : -1;
        before = after;
        if (spent < 0)
            continue;
        moves++;
        spent_ms += spent;
        if (searched >= 0 && spent >= searched) {
            use->lag_moves++;
            use->lag_ms += spent - searched;
        }
    }
    if (moves == 0)
        return;
    use->games++;
    use->moves += moves;
    use->spent_ms += spent_ms;
    use->share += (double)spent_ms /
                  ((double)clock->initial_ms + (double)clock->increment_ms * (double)moves);
}
