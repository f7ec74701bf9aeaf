/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/chain.h"

#include "bot/config/external_config.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>

typedef struct Chain Chain;
typedef struct ChainSeat ChainSeat;

/* A game's place at one of the sources. */
typedef struct {
    ChainSeat *chain_seat;
    SourceSeat *seat; /* NULL: there was no memory for one */
} Place;

struct ChainSeat {
    SourceSeat seat;
    SourceOnThought *on_thought;
    void *user;
    uv_timer_t timer;
    Place places[CHAIN_LINKS_MAX];

    bool is_thinking; /* an order is unanswered */
    size_t link;      /* asked now; the chain's count: nobody is left */
    uint32_t round;   /* the version under which the link was asked: no two questions share one */
    bool is_hurried;  /* whoever is asked is to stop at once */
    bool is_stopping; /* the link was told to stop: the timer waits for its answer */
    OrderCopy order;
};

struct Chain {
    Source source;
    uv_loop_t *loop;
    size_t count;
    ChainLink links[CHAIN_LINKS_MAX];
    int lingering; /* seats whose timer has not closed */
    size_t open;   /* sources that have not closed */
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static Chain *chain_of(const ChainSeat *seat)
{
    return (Chain *)seat->seat.source;
}

static void on_deadline(uv_timer_t *timer);

/* INT64_MAX: for ever. */
static void arm(ChainSeat *seat, int64_t wait_ms)
{
    if (wait_ms == INT64_MAX) {
        uv_timer_stop(&seat->timer);
        return;
    }
    uv_update_time(chain_of(seat)->loop); /* a timer counts from the loop's idea of now */
    uv_timer_start(&seat->timer, on_deadline, (uint64_t)wait_ms, 0);
}

static SourceOrder order_now(const ChainSeat *seat)
{
    SourceOrder order = order_by_now(&seat->order, clock_now_ms());
    order.version = seat->round;
    return order;
}

/* A variant that our own engine does not know is played even by one that is not wanted for it: a
 * game that exists is played. */
static bool is_wanted(const ChainLink *link, const SourceOrder *order)
{
    return !link->is_optional || !order->engines || !variant_is_chess(order->variant) ||
           external_is_named(order->engines, link->source->name);
}

/* The first from `link` on who can play this; the chain's count: nobody. */
static size_t next_link(const ChainSeat *seat, size_t link)
{
    const Chain *chain = chain_of(seat);
    const SourceOrder *order = &seat->order.order;
    while (link < chain->count &&
           !(seat->places[link].seat && is_wanted(&chain->links[link], order) &&
             source_plays(chain->links[link].source, order->variant)))
        link++;
    return link;
}

static bool is_last(const ChainSeat *seat)
{
    return next_link(seat, seat->link + 1) == chain_of(seat)->count;
}

static void tell_to_stop(ChainSeat *seat)
{
    SourceOrder order = order_now(seat);
    seat->is_stopping = true;
    seat_stop(seat->places[seat->link].seat);
    arm(seat, is_last(seat) ? INT64_MAX : order_patience(&order).stop_ms);
}

/* Asks the first from `link` on who can play this. With nobody left the timer says so, since no
 * answer comes from inside a call. */
static void ask(ChainSeat *seat, size_t link)
{
    const Chain *chain = chain_of(seat);
    seat->link = next_link(seat, link);
    seat->round++;
    seat->is_stopping = false;
    if (seat->link == chain->count) {
        arm(seat, 0);
        return;
    }
    SourceOrder order = order_now(seat);
    seat_think(seat->places[seat->link].seat, &order);
    if (seat->is_hurried)
        tell_to_stop(seat);
    else if (is_last(seat))
        arm(seat, INT64_MAX); /* the game itself sees to its clock */
    else
        arm(seat, smaller(order_patience(&order).think_ms, chain->links[seat->link].patience_ms));
}

static void answer(ChainSeat *seat, const Thought *thought)
{
    Thought ours = *thought;
    ours.version = seat->order.order.version;
    seat->is_thinking = false;
    uv_timer_stop(&seat->timer);
    seat->on_thought(seat->user, &ours);
}

static void on_deadline(uv_timer_t *timer)
{
    ChainSeat *seat = timer->data;
    if (seat->link == chain_of(seat)->count) {
        answer(seat, &(Thought){ .move = MOVE_NONE });
        return;
    }
    if (seat->is_stopping)
        ask(seat, seat->link + 1);
    else
        tell_to_stop(seat);
}

/* Who ponders on an answer of their own to an earlier order, does so in vain. */
static void stop_later_ones(ChainSeat *seat)
{
    for (size_t i = seat->link + 1; i < chain_of(seat)->count; i++) {
        if (seat->places[i].seat)
            seat_stop(seat->places[i].seat);
    }
}

static void on_thought(void *user, const Thought *thought)
{
    Place *place = user;
    ChainSeat *seat = place->chain_seat;
    if (!seat->is_thinking || thought->version != seat->round)
        return; /* from somebody who was passed over */
    if (thought_has_move(thought)) {
        stop_later_ones(seat);
        answer(seat, thought);
    } else {
        ask(seat, seat->link + 1);
    }
}

static void on_timer_closed(uv_handle_t *handle);

static SourceSeat *chain_seat(Source *source, SourceOnThought *on_answer, void *user, Error *err)
{
    Chain *chain = (Chain *)source;
    ChainSeat *seat = calloc(1, sizeof *seat);
    if (!seat) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the engines");
        return NULL;
    }
    int failure = uv_timer_init(chain->loop, &seat->timer);
    if (failure) {
        error_set(err, ERR_IO, "timer: %s", uv_strerror(failure));
        free(seat);
        return NULL;
    }
    seat->seat.source = source;
    seat->on_thought = on_answer;
    seat->user = user;
    seat->timer.data = seat;
    chain->lingering++;
    for (size_t i = 0; i < chain->count; i++) {
        Place *place = &seat->places[i];
        bool is_last = i + 1 == chain->count;
        place->chain_seat = seat;
        place->seat = source_seat(chain->links[i].source, on_thought, place, is_last ? err : NULL);
    }
    if (seat->places[chain->count - 1].seat)
        return &seat->seat;
    seat_leave(&seat->seat);
    return NULL;
}

