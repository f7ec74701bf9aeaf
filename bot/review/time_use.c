/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/time_use.h"

#include "engine/base/number.h"

#include <math.h>

enum { CLOCK_MOST_MS = 1 << 30 /* twelve days; a file may say anything */ };

static bool is_time(int64_t ms)
{
    return ms >= 0 && ms <= CLOCK_MOST_MS;
}

/* The one place that says what a move took. `before`, `after`: the mover's clock; `searched`: -1
 * where it was not our search or nothing is known of it. */
static MoveTime taken(int64_t before, int64_t increment, int64_t after, int64_t searched)
{
    MoveTime time = { .spent_ms = -1, .lag_ms = -1 };
    if (!is_time(before) || !is_time(increment) || !is_time(after))
        return time;
    if (before + increment >= after)
        time.spent_ms = before + increment - after;
    if (is_time(searched) && time.spent_ms >= searched)
        time.lag_ms = time.spent_ms - searched;
    return time;
}

int64_t move_clock_before_ms(const GameRecord *record, size_t index)
{
    if (record->time.kind != TIME_CLOCK)
        return -1;
    return index < 2 ? record->time.base_s * 1000 : record->moves[index - 2].clock_ms;
}

MoveTime move_time_of(const GameRecord *record, size_t index)
{
    const RecordMove *move = &record->moves[index];
    int64_t before = index < 2 ? -1 : move_clock_before_ms(record, index);
    return taken(before, record->time.increment_s * 1000, move->clock_ms,
                 move->has_choice ? move->time_ms : -1);
}

/* ---- sums ---- */

static void add_time(TimeSum *sum, int64_t ms)
{
    sum->moves++;
    sum->sum_ms += ms;
    sum->most_ms = ms > sum->most_ms ? ms : sum->most_ms;
}

static void add_move(TimeUse *use, TimeUseSide side, MoveTime time)
{
    if (time.spent_ms >= 0)
        add_time(&use->spent[side], time.spent_ms);
    if (side == TIME_USE_OURS && time.lag_ms >= 0)
        add_time(&use->lag, time.lag_ms);
}

/* Counts the game that has been added since `before`. */
static void end_game(TimeUse *use, const TimeUse *before, const TimeUseClock *clock)
{
    const TimeSum *now = &use->spent[TIME_USE_OURS], *then = &before->spent[TIME_USE_OURS];
    if (now->moves == then->moves)
        return;
    use->games++;
    use->share += (double)(now->sum_ms - then->sum_ms) /
                  ((double)clock->initial_ms +
                   (double)clock->increment_ms * (double)(now->moves - then->moves));
}

static bool is_clock(const TimeUseClock *clock)
{
    return is_time(clock->initial_ms) && is_time(clock->increment_ms) &&
           clock->initial_ms + clock->increment_ms > 0;
}

void time_use_add(TimeUse *use, TimeByMove *by_move, const GameRecord *record)
{
    const TimeUse before = *use;
    const TimeUseClock clock = { .initial_ms = record->time.base_s * 1000,
                                 .increment_ms = record->time.increment_s * 1000,
                                 .we_began = record_first_mover(record) == record->us };
    if (record->time.kind != TIME_CLOCK || record->us == COLOUR_NONE || !is_clock(&clock))
        return;
    for (size_t i = 0; i < record->count; i++) {
        TimeUseSide side = (i % 2 == 0) == clock.we_began ? TIME_USE_OURS : TIME_USE_THEIRS;
        MoveTime time = move_time_of(record, i);
        add_move(use, side, time);
        if (by_move && time.spent_ms >= 0 && i / 2 < TIME_USE_MOVES_MAX)
            add_time(&by_move->spent[side][i / 2], time.spent_ms);
    }
    end_game(use, &before, &clock);
}

/* The list's next word. */
static int64_t next_ms(Text *list)
{
    int64_t ms;
    Text word = text_next_word(list, " ");
    return number_parse(word.at, word.len, 0, CLOCK_MOST_MS, &ms, NULL) ? ms : -1;
}

void time_use_add_lists(TimeUse *use, const TimeUseClock *clock, Text clocks_ms, Text times_ms)
{
    const TimeUse before = *use;
    int64_t clocks[2] = { -1, -1 };
    if (!is_clock(clock))
        return;
    for (size_t i = 0; clocks_ms.len > 0; i++) {
        TimeUseSide side = (i % 2 == 0) == clock->we_began ? TIME_USE_OURS : TIME_USE_THEIRS;
        int64_t after = next_ms(&clocks_ms), searched = next_ms(&times_ms);
        add_move(use, side, taken(clocks[i % 2], clock->increment_ms, after, searched));
        clocks[i % 2] = after;
    }
    end_game(use, &before, clock);
}

double time_sum_mean_s(const TimeSum *sum)
{
    return sum->moves > 0 ? (double)sum->sum_ms / (double)sum->moves / 1000 : NAN;
}
