/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/chain.h"

#include "bot/config/external_config.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chain Chain;
typedef struct ChainHandle ChainHandle;

/* A game's place at one of the sources. */
typedef struct {
    ChainHandle *chain_seat;
    SourceHandle *seat; /* NULL: there was no memory for one */
    bool is_asked;      /* and has not answered */
    uint32_t round;     /* the version under which it was asked: no two questions share one */
} Place;

struct ChainHandle {
    SourceHandle seat;
    SourceOnMove *on_move_found;
    void *user;
    uv_timer_t timer;
    Place places[CHAIN_LINKS_MAX];

    bool is_thinking;      /* an order is unanswered */
    size_t link;           /* asked now; the chain's count: nobody is left */
    uint32_t round;        /* the latest version under which somebody was asked */
    bool is_stopped_early; /* whoever is asked is to stop at once */
    bool is_stopping;      /* the link was told to stop: the timer waits for its answer */
    bool has_held;         /* an answer of the links' that waits for those asked aside */
    MoveChoice held;
    const Place *held_by;
    bool is_advised; /* the order is restricted to the moves of: */
    MoveChoice advice;
    const Place *advised_by;
    Move answered; /* last */
    MoveRequestCopy order;
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

static Chain *chain_of(const ChainHandle *seat)
{
    return (Chain *)seat->seat.source;
}

static void on_deadline(uv_timer_t *timer);

/* INT64_MAX: for ever. */
static void arm(ChainHandle *seat, int64_t wait_ms)
{
    if (wait_ms == INT64_MAX) {
        uv_timer_stop(&seat->timer);
        return;
    }
    uv_update_time(chain_of(seat)->loop); /* a timer counts from the loop's idea of now */
    uv_timer_start(&seat->timer, on_deadline, (uint64_t)wait_ms, 0);
}

static void put_question(ChainHandle *seat, Place *place)
{
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    order.version = place->round = ++seat->round;
    place->is_asked = true;
    source_search(place->seat, &order);
}

static bool waits_for_aside(const ChainHandle *seat)
{
    for (size_t i = 0; i < chain_of(seat)->count; i++)
        if (chain_of(seat)->links[i].is_aside && seat->places[i].is_asked)
            return true;
    return false;
}

/* A variant that our own engine does not know is played even by one that is not wanted for it: a
 * game that exists is played. */
static bool is_wanted(const ChainLink *link, const MoveRequest *order)
{
    if (link->is_aside && order->online.services.count == 0)
        return false;
    return !link->is_optional || !order->engines || !variant_is_chess(order->variant) ||
           external_is_named(order->engines, link->source->name);
}

/* The first from `link` on who can play this; the chain's count: nobody. */
static size_t next_link(const ChainHandle *seat, size_t link)
{
    const Chain *chain = chain_of(seat);
    const MoveRequest *order = &seat->order.order;
    while (link < chain->count &&
           !(seat->places[link].seat && is_wanted(&chain->links[link], order) &&
             source_plays(chain->links[link].source, order->variant)))
        link++;
    return link;
}

static bool is_last(const ChainHandle *seat)
{
    return next_link(seat, seat->link + 1) == chain_of(seat)->count;
}

static void tell_to_stop(ChainHandle *seat)
{
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    seat->is_stopping = true;
    source_stop(seat->places[seat->link].seat);
    arm(seat, is_last(seat) ? INT64_MAX : move_request_timeout(&order).stop_ms);
}

/* Asks the first from `link` on who can play this, and on the way those who are asked aside. With
 * nobody left the timer says so, since no answer comes from inside a call. */
static void ask(ChainHandle *seat, size_t link)
{
    const Chain *chain = chain_of(seat);
    while ((link = next_link(seat, link)) < chain->count && chain->links[link].is_aside) {
        if (!seat->is_stopped_early)
            put_question(seat, &seat->places[link]);
        link++;
    }
    seat->link = link;
    seat->is_stopping = false;
    if (seat->link == chain->count) {
        arm(seat, 0);
        return;
    }
    put_question(seat, &seat->places[link]);
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    if (seat->is_stopped_early)
        tell_to_stop(seat);
    else if (is_last(seat))
        arm(seat, INT64_MAX); /* the game itself sees to its clock */
    else
        arm(seat,
            smaller(move_request_timeout(&order).think_ms, chain->links[seat->link].patience_ms));
}

/* Those who were asked aside, and who was still thinking when one of them found the move. */
static void look_ahead(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    const Chain *chain = chain_of(seat);
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    order.limits.search_move_count = 0;
    for (size_t i = 0; i < chain->count; i++) {
        bool is_outrun = i == seat->link && by && chain->links[by - seat->places].is_aside;
        if (seat->places[i].seat && (chain->links[i].is_aside || is_outrun))
            source_ponder(seat->places[i].seat, &order, thought);
    }
}

/* Who is asked, and of those after `by` who may ponder, in vain, on an earlier answer. */
static void stop_the_others(ChainHandle *seat, const Place *by)
{
    bool is_later = false;
    for (size_t i = 0; i < chain_of(seat)->count; i++) {
        Place *place = &seat->places[i];
        if (place->seat && place != by && (place->is_asked || is_later))
            source_stop(place->seat);
        is_later = is_later || place == by;
        place->is_asked = false;
    }
}

/* `by`: who found it; NULL: nobody. */
static void answer(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    MoveChoice ours = *thought;
    ours.version = seat->order.order.version;
    ours.among = NULL;
    seat->is_thinking = seat->has_held = false;
    seat->answered = ours.move;
    uv_timer_stop(&seat->timer);
    stop_the_others(seat, by);
    seat->on_move_found(seat->user, &ours);
    if (!seat->is_thinking)
        look_ahead(seat, by, &ours);
}

static bool is_among(const SearchLimits *limits, Move move)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == move)
            return true;
    return false;
}

