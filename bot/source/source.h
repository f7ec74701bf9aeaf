/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - where a move can come from, as one interface.
 *
 * A game has a handle at a source. It requests one move at a time and gets each answer from the
 * loop, never from inside a call. A new request replaces an unanswered one, which is then never
 * answered. An answer without a move is no error: a source that has none says so at once. Loop
 * thread only; a source hides its threads. */
#pragma once
#include "bot/config/settings.h"
#include "bot/model/move_choice.h"
#include "bot/source/uci_opponent.h"
#include "engine/base/error.h"
#include "engine/book/book.h"
#include "engine/search/engine.h"

typedef struct Source Source;
typedef struct SourceHandle SourceHandle;

typedef void SourceOnMove(void *user, const MoveChoice *choice);

/* For this move. */
typedef struct {
    bool is_used;
    bool may_repeat;   /* bring a position of the game back */
    const char *files; /* as [book] files has them; lent for the call */
    int max_moves;     /* most book moves of a game; 0: no limit */
    bool learns;       /* weighs the book's moves by how our games with them ended */
    BookRules rules;
} BookRequest;

enum {
    MOVE_REQUEST_GAME_SIZE = 32,
    MOVE_REQUEST_FEN_SIZE = 192,
    MOVE_REQUEST_MOVES_SIZE = 4097, /* some 800 moves; the server ends games after 600 */
};

/* Pointers are lent for the call. A source does without those that may be NULL. */
typedef struct {
    uint32_t version; /* comes back in the MoveChoice */
    const char *game; /* its id, for the log; NULL: none */
    Variant variant;
    Colour us; /* the side to move */
    const Position *position;
    const char *fen;     /* where `moves` begin; NULL: where the variant's games do */
    Text moves;          /* as the server writes them, castling in either notation */
    const char *engines; /* the optional ones that may be asked, see external_config.h; NULL: all */
    const char *opponent; /* as uci_opponent.h writes it; NULL: not known */
    const char *human;    /* for limits.human: the file of the network; NULL: none */
    SearchLimits limits;
    int64_t overhead_ms; /* that the move's way may cost at worst; gone from the limits already */
    BookRequest book;
    LocalTables tables;    /* what an external engine gets of local endgame tables */
    OnlineSettings online; /* `player` is filled in; "": an opponent without a name */
    bool ponder;           /* may search on the opponent's time */
} MoveRequest;

/* A request that outlives the call. Not to be copied by `=`: it points into itself. */
typedef struct {
    MoveRequest request;
    Position position;
    char game[MOVE_REQUEST_GAME_SIZE];
    char engines[CONFIG_TEXT_SIZE];
    char opponent[UCI_OPPONENT_SIZE];
    char human[CONFIG_TEXT_SIZE];
    char books[CONFIG_TEXT_SIZE];
    char fen[MOVE_REQUEST_FEN_SIZE];
    char moves[MOVE_REQUEST_MOVES_SIZE];
    int64_t since_ms;
} MoveRequestCopy;

/* `now_ms`: clock_now_ms()'s time. */
void move_request_copy(MoveRequestCopy *copy, const MoveRequest *request, int64_t now_ms);

/* The request with the time that has passed taken off its clock. Lent. */
MoveRequest move_request_with_time_elapsed(const MoveRequestCopy *copy, int64_t now_ms);

/* How long a source may search when others can be asked after it, and how long it may then take to
 * stop: together they leave the larger part of the clock. search_ms is INT64_MAX where nothing
 * limits it. Pure. */
typedef struct {
    int64_t search_ms, stop_ms;
} MoveRequestTimeout;

MoveRequestTimeout move_request_timeout(const MoveRequest *request);

/* What an engine that is not ours has done to a game. */
typedef struct {
    int strikes;        /* crashes, hangs and illegal moves */
    const char *engine; /* whose, see external_version.h; lent by the handle; NULL: nobody's */
} SourceFaults;

