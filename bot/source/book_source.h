/* SPDX-License-Identifier: GPL-3.0-or-later */
/* book_source.h - opening books as a source of moves: asked in order, the first that has one for
 * the position answers at once. Each request says whether and how. */
#pragma once
#include "bot/ops/log.h"
#include "bot/source/books.h"
#include "bot/source/source.h"
#include "engine/book/book_stats.h"

#include <uv.h>

typedef struct {
    Books *books;
    const BookStats
        *book_stats; /* for the requests that ask for them; lent until the source has closed */
    uint64_t seed;   /* for the choice among moves */
    Log *log;        /* for books that can't be read any more */
} BookSourceOptions;

/* The books are the source's from now on; on failure (no memory) they are still the caller's. Which
 * of them count for a game, its requests say. */
bool book_source_new(Source **out, uv_loop_t *loop, const BookSourceOptions *options,
                     Error *err) MUST_CHECK;