static void chain_think(SourceSeat *base, const SourceOrder *order)
{
    ChainSeat *seat = (ChainSeat *)base;
    size_t asked = seat->is_thinking ? seat->link : chain_of(seat)->count;
    order_keep(&seat->order, order, clock_now_ms());
    seat->is_hurried = false;
    seat->is_thinking = true;
    ask(seat, 0);
    if (asked != seat->link && asked < chain_of(seat)->count)
        seat_stop(seat->places[asked].seat); /* nobody wants its answer any more */
}

static void chain_stop(SourceSeat *base)
{
    ChainSeat *seat = (ChainSeat *)base;
    if (!seat->is_thinking)
        return;
    seat->is_hurried = true;
    if (seat->link < chain_of(seat)->count && !seat->is_stopping)
        tell_to_stop(seat);
}

static void chain_leave(SourceSeat *base)
{
    ChainSeat *seat = (ChainSeat *)base;
    for (size_t i = 0; i < chain_of(seat)->count; i++)
        seat_leave(seat->places[i].seat);
    seat->is_thinking = false;
    uv_close((uv_handle_t *)&seat->timer, on_timer_closed);
}

static void free_if_closed(Chain *chain)
{
    if (!chain->is_closing || chain->open > 0 || chain->lingering > 0)
        return;
    void (*on_closed)(void *) = chain->on_closed;
    void *user = chain->on_closed_user;
    free(chain);
    if (on_closed)
        on_closed(user);
}

static void on_timer_closed(uv_handle_t *handle)
{
    ChainSeat *seat = handle->data;
    Chain *chain = chain_of(seat);
    free(seat);
    chain->lingering--;
    free_if_closed(chain);
}

static void on_link_closed(void *user)
{
    Chain *chain = user;
    chain->open--;
    free_if_closed(chain);
}

static void chain_close(Source *source, void (*on_closed)(void *user), void *user)
{
    Chain *chain = (Chain *)source;
    chain->is_closing = true;
    chain->on_closed = on_closed;
    chain->on_closed_user = user;
    for (size_t i = chain->count; i-- > 0;)
        source_close(chain->links[i].source, on_link_closed, chain);
}

static const SourceKind chain_kind = {
    .seat = chain_seat,
    .think = chain_think,
    .stop = chain_stop,
    .leave = chain_leave,
    .close = chain_close,
};

bool chain_new(Source **out, uv_loop_t *loop, const ChainLink *links, size_t count, Error *err)
{
    assert(count >= 1 && count <= CHAIN_LINKS_MAX);
    Chain *chain = calloc(1, sizeof *chain);
    if (!chain) {
        error_set(err, ERR_MEMORY, "no memory for the chain of engines");
        return false;
    }
    chain->source.kind = &chain_kind;
    chain->source.name = "chain";
    chain->loop = loop;
    chain->count = count;
    chain->open = count;
    for (size_t i = 0; i < count; i++) {
        chain->links[i] = links[i];
        chain->source.variants |= links[i].source->variants;
    }
    *out = &chain->source;
    return true;
}
