/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_query.h - which games of the archive a browser wants to see, read from what stands behind
 * "?" in the address: opponent, opening, against (human, bot), variant, speed, result (won, drawn,
 * lost), days (7, 30, 365), page. Pure. */
#pragma once
#include "bot/review/eco.h"
#include "bot/archive/store.h"

typedef struct {
    char opponent[RECORD_NAME_SIZE]; /* "": all */
    char opening[ECO_NAME_SIZE];     /* a family: "Sicilian Defense"; "": all */
    int kind, outcome;               /* as in StoreFilter; so the next: */
    Variant variant;
    Speed speed;
    int64_t days; /* ended within so many; 0: at any time */
    int64_t page; /* of the list, from 0 */
} ArchiveQuery;

enum { ARCHIVE_QUERY_PAGES_MAX = 1000000 };

/* Takes one argument: any bytes. What is not known or makes no sense changes nothing. */
void archive_query_take(ArchiveQuery *query, Text name, Text value);

/* All but the page. The filter lends the query's texts. */
StoreFilter archive_query_filter(const ArchiveQuery *query, int64_t now_unix_ms);