/* What a source implements. A concrete source and its handles begin with these. */
typedef struct {
    SourceHandle *(*handle_new)(Source *source, Error *err);
    void (*search)(SourceHandle *handle, const MoveRequest *request);
    void (*stop)(SourceHandle *handle);
    /* May be NULL. */
    void (*ponder)(SourceHandle *handle, const MoveRequest *request, const MoveChoice *played);
    bool (*progress)(SourceHandle *handle, MoveChoice *out);              /* may be NULL too, */
    void (*lost_on_time)(SourceHandle *handle);                           /* and so may this, */
    void (*add_faults)(const SourceHandle *handle, SourceFaults *faults); /* and this */
    void (*handle_free)(SourceHandle *handle);
    void (*configure)(Source *source, const Config *config); /* may be NULL */
    void (*close)(Source *source); /* ends with source_free() from the loop */
} SourceKind;

struct Source {
    const SourceKind *kind;
    const char *name;  /* for the operator; lives as long as the source */
    uint32_t variants; /* that it can play, bit n: variant n; it gets requests for no others */
    void (*on_closed)(void *user);
    void *on_closed_user;
};

/* source_handle_new() fills it in. */
struct SourceHandle {
    Source *source;
    SourceOnMove *on_move_found;
    void *user;
};

static inline bool source_plays(const Source *source, Variant variant)
{
    return source->variants >> variant & 1;
}

/* For one game. NULL and an Error without memory or threads. */
static inline SourceHandle *source_handle_new(Source *source, SourceOnMove *on_move_found,
                                              void *user, Error *err)
{
    SourceHandle *handle = source->kind->handle_new(source, err);
    if (handle)
        *handle = (SourceHandle){ source, on_move_found, user };
    return handle;
}

/* Starts to search, as soon as an earlier search has stopped. */
static inline void source_search(SourceHandle *handle, const MoveRequest *request)
{
    handle->source->kind->search(handle, request);
}

/* The search is to end now; its answer still comes, with the best move so far. */
static inline void source_stop(SourceHandle *handle)
{
    handle->source->kind->stop(handle);
}

/* This move was played for the request, found by another source perhaps: the source may ponder. It
 * answers nothing any more. */
static inline void source_ponder(SourceHandle *handle, const MoveRequest *request,
                                 const MoveChoice *played)
{
    if (handle->source->kind->ponder)
        handle->source->kind->ponder(handle, request, played);
}

/* The running search's best move so far, for the page and `watch`. Does not disturb the search.
 * False, *out untouched: no search runs, or it has no move yet. */
static inline bool source_progress(SourceHandle *handle, MoveChoice *out)
{
    return handle->source->kind->progress && handle->source->kind->progress(handle, out);
}

/* The game was lost on the clock: who had the latest request says what is known about it. */
static inline void source_lost_on_time(SourceHandle *handle)
{
    if (handle && handle->source->kind->lost_on_time)
        handle->source->kind->lost_on_time(handle);
}

/* Adds those of this handle. NULL is fine. */
static inline void source_add_faults(const SourceHandle *handle, SourceFaults *faults)
{
    if (handle && handle->source->kind->add_faults)
        handle->source->kind->add_faults(handle, faults);
}

/* Nothing more comes from it. NULL is fine. */
static inline void source_handle_free(SourceHandle *handle)
{
    if (handle)
        handle->source->kind->handle_free(handle);
}

/* The configuration was read anew, and holds for games that begin from now on. Lent. */
static inline void source_configure(Source *source, const Config *config)
{
    if (source->kind->configure)
        source->kind->configure(source, config);
}

/* All handles must have been freed. `on_closed` comes from the loop when the memory has gone. */
static inline void source_close(Source *source, void (*on_closed)(void *user), void *user)
{
    source->on_closed = on_closed;
    source->on_closed_user = user;
    source->kind->close(source);
}

/* The last step of SourceKind.close: frees the memory, and then calls on_closed. */
void source_free(Source *source);
