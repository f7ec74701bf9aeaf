/* SPDX-License-Identifier: GPL-3.0-or-later */
/* books.h - the opening books that the configuration names, each opened once for all games. Loop
 * thread only. */
#pragma once
#include "bot/config/settings.h"
#include "bot/ops/log.h"
#include "engine/book/book.h"

#include <uv.h>

enum { BOOKS_MAX = 64 };

typedef struct Books Books;

/* None yet. `log` is lent until the books have closed. False: no memory. */
bool books_new(Books **out, uv_loop_t *loop, Log *log, Error *err) MUST_CHECK;

/* Opens all that `config` names, by itself or in a rule, and waits for the disk: for the start.
 * Those that can't be read are logged, and tried again after a minute when a game asks for them. */
void books_open(Books *books, const Config *config);

/* The book in a file. NULL: it can't be read, or it is not open yet. The first request opens it in
 * the background, for later ones: a reload may name books that the start did not know. */
const Book *books_get(Books *books, const char *path);

/* The memory goes once nothing reads a file any more; then comes `on_closed`, from the loop. */
void books_close(Books *books, void (*on_closed)(void *user), void *user);

/* An entry of [book] files: a path, and the variants that it is for. */
typedef struct {
    char path[CONFIG_TEXT_SIZE];
    uint32_t variants; /* bit n: variant n */
} BookName;

/* Cuts the next entry off the text; false at its end. "atomic=PATH" is for atomic, a path alone for
 * chess from each of its initial positions. */
bool book_name_next(Text *rest, BookName *name) MUST_CHECK;
