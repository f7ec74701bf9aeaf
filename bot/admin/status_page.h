/* SPDX-License-Identifier: GPL-3.0-or-later */
/* status_page.h - the daemon for browsers and for Prometheus, where [status] http says. It shows
 * and does nothing. Loop thread only.
 *
 *     /                      all games and the state
 *     /games, /stats         finished games and statistics, of the archive; archive_query.h reads
 *                            their arguments
 *     /game/ID, /json/ID     one game with its moves, as a page and as game_json.h has it; also
 *                            out of the archive
 *     /card/ID, /bare/ID     its card on the first page and on an overlay, for page.js
 *     /overlay/ID            its board alone; /overlay/latest: of the game that began last
 *     /events                live_feed.h
 *     /metrics, /status.json metrics.h, and what `castled status --json` says
 */
#pragma once
#include "bot/admin/status_report.h"

typedef struct StatusPage StatusPage;

/* A place that can't be used is logged, and the daemon does without; so is one that others can
 * reach. NULL in *out where it is off. False only without memory. */
bool status_page_new(StatusPage **out, const StatusView *view, Error *err) MUST_CHECK;

/* NULL is fine. */
void status_page_close(StatusPage *page);
