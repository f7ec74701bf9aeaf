/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - where a move can come from, as one interface.
 *
 * A game takes a seat at a source, orders one thought at a time and gets each answer from the loop,
 * never from inside a call. A new order replaces an unanswered one, which is then never answered.
 * An answer without a move is no error: who has nothing to say, says so at once.
 * Loop thread only; whatever threads a source has stay behind it. */
#pragma once
#include "bot/config/config.h"
#include "bot/source/move_choice.h"
#include "engine/base/error.h"
#include "engine/book/book.h"
#include "engine/search/engine.h"

typedef struct Source Source;
typedef struct SourceSeat SourceSeat;

typedef void SourceOnThought(void *user, const Thought *thought);

/* For this move. */
typedef struct {
    bool is_used;
    bool may_repeat; /* bring a position of the game back */
    bool learns;     /* weighs the book's moves by how our games with them ended */
    BookRules rules;
} BookOrder;

enum {
    ORDER_GAME_SIZE = 32,
    ORDER_FEN_SIZE = 192,
    ORDER_MOVES_SIZE = 4097, /* some 800 moves; the server ends games after 600 */
};

/* Pointers are lent for the call. */
typedef struct {
    uint32_t version; /* comes back in the Thought */
    const char *game; /* its id, for the log; NULL: none */
    Variant variant;
    Colour us;                /* who is to move */
    const Position *position; /* NULL in variants that our rules don't know: text must do there */
    const char *fen;          /* where `moves` begin; NULL: where the variant's games do */
    Text moves;               /* as the server writes them, castling in either notation */
    const char *engines; /* the optional ones that may be asked, see external_config.h; NULL: all */
    bool is_refused;     /* the server did not take the move last found for this list */
    SearchLimits limits;
    int64_t overhead_ms; /* that the move's way may cost at worst; gone from the limits already */
    BookOrder book;
    OnlineSettings online; /* `player` is filled in; "": an opponent without a name */
    bool ponder;           /* may think on while the opponent does */
    bool gives_way;        /* to orders that do not, as far as cores are concerned */
} SourceOrder;

/* An order that outlives the call. Not to be copied by `=`: it points into itself. */
typedef struct {
    SourceOrder order;
    Position position;
    char game[ORDER_GAME_SIZE];
    char engines[CONFIG_TEXT_SIZE];
    char fen[ORDER_FEN_SIZE];
    char moves[ORDER_MOVES_SIZE];
    int64_t since_ms;
} OrderCopy;

/* `now_ms`: clock_now_ms()'s time. */
void order_keep(OrderCopy *copy, const SourceOrder *order, int64_t now_ms);

/* The order as it is by now: what has passed is gone from its clock. Lent. */
SourceOrder order_by_now(const OrderCopy *copy, int64_t now_ms);

/* How long a source may think about an order when others are to have a try after it, and how long
 * it then may take to stop: together they leave the larger part of the clock. think_ms is INT64_MAX
 * where nothing limits it. Pure. */
typedef struct {
    int64_t think_ms, stop_ms;
} OrderPatience;

OrderPatience order_patience(const SourceOrder *order);

/* What a source implements. A concrete source and its seats begin with these. */
typedef struct {
    SourceSeat *(*seat)(Source *source, SourceOnThought *on_thought, void *user, Error *err);
    void (*think)(SourceSeat *seat, const SourceOrder *order);
    void (*stop)(SourceSeat *seat);
    /* May be NULL. */
    void (*look_ahead)(SourceSeat *seat, const SourceOrder *order, const Thought *played);
    void (*leave)(SourceSeat *seat);
    void (*close)(Source *source, void (*on_closed)(void *user), void *user);
} SourceKind;

struct Source {
    const SourceKind *kind;
    const char *name;  /* for the operator; lives as long as the source */
    uint32_t variants; /* that it can play: bit n stands for variant n. It is ordered no others */
};

struct SourceSeat {
    Source *source;
};

static inline bool source_plays(const Source *source, Variant variant)
{
    return source->variants >> variant & 1;
}

/* A place for one game. NULL and an Error without memory or threads. */
static inline SourceSeat *source_seat(Source *source, SourceOnThought *on_thought, void *user,
                                      Error *err)
{
    return source->kind->seat(source, on_thought, user, err);
}

/* Starts to think, as soon as an earlier thought has stopped. */
static inline void seat_think(SourceSeat *seat, const SourceOrder *order)
{
    seat->source->kind->think(seat, order);
}

/* The current thought is to end now; its answer comes all the same, with the best so far. */
static inline void seat_stop(SourceSeat *seat)
{
    seat->source->kind->stop(seat);
}

/* On this order that was played, whoever else found it: time to look ahead. Nothing is answered,
 * nor is the order any more. */
static inline void seat_look_ahead(SourceSeat *seat, const SourceOrder *order,
                                   const Thought *played)
{
    if (seat->source->kind->look_ahead)
        seat->source->kind->look_ahead(seat, order, played);
}

/* Gives the seat back; nothing more comes from it. NULL is fine. */
static inline void seat_leave(SourceSeat *seat)
{
    if (seat)
        seat->source->kind->leave(seat);
}

/* All seats must have been left. `on_closed` comes from the loop when the memory has gone. */
static inline void source_close(Source *source, void (*on_closed)(void *user), void *user)
{
    source->kind->close(source, on_closed, user);
}
