/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_html.h - our results for a browser: against humans and bots, over time, ratings, openings,
 * time used, lag. Its parts, in order; each adds nothing where there is nothing to show. False when
 * `out` is full. Pure. */
#pragma once
#include "bot/admin/archive_query.h"
#include "bot/archive/progress.h"
#include "bot/archive/time_use.h"

#include <json-c/json.h>

/* `site`: of page_html_begin(). */
bool stats_html_begin(Buf *out, const struct json_object *site,
                      const ArchiveQuery *query) MUST_CHECK;

/* A table of results: its head, a row for each group, its end. */
bool stats_html_table(Buf *out, const char *title, const char *group) MUST_CHECK;
bool stats_html_row(Buf *out, const StatsRow *row) MUST_CHECK;
bool stats_html_table_end(Buf *out) MUST_CHECK;

/* Each is a few charts. */
bool stats_html_progress(Buf *out, const Progress *progress) MUST_CHECK;
bool stats_html_times(Buf *out, const TimeUse times[SPEED_COUNT],
                      const TimeByMove *by_move) MUST_CHECK;

/* `moves`: of the status. */
bool stats_html_echo(Buf *out, const struct json_object *moves) MUST_CHECK;

bool stats_html_end(Buf *out) MUST_CHECK;