/* What the links came up with, unless it is worse than what they were advised of. */
static void conclude(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    MoveChoice best = *thought;
    if (seat->is_advised && !is_among(&seat->order.order.limits, thought->move)) {
        best = seat->advice;
        by = seat->advised_by;
    } else if (seat->is_advised) {
        best.tables = seat->advice.tables;
    }
    answer(seat, by, &best);
}

static void hold(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    seat->has_held = true;
    seat->held = *thought;
    seat->held_by = by;
    uv_timer_stop(&seat->timer);
}

/* An answer of the links': it goes out when nobody is asked aside any more. */
static void settle(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    if (seat->is_stopped_early || !waits_for_aside(seat))
        conclude(seat, by, thought);
    else
        hold(seat, by, thought);
}

static void answer_held(ChainHandle *seat)
{
    conclude(seat, seat->held_by, &seat->held);
}

/* Who thinks now begins anew with the good moves alone. Who has thought, has had the time for it.
 */
static void advise(ChainHandle *seat, const Place *by, const MoveChoice *thought)
{
    SearchLimits *limits = &seat->order.order.limits;
    MoveList legal;
    movegen_legal(seat->order.order.position, &legal);
    seat->is_advised = true;
    seat->advised_by = by;
    seat->advice = *thought;
    limits->search_move_count = thought->among->count;
    memcpy(limits->search_moves, thought->among->moves,
           (size_t)thought->among->count * sizeof *limits->search_moves);
    if (seat->has_held && !waits_for_aside(seat))
        answer_held(seat);
    else if (!seat->has_held && thought->among->count < legal.count)
        ask(seat, seat->link);
}

