/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live_feed.h - what changes in the games, as server-sent events for all who look on.
 *
 *     event: games   data: [ids]       at the beginning: the games that are being played
 *     event: game    data: game_json.h a game as it is now, and after each change; of its moves
 *                                      those that were made since the event before, at the
 *                                      beginning none
 *     event: state   data: {}          status_json_state(), every few seconds
 *
 * Games are looked at a few times a second while somebody follows, and never else. What only the
 * search has found is told once a second. After: "Server-sent events", HTML Living Standard.
 * Loop thread only. */
#pragma once
#include "bot/admin/status_json.h"
#include "bot/ops/web_server.h"

typedef struct LiveFeed LiveFeed;

enum { LIVE_FEED_LOOK_MS = 250, LIVE_FEED_SEARCH_MS = 1000, LIVE_FEED_STATE_MS = 5000 };

/* `page` and what `view` lends outlive the feed. */
bool live_feed_new(LiveFeed **out, WebServer *server, const StatusView *view,
                   Error *err) MUST_CHECK;

/* For a new viewer: writes the beginning, and looks at the games from now on. False when `out` is
 * full, or without memory. */
bool live_feed_begin(LiveFeed *feed, Buf *out) MUST_CHECK;

/* NULL is fine. */
void live_feed_close(LiveFeed *feed);
