/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/move_times.h"

#include <math.h>

enum { CLOCK_MOST_MS = 1 << 30 /* twelve days; a file may say anything */ };

static void add(TimeSum *sum, int64_t ms)
{
    sum->moves++;
    sum->sum_ms += ms;
    sum->most_ms = ms > sum->most_ms ? ms : sum->most_ms;
}

static bool is_clock(int64_t ms)
{
    return ms >= 0 && ms <= CLOCK_MOST_MS;
}

static void add_move(MoveTimes *use, const GameRecord *record, size_t index, MoveTimesSide side)
{
    const RecordMove *move = &record->moves[index], *before = &record->moves[index - 2];
    if (!is_clock(move->clock_ms) || !is_clock(before->clock_ms))
        return;
    int64_t ms = before->clock_ms + record->increment_ms - move->clock_ms;
    if (!is_clock(ms))
        return; /* time was given */
    if (index / 2 < MOVE_TIMES_MAX)
        add(&use->by_move[side][index / 2], ms);
    add(&use->by_speed[side][record->speed], ms);
    if (side == MOVE_TIMES_OURS && move->has_choice && is_clock(move->time_ms))
        add(&use->lag[record->speed], ms > move->time_ms ? ms - move->time_ms : 0);
}

void move_times_add(MoveTimes *use, const GameRecord *record)
{
    if (!record->has_clock || record->us == COLOUR_NONE || !is_clock(record->increment_ms))
        return;
    bool we_begin = record_first_mover(record) == record->us;
    use->games++;
    use->games_of[record->speed]++;
    for (size_t i = 2; i < record->count; i++)
        add_move(use, record, i, (i % 2 == 0) == we_begin ? MOVE_TIMES_OURS : MOVE_TIMES_THEIRS);
}

double move_times_mean_s(const TimeSum *sum)
{
    return sum->moves > 0 ? (double)sum->sum_ms / (double)sum->moves / 1000 : NAN;
}