static void on_deadline(uv_timer_t *timer)
{
    ChainHandle *seat = timer->data;
    if (!seat->is_thinking) {
        stop_the_others(seat, NULL);
    } else if (seat->has_held) {
        answer_held(seat);
    } else if (seat->link == chain_of(seat)->count) {
        settle(seat, NULL, &(MoveChoice){ .move = MOVE_NONE });
    } else if (seat->is_stopping) {
        seat->places[seat->link].is_asked = false;
        ask(seat, seat->link + 1);
    } else {
        tell_to_stop(seat);
    }
}

/* From somebody who was passed over. It would ponder on a move that was not played. */
static void take_late_answer(ChainHandle *seat, Place *place, const MoveChoice *thought)
{
    if (seat->is_thinking || thought->move == MOVE_NONE || thought->move == seat->answered)
        return;
    place->is_asked = true; /* to be stopped, as soon as this call is over */
    arm(seat, 0);
}

static void on_move_found(void *user, const MoveChoice *thought)
{
    Place *place = user;
    ChainHandle *seat = place->chain_seat;
    size_t link = (size_t)(place - seat->places);
    if (!seat->is_thinking || !place->is_asked || thought->version != place->round) {
        take_late_answer(seat, place, thought);
        return;
    }
    place->is_asked = false;
    bool is_aside = chain_of(seat)->links[link].is_aside;
    if (is_aside && thought->among && !seat->is_stopped_early && !seat->is_stopping) {
        advise(seat, place, thought);
    } else if (is_aside && move_choice_has_move(thought)) {
        answer(seat, place, thought);
    } else if (is_aside) {
        if (seat->has_held && !waits_for_aside(seat))
            answer_held(seat);
    } else if (move_choice_has_move(thought)) {
        settle(seat, place, thought);
    } else {
        ask(seat, link + 1);
    }
}

static void on_timer_closed(uv_handle_t *handle);

static SourceHandle *chain_seat(Source *source, SourceOnMove *on_answer, void *user, Error *err)
{
    Chain *chain = (Chain *)source;
    ChainHandle *seat = calloc(1, sizeof *seat);
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
    seat->on_move_found = on_answer;
    seat->user = user;
    seat->timer.data = seat;
    chain->lingering++;
    for (size_t i = 0; i < chain->count; i++) {
        Place *place = &seat->places[i];
        bool is_last = i + 1 == chain->count;
        place->chain_seat = seat;
        place->seat =
            source_open(chain->links[i].source, on_move_found, place, is_last ? err : NULL);
    }
    if (seat->places[chain->count - 1].seat)
        return &seat->seat;
    source_release(&seat->seat);
    return NULL;
}

static void chain_think(SourceHandle *base, const MoveRequest *order)
{
    ChainHandle *seat = (ChainHandle *)base;
    bool was_asked[CHAIN_LINKS_MAX];
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++) {
        was_asked[i] = seat->places[i].is_asked;
        seat->places[i].is_asked = false;
    }
    move_request_keep(&seat->order, order, clock_now_ms());
    seat->is_stopped_early = seat->has_held = seat->is_advised = false;
    seat->is_thinking = true;
    ask(seat, 0);
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++)
        if (was_asked[i] && !seat->places[i].is_asked)
            source_stop(seat->places[i].seat); /* nobody wants its answer any more */
}

static void chain_stop(SourceHandle *base)
{
    ChainHandle *seat = (ChainHandle *)base;
    if (!seat->is_thinking)
        return;
    seat->is_stopped_early = true;
    if (seat->has_held)
        arm(seat, 0);
    else if (seat->link < chain_of(seat)->count && !seat->is_stopping)
        tell_to_stop(seat);
}

static void chain_leave(SourceHandle *base)
{
    ChainHandle *seat = (ChainHandle *)base;
    for (size_t i = 0; i < chain_of(seat)->count; i++) {
        source_release(seat->places[i].seat);
        seat->places[i].seat = NULL;
    }
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
    ChainHandle *seat = handle->data;
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
    assert(count >= 1 && count <= CHAIN_LINKS_MAX && !links[count - 1].is_aside);
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
