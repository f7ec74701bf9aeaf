/* SPDX-License-Identifier: GPL-3.0-or-later */
/* games_html.h - finished games as a list for a browser, the latest first: a form to choose with,
 * then a row for each with a link to its page. Pure. */
#pragma once
#include "bot/admin/archive_query.h"

#include <json-c/json.h>

enum { GAMES_HTML_ROWS = 50 /* on a page */ };

/* The three parts, in order. `site`: of page_html_begin(); `has_more`: there is a page behind this
 * one. False when `out` is full. */
bool games_html_begin(Buf *out, const struct json_object *site,
                      const ArchiveQuery *query) MUST_CHECK;
bool games_html_row(Buf *out, const GameRecord *record, int plies) MUST_CHECK;
bool games_html_end(Buf *out, const ArchiveQuery *query, bool has_more) MUST_CHECK;
