/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_html.h - the pages that a browser is shown, whole: what they show is true when they are
 * made. Where games are being played, web/page.js keeps it so, and without scripts a page is loaded
 * again now and then. Nothing comes from elsewhere. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

/* What a page shows; web/page.js and web/page.css know it by the kind's name. */
typedef enum {
    PAGE_KIND_OVERVIEW,
    PAGE_KIND_GAME,
    PAGE_KIND_OVERLAY,
    PAGE_KIND_GAMES, /* a list of finished ones; games_html.h */
    PAGE_KIND_STATS, /* stats_html.h */
    PAGE_KIND_COUNT,
} PageKind;

/* What a page that other modules make begins and ends with. `site`: account and url say whose
 * daemon it is. False when `out` is full. */
bool page_html_begin(Buf *out, const struct json_object *site, const char *title,
                     PageKind kind) MUST_CHECK;
bool page_html_end(Buf *out) MUST_CHECK;

/* In place of such a page: `why` there is none. */
bool page_html_sorry(Buf *out, const struct json_object *site, PageKind kind,
                     const char *why) MUST_CHECK;

/* All games and the state. `status`: of status_report_make(). False when `out` is full. */
bool page_html_overview(const struct json_object *status, Buf *out) MUST_CHECK;

/* One game with its moves; one that is over is not kept up to date. `site`: as above. */
bool page_html_game(const struct json_object *site, const struct json_object *game,
                    Buf *out) MUST_CHECK;

typedef enum {
    OVERLAY_ONE,    /* this game, and no other */
    OVERLAY_LATEST, /* then the next one */
} OverlayKind;

/* The board alone on a transparent ground, for streams. `game` may be NULL: there is none yet. */
bool page_html_overlay(const struct json_object *game, OverlayKind kind, Buf *out) MUST_CHECK;
