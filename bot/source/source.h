/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source.h - where a move can come from, as one interface.
 *
 * A game takes a seat at a source, orders one thought at a time and gets each answer from the loop,
 * never from inside a call. A new order replaces an unanswered one, which is then never answered.
 * An answer without a move is no error: who has nothing to say, says so at once.
 * Loop thread only; whatever threads a source has stay behind it. */
#pragma once
#include "bot/lichess/words.h"
#include "bot/source/thought.h"
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
    BookRules rules;
} BookOrder;

typedef struct {
    uint32_t version; /* comes back in the Thought */
    Variant variant;
    Colour us;                /* who is to move */
    const Position *position; /* lent for the call */
    SearchLimits limits;
    int64_t overhead_ms; /* to keep back from the clock for the move's way to the server */
    BookOrder book;
    bool ponder; /* may think on while the opponent does */
} SourceOrder;

/* What a source implements. A concrete source and its seats begin with these. */
typedef struct {
    SourceSeat *(*seat)(Source *source, SourceOnThought *on_thought, void *user, Error *err);
    void (*think)(SourceSeat *seat, const SourceOrder *order);
    void (*stop)(SourceSeat *seat);
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
