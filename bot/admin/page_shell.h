/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_shell.h - the document that a browser is given at every address of the page: style, scripts
 * and pieces, but no word of what it shows. web/page.js draws that from JSON. Without scripts a
 * sentence says so and leads to the JSON. Pure. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/text.h"

/* What is shown; web/page.js and web/page.css know it by the kind's name. */
typedef enum {
    PAGE_KIND_OVERVIEW,
    PAGE_KIND_GAME,
    PAGE_KIND_OVERLAY,
    PAGE_KIND_LATEST, /* an overlay that goes from game to game */
    PAGE_KIND_GAMES,
    PAGE_KIND_STATS,
    PAGE_KIND_COUNT,
} PageKind;

/* `id`: of the game, letters and digits; empty where the kind is not of one. False when `out` is
 * full. */
bool page_shell_write(Buf *out, PageKind kind, Text id) MUST_CHECK;
