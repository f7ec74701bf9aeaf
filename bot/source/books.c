/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/books.h"

#include "bot/config/config.h"
#include "engine/base/alloc.h"
#include "bot/model/words.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { RETRY_MS = 60000 };

typedef struct {
    char path[CONFIG_TEXT_SIZE];
    Book *book;       /* NULL: not open */
    int64_t tried_ms; /* 0: never */
} Entry;

struct Books {
    uv_loop_t *loop;
    Log *log;
    Entry *entries[BOOKS_MAX];
    size_t count;
    bool is_full; /* said once */

    uv_work_t job; /* opens `opening`, one at a time */
    Entry *opening;
    Book *opened;
    Error failure;

    uv_handle_t *closing;
    void (*on_closed)(void *user);
    void *user;
    uv_async_t turn; /* brings on_closed from the loop */
};

static void books_on_turn(uv_async_t *turn)
{
    (void)turn; /* only its closing matters */
}

bool books_new(Books **out, uv_loop_t *loop, Log *log, Error *err)
{
    Books *books = alloc_zeroed(sizeof *books, "the books", err);
    if (!books)
        return false;
    int failure = uv_async_init(loop, &books->turn, books_on_turn);
    if (failure) {
        error_set(err, ERR_IO, "event loop: %s", uv_strerror(failure));
        free(books);
        return false;
    }
    uv_unref((uv_handle_t *)&books->turn);
    books->turn.data = books;
    books->loop = loop;
    books->log = log;
    *out = books;
    return true;
}

/* The entry of a path; NULL: there is no room for another. */
static Entry *entry_of(Books *books, const char *path)
{
    Entry *entry;
    for (size_t i = 0; i < books->count; i++)
        if (strcmp(books->entries[i]->path, path) == 0)
            return books->entries[i];
    if (books->count == BOOKS_MAX || !(entry = alloc_zeroed(sizeof *entry, "a book", NULL))) {
        if (!books->is_full)
            log_error(books->log, "book", "no-book",
                      FIELDS(F("file", path), F("why", "too many books")));
        books->is_full = true;
        return NULL;
    }
    (void)text_copy(entry->path, sizeof entry->path, text_of(path));
    return books->entries[books->count++] = entry;
}

static void take(Books *books, Entry *entry, Book *book, const Error *err)
{
    bool is_first = entry->tried_ms == 0;
    entry->tried_ms = clock_now_ms();
    entry->book = book;
    if (book)
        log_info(books->log, "book", "book",
                 FIELDS(F("file", entry->path), F("entries", book_entries(book))));
    else if (is_first)
        log_error(books->log, "book", "no-book",
                  FIELDS(F("file", entry->path), F("why", err->text)));
}

static void open_named(Books *books, const char *files)
{
    BookName name;
    for (Text rest = text_of(files); book_name_next(&rest, &name);) {
        Entry *entry = entry_of(books, name.path);
        if (!entry || entry->tried_ms > 0)
            continue;
        Book *book = NULL;
        Error err = { 0 };
        take(books, entry, book_open(&book, entry->path, &err) ? book : NULL, &err);
    }
}

void books_open(Books *books, const Config *config)
{
    const char *files;
    for (size_t i = 0; (files = config_text_named(config, "book", "files", i)); i++)
        open_named(books, files);
}

/* ---- later ones ---- */

static void free_all(Books *books)
{
    for (size_t i = 0; i < books->count; i++) {
        book_free(books->entries[i]->book);
        free(books->entries[i]);
    }
    free(books);
}

static void books_on_turn_closed(uv_handle_t *handle)
{
    Books *books = handle->data;
    void (*on_closed)(void *user) = books->on_closed;
    void *user = books->user;
    free_all(books);
    if (on_closed)
        on_closed(user);
}

static void open_on_pool(uv_work_t *job)
{
    Books *books = job->data;
    if (!book_open(&books->opened, books->opening->path, &books->failure))
        books->opened = NULL;
}

static void books_on_opened(uv_work_t *job, int status)
{
    Books *books = job->data;
    (void)status; /* nobody cancels it */
    take(books, books->opening, books->opened, &books->failure);
    books->opening = NULL;
    if (books->closing)
        uv_close(books->closing, books_on_turn_closed);
}

static void open_later(Books *books, Entry *entry)
{
    books->opening = entry;
    books->opened = NULL;
    books->failure = (Error){ 0 };
    books->job.data = books;
    if (uv_queue_work(books->loop, &books->job, open_on_pool, books_on_opened))
        books->opening = NULL;
}

const Book *books_get(Books *books, const char *path)
{
    Entry *entry = entry_of(books, path);
    if (!entry || entry->book)
        return entry ? entry->book : NULL;
    bool is_due = entry->tried_ms == 0 || clock_now_ms() - entry->tried_ms >= RETRY_MS;
    if (is_due && !books->opening && !books->closing)
        open_later(books, entry);
    return NULL;
}

void books_close(Books *books, void (*on_closed)(void *user), void *user)
{
    assert(!books->closing);
    books->on_closed = on_closed;
    books->user = user;
    books->closing = (uv_handle_t *)&books->turn;
    if (!books->opening)
        uv_close(books->closing, books_on_turn_closed);
}

/* ---- names ---- */

bool book_name_next(Text *rest, BookName *name)
{
    char path[CONFIG_TEXT_SIZE];
    if (!config_next_path(rest, path))
        return false;
    const char *equals = strchr(path, '=');
    Variant variant =
        equals ? variant_of((Text){ path, (size_t)(equals - path) }) : VARIANT_UNKNOWN;
    bool is_for_one = variant != VARIANT_UNKNOWN;
    name->variants = is_for_one ? 1U << variant : (uint32_t)VARIANTS_OF_CHESS;
    (void)text_copy(name->path, sizeof name->path, text_of(is_for_one ? equals + 1 : path));
    return true;
}
