/* SPDX-License-Identifier: GPL-3.0-or-later */
/* day_count.h - how much of a day's budget is spent: games against bots, credits for challenges.
 * Lichess's days are windows that begin with the first event counted. So what was spent within the
 * last 24 hours counts, by whole hours, rounded up. The budget is paced: in no hour more than its
 * part of the day, so that the evening keeps its part. Pure; Unix milliseconds come in; kept as
 * text across restarts. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DAY_COUNT_HOURS = 25, DAY_COUNT_TEXT = 400 };

typedef struct {
    int64_t hour[DAY_COUNT_HOURS]; /* since 1970; a ring by its remainder */
    int spent[DAY_COUNT_HOURS];
} DayCount;

void day_count_init(DayCount *count);
void day_count_add(DayCount *count, int amount, int64_t now_ms);

/* Adds all that `more` counted. */
void day_count_merge(DayCount *count, const DayCount *more);

int day_count_today(const DayCount *count, int64_t now_ms);
int day_count_this_hour(const DayCount *count, int64_t now_ms);

/* May `amount` more be spent of `day_budget`? */
bool day_count_allows(const DayCount *count, int amount, int day_budget, int64_t now_ms);

/* "493210:5,493211:2". Reading leaves out what it can't read: a wrong count is no reason to stop.
 */
void day_count_write(const DayCount *count, int64_t now_ms, char out[DAY_COUNT_TEXT]);
void day_count_read(DayCount *count, const char *text);
