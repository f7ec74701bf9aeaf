/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_html.h - the pages that a browser is shown, whole: what they show is true when they are
 * made; web/page.js keeps it so, and without scripts a page is loaded again now and then. Nothing
 * comes from elsewhere. Pure. */
#pragma once
#include "engine/base/buf.h"

#include <json-c/json.h>

/* All games and the state. `status`: of status_report_make(). False when `out` is full. */
bool page_html_overview(const struct json_object *status, Buf *out) MUST_CHECK;

/* One game with its moves. `status` says whose daemon it is. */
bool page_html_game(const struct json_object *status, const struct json_object *game,
                    Buf *out) MUST_CHECK;

typedef enum {
    OVERLAY_ONE,    /* this game, and no other */
    OVERLAY_LATEST, /* then the next one */
} OverlayKind;

/* The board alone on a transparent ground, for streams. `game` may be NULL: there is none yet. */
bool page_html_overlay(const struct json_object *game, OverlayKind kind, Buf *out) MUST_CHECK;
