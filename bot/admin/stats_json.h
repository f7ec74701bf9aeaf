/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_json.h - our results by the archive as JSON, for `castled stats --json` and the page. What
 * is not known is left out of an object and null in a list. Any thread. */
#pragma once
#include "bot/archive/progress.h"
#include "bot/review/time_use.h"

#include <json-c/json.h>

/* A row: by, name, games, won, drawn, lost, score (0..1); opponents and performance; of some
 * tables book, time and losses. The caller drops the object; NULL without memory, as below. */
struct json_object *stats_json_row(StatsBy by, const StatsRow *row);

/* Over time:
 *
 *     begins_unix_s, step_s, count
 *     results { human, bot }         each { won [], drawn [], lost [] }
 *     ratings [{ name, rating [] }] */
struct json_object *stats_json_progress(const Progress *progress);

/* Where the clocks went:
 *
 *     games
 *     speeds [{ speed, games, ours_s, theirs_s, clock_share, lag_ms, lag_worst_ms }]
 *     by_move { ours [], theirs [] } mean seconds, from the second move on */
struct json_object *stats_json_times(const TimeUse times[SPEED_COUNT], const TimeByMove *by_move);

/* The mean time of a move, how much of its clock a game used, the mean lag of a move. */
typedef struct {
    double move_s, share, lag_ms;
} StatsTimeMeans;

StatsTimeMeans stats_time_means(const TimeUse *use);
