/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/book_source.h"

#include "engine/core/outcome.h"
#include "engine/base/alloc.h"

#include <assert.h>
#include <stdlib.h>

typedef struct BookHandle {
    SourceHandle base;
    int moves;         /* given in this game */
    uint32_t last_ply; /* of the last of them; asked for it again, it counts once */
    bool has_answer;   /* in `choice`, and the handle is in the list of those */
    MoveChoice choice;
    struct BookHandle *next;
} BookHandle;

typedef struct {
    Source source;
    BookSourceOptions options;
    uv_async_t wake;
    BookHandle *answered; /* first come, first served */
} BookSource;

static void take_out(BookSource *source, BookHandle *handle)
{
    BookHandle **at = &source->answered;
    while (*at != handle)
        at = &(*at)->next;
    *at = handle->next;
    handle->has_answer = false;
}

static void book_source_on_wake(uv_async_t *wake)
{
    BookSource *source = wake->data;
    BookHandle *handle;
    while ((handle = source->answered)) {
        take_out(source, handle);
        handle->base.on_move_found(handle->base.user, &handle->choice);
    }
}

/* Leaves out what would bring a position of the game back. */
static void drop_repetitions(const Position *position, BookMoves *moves)
{
    int kept = 0;
    for (int i = 0; i < moves->count; i++) {
        Position after = *position;
        Undo undo;
        position_make(&after, moves->moves[i].move, &undo);
        if (position_repetitions(&after) == 0)
            moves->moves[kept++] = moves->moves[i];
    }
    moves->count = kept;
}

/* Within the plies and the moves of a game that the request allows. */
static bool may_give(const BookHandle *handle, const MoveRequest *request)
{
    const BookRequest *book = &request->book;
    uint32_t ply = request->position->ply;
    bool is_again = handle->moves > 0 && handle->last_ply == ply;
    return book->is_used && (book->rules.max_plies == 0 || (int)ply < book->rules.max_plies) &&
           (book->max_moves == 0 || handle->moves - is_again < book->max_moves);
}

static void count_move(BookHandle *handle, const MoveRequest *request)
{
    uint32_t ply = request->position->ply;
    handle->moves += handle->moves == 0 || handle->last_ply != ply;
    handle->last_ply = ply;
}

static Move find_move(BookSource *source, const MoveRequest *request)
{
    const BookRules *rules = &request->book.rules;
    BookName name;
    for (Text rest = text_of(request->book.files); book_name_next(&rest, &name);) {
        BookMoves moves;
        Error err = { 0 };
        const Book *book = name.variants >> request->variant & 1
                               ? books_get(source->options.books, name.path)
                               : NULL;
        if (!book)
            continue;
        if (!book_find(book, request->position, &moves, &err))
            log_warning(source->options.log, "book", "unreadable", FIELDS(F("why", err.text)));
        if (!request->book.may_repeat)
            drop_repetitions(request->position, &moves);
        if (request->book.learns)
            book_stats_weigh(source->options.book_stats, request->position->key, &moves);
        Move move = book_choose(&moves, rules, &source->options.seed);
        if (move != MOVE_NONE)
            return move;
    }
    return MOVE_NONE;
}

static SourceHandle *book_source_handle_new(Source *base, Error *err)
{
    (void)base;
    BookHandle *handle = alloc_zeroed(sizeof *handle, "a game's place at the book", err);
    if (!handle)
        return NULL;
    return &handle->base;
}

static void book_source_search(SourceHandle *base, const MoveRequest *request)
{
    BookHandle *handle = (BookHandle *)base;
    BookSource *source = (BookSource *)base->source;
    handle->choice = (MoveChoice){ .version = request->version };
    if (may_give(handle, request))
        handle->choice.move = find_move(source, request);
    if (handle->choice.move != MOVE_NONE) {
        count_move(handle, request);
        handle->choice.is_book = true;
        handle->choice.source = source->source.name;
    }
    if (handle->has_answer)
        return;
    BookHandle **at = &source->answered;
    while (*at)
        at = &(*at)->next;
    *at = handle;
    handle->next = NULL;
    handle->has_answer = true;
    uv_async_send(&source->wake);
}

static void book_source_stop(SourceHandle *base)
{
    (void)base; /* the answer is on its way anyhow */
}

static void book_source_handle_free(SourceHandle *base)
{
    BookHandle *handle = (BookHandle *)base;
    if (handle->has_answer)
        take_out((BookSource *)base->source, handle);
    free(handle);
}

static void book_source_on_books_closed(void *user)
{
    BookSource *source = user;
    source_free(&source->source);
}

static void book_source_on_wake_closed(uv_handle_t *handle)
{
    BookSource *source = handle->data;
    books_close(source->options.books, book_source_on_books_closed, source);
}

static void book_source_close(Source *base)
{
    BookSource *source = (BookSource *)base;
    assert(!source->answered);
    uv_close((uv_handle_t *)&source->wake, book_source_on_wake_closed);
}

static const SourceKind book_source_kind = {
    .handle_new = book_source_handle_new,
    .search = book_source_search,
    .stop = book_source_stop,
    .handle_free = book_source_handle_free,
    .close = book_source_close,
};

bool book_source_new(Source **out, uv_loop_t *loop, const BookSourceOptions *options, Error *err)
{
    BookSource *source = alloc_zeroed(sizeof *source, "the books", err);
    if (!source)
        return false;
    source->source =
        (Source){ .kind = &book_source_kind, .name = "book", .variants = VARIANTS_ALL };
    source->options = *options;
    int failure = uv_async_init(loop, &source->wake, book_source_on_wake);
    if (failure) {
        error_set(err, ERR_IO, "event loop: %s", uv_strerror(failure));
        free(source);
        return false;
    }
    source->wake.data = source;
    *out = &source->source;
    return true;
}
