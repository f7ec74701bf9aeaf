/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_page.h - what browsers ask of the archive: finished games, as a list and one by one, and
 * statistics. Pages are read and written on a thread of the pool (archive_reader.h), so that the
 * loop has nothing to do but to send them. Loop thread only. */
#pragma once
#include "bot/archive/archive_reader.h"
#include "bot/ops/page.h"

#include <json-c/json.h>

typedef enum {
    ARCHIVE_PAGE_GAMES,     /* games_html.h */
    ARCHIVE_PAGE_STATS,     /* stats_html.h */
    ARCHIVE_PAGE_GAME,      /* the game of this name, as page_html.h has it */
    ARCHIVE_PAGE_GAME_JSON, /* … and as game_json.h has it */
} ArchivePageKind;

/* For a route, whose answer it returns; PAGE_LATER where all is well. `account`: of ours, whose
 * games alone are shown, copied; NULL: all. Takes `site`: account, url and moves of
 * status_report.h; NULL: there was no memory for it. Takes `known` as well: the game, for when the
 * archive has it not, or not yet; NULL: then there is none. */
PageStatus archive_page_ask(ArchiveReader *reader, ArchivePageKind kind, const char *account,
                            const PageQuery *query, struct json_object *site,
                            struct json_object *known);
