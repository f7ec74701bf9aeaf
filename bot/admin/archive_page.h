/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_page.h - what browsers ask of the archive: finished games, as a list and one by one, and
 * statistics, as JSON. They are read and written on a thread of their own (archive_reader.h), so
 * that the loop has nothing to do but to send them. Each object begins with `account` and `url`:
 *
 *     /games.json   games [games_json.h], page, has_more
 *     /stats.json   tables [{ title, by, rows }], progress, times: stats_json.h; moves: of the
 *                   status
 *     /json/ID      game_json.h
 *
 * Where the archive can't be read, `sorry` says why. Loop thread only. */
#pragma once
#include "bot/archive/archive_reader.h"
#include "bot/ops/web_server.h"

#include <json-c/json.h>

enum { ARCHIVE_PAGE_ROWS = 50 /* of a list */ };

typedef enum {
    ARCHIVE_PAGE_GAMES,
    ARCHIVE_PAGE_STATS,
    ARCHIVE_PAGE_GAME,
    ARCHIVE_PAGE_PGN, /* the game of this name as a file */
} ArchivePageKind;

/* For a route, whose answer it returns; WEB_LATER where all is well. `account`: of ours, whose
 * games alone are shown, copied; NULL: all. Takes `site`: what the answer begins
 * with; NULL: there was no memory for it. Takes `known` as well: the game, for when the archive has
 * it not, or not yet; NULL: then there is none. */
WebStatus archive_page_ask(ArchiveReader *reader, ArchivePageKind kind, const char *account,
                           const WebQuery *query, struct json_object *site,
                           struct json_object *known);
