/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_page.h - the daemon for browsers and for Prometheus, where [status] http says. It shows
 * and does nothing. Loop thread only.
 *
 *     /                      all games and the state, drawn from /status.json
 *     /games, /stats         finished games and statistics, from /games.json and /stats.json, whose
 *                            arguments archive_query.h reads: see archive_page.h
 *     /game/ID               one game with its moves, from /json/ID
 *     /overlay/ID            its board alone; /overlay/latest: of the game that began last
 *     /pgn/ID                a finished game as a file
 *     /events                live_feed.h
 *     /metrics, /status.json metrics.h, and what `castled status --json` says
 *     /js/NAME, /page.css    web/
 */
#pragma once
#include "bot/admin/status_json.h"

typedef struct StatusPage StatusPage;

/* A place that can't be used is logged, and the daemon does without; so is one that others can
 * reach. NULL in *out where it is off. False only without memory. */
bool status_page_new(StatusPage **out, const StatusView *view, Error *err) MUST_CHECK;

/* NULL is fine. */
void status_page_close(StatusPage *page);
