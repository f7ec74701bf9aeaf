/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/chain.h"

#include "bot/config/external_config.h"
#include "bot/ops/timer.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chain Chain;
typedef struct ChainHandle ChainHandle;

/* A game's place at one of the sources. */
typedef struct {
    ChainHandle *owner;
    SourceHandle *handle; /* NULL: there was no memory for one */
    bool is_asked;        /* and has not answered */
    uint32_t round;       /* the version under which it was asked: no two questions share one */
} Place;

struct ChainHandle {
    SourceHandle base;
    SourceOnMove *on_move_found;
    void *user;
    uv_timer_t timer;
    Place places[CHAIN_LINKS_MAX];

    bool is_searching;     /* an order is unanswered */
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
    MoveRequestCopy request;
};

struct Chain {
    Source source;
    uv_loop_t *loop;
    size_t count;
    ChainLink links[CHAIN_LINKS_MAX];
    int open_handles; /* seats whose timer has not closed */
    size_t open;      /* sources that have not closed */
    bool is_closing;
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static Chain *chain_of(const ChainHandle *handle)
{
    return (Chain *)handle->base.source;
}

static void on_deadline(uv_timer_t *timer);

/* INT64_MAX: for ever. */
static void arm(ChainHandle *handle, int64_t wait_ms)
{
    bool is_endless = wait_ms == INT64_MAX;
    timer_set(&handle->timer, on_deadline, is_endless ? INT64_MAX : clock_now_ms() + wait_ms);
}

static void put_question(ChainHandle *handle, Place *place)
{
    MoveRequest request = move_request_by_now(&handle->request, clock_now_ms());
    request.version = place->round = ++handle->round;
    place->is_asked = true;
    source_search(place->handle, &request);
}

static bool waits_for_parallel(const ChainHandle *handle)
{
    for (size_t i = 0; i < chain_of(handle)->count; i++)
        if (chain_of(handle)->links[i].is_parallel && handle->places[i].is_asked)
            return true;
    return false;
}

/* A variant that our own engine does not know is played even by one that is not wanted for it: a
 * game that exists is played. */
static bool is_wanted(const ChainLink *link, const MoveRequest *request)
{
    if (link->is_parallel && request->online.services.count == 0)
        return false;
    return !link->is_optional || !request->engines || !variant_is_chess(request->variant) ||
           external_is_named(request->engines, link->source->name);
}

/* The first from `link` on who can play this; the chain's count: nobody. */
static size_t next_link(const ChainHandle *handle, size_t link)
{
    const Chain *chain = chain_of(handle);
    const MoveRequest *request = &handle->request.request;
    while (link < chain->count &&
           !(handle->places[link].handle && is_wanted(&chain->links[link], request) &&
             source_plays(chain->links[link].source, request->variant)))
        link++;
    return link;
}

static bool is_last(const ChainHandle *handle)
{
    return next_link(handle, handle->link + 1) == chain_of(handle)->count;
}

static void tell_to_stop(ChainHandle *handle)
{
    MoveRequest request = move_request_by_now(&handle->request, clock_now_ms());
    handle->is_stopping = true;
    source_stop(handle->places[handle->link].handle);
    arm(handle, is_last(handle) ? INT64_MAX : move_request_timeout(&request).stop_ms);
}

/* Asks the first from `link` on who can play this, and on the way those who are asked aside. With
 * nobody left the timer says so, since no answer comes from inside a call. */
static void ask(ChainHandle *handle, size_t link)
{
    const Chain *chain = chain_of(handle);
    while ((link = next_link(handle, link)) < chain->count && chain->links[link].is_parallel) {
        if (!handle->is_stopped_early)
            put_question(handle, &handle->places[link]);
        link++;
    }
    handle->link = link;
    handle->is_stopping = false;
    if (handle->link == chain->count) {
        arm(handle, 0);
        return;
    }
    put_question(handle, &handle->places[link]);
    MoveRequest request = move_request_by_now(&handle->request, clock_now_ms());
    if (handle->is_stopped_early)
        tell_to_stop(handle);
    else if (is_last(handle))
        arm(handle, INT64_MAX); /* the game itself sees to its clock */
    else
        arm(handle, int64_min(move_request_timeout(&request).search_ms,
                              chain->links[handle->link].timeout_ms));
}

/* Those who were asked aside, and who was still thinking when one of them found the move. */
static void ponder(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    const Chain *chain = chain_of(handle);
    MoveRequest request = move_request_by_now(&handle->request, clock_now_ms());
    request.limits.search_move_count = 0;
    for (size_t i = 0; i < chain->count; i++) {
        bool is_outrun = i == handle->link && by && chain->links[by - handle->places].is_parallel;
        if (handle->places[i].handle && (chain->links[i].is_parallel || is_outrun))
            source_ponder(handle->places[i].handle, &request, choice);
    }
}

/* Who is asked, and of those after `by` who may ponder, in vain, on an earlier answer. */
static void stop_the_others(ChainHandle *handle, const Place *by)
{
    bool is_later = false;
    for (size_t i = 0; i < chain_of(handle)->count; i++) {
        Place *place = &handle->places[i];
        if (place->handle && place != by && (place->is_asked || is_later))
            source_stop(place->handle);
        is_later = is_later || place == by;
        place->is_asked = false;
    }
}

/* `by`: who found it; NULL: nobody. */
static void answer(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    MoveChoice ours = *choice;
    ours.version = handle->request.request.version;
    ours.candidates = NULL;
    handle->is_searching = handle->has_held = false;
    handle->answered = ours.move;
    uv_timer_stop(&handle->timer);
    stop_the_others(handle, by);
    handle->on_move_found(handle->user, &ours);
    if (!handle->is_searching)
        ponder(handle, by, &ours);
}

static bool is_among(const SearchLimits *limits, Move move)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == move)
            return true;
    return false;
}

/* What the links came up with, unless it is worse than what they were advised of. */
static void conclude(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    MoveChoice best = *choice;
    if (handle->is_advised && !is_among(&handle->request.request.limits, choice->move)) {
        best = handle->advice;
        by = handle->advised_by;
    } else if (handle->is_advised) {
        best.tablebase_verdict = handle->advice.tablebase_verdict;
    }
    answer(handle, by, &best);
}

static void hold(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    handle->has_held = true;
    handle->held = *choice;
    handle->held_by = by;
    uv_timer_stop(&handle->timer);
}

/* An answer of the links': it goes out when nobody is asked aside any more. */
static void settle(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    if (handle->is_stopped_early || !waits_for_parallel(handle))
        conclude(handle, by, choice);
    else
        hold(handle, by, choice);
}

static void answer_held(ChainHandle *handle)
{
    conclude(handle, handle->held_by, &handle->held);
}

/* Who thinks now begins anew with the good moves alone. Who has thought, has had the time for it.
 */
static void advise(ChainHandle *handle, const Place *by, const MoveChoice *choice)
{
    SearchLimits *limits = &handle->request.request.limits;
    MoveList legal;
    movegen_legal(handle->request.request.position, &legal);
    handle->is_advised = true;
    handle->advised_by = by;
    handle->advice = *choice;
    limits->search_move_count = choice->candidates->count;
    memcpy(limits->search_moves, choice->candidates->moves,
           (size_t)choice->candidates->count * sizeof *limits->search_moves);
    if (handle->has_held && !waits_for_parallel(handle))
        answer_held(handle);
    else if (!handle->has_held && choice->candidates->count < legal.count)
        ask(handle, handle->link);
}

static void on_deadline(uv_timer_t *timer)
{
    ChainHandle *handle = timer->data;
    if (!handle->is_searching) {
        stop_the_others(handle, NULL);
    } else if (handle->has_held) {
        answer_held(handle);
    } else if (handle->link == chain_of(handle)->count) {
        settle(handle, NULL, &(MoveChoice){ .move = MOVE_NONE });
    } else if (handle->is_stopping) {
        handle->places[handle->link].is_asked = false;
        ask(handle, handle->link + 1);
    } else {
        tell_to_stop(handle);
    }
}

/* From somebody who was passed over. It would ponder on a move that was not played. */
static void take_late_answer(ChainHandle *handle, Place *place, const MoveChoice *choice)
{
    if (handle->is_searching || choice->move == MOVE_NONE || choice->move == handle->answered)
        return;
    place->is_asked = true; /* to be stopped, as soon as this call is over */
    arm(handle, 0);
}

static void on_move_found(void *user, const MoveChoice *choice)
{
    Place *place = user;
    ChainHandle *handle = place->owner;
    size_t link = (size_t)(place - handle->places);
    if (!handle->is_searching || !place->is_asked || choice->version != place->round) {
        take_late_answer(handle, place, choice);
        return;
    }
    place->is_asked = false;
    bool is_parallel = chain_of(handle)->links[link].is_parallel;
    if (is_parallel && choice->candidates && !handle->is_stopped_early && !handle->is_stopping) {
        advise(handle, place, choice);
    } else if (is_parallel && move_choice_has_move(choice)) {
        answer(handle, place, choice);
    } else if (is_parallel) {
        if (handle->has_held && !waits_for_parallel(handle))
            answer_held(handle);
    } else if (move_choice_has_move(choice)) {
        settle(handle, place, choice);
    } else {
        ask(handle, link + 1);
    }
}

static void on_timer_closed(uv_handle_t *timer);

static SourceHandle *chain_handle_new(Source *source, SourceOnMove *on_answer, void *user,
                                      Error *err)
{
    Chain *chain = (Chain *)source;
    ChainHandle *handle = calloc(1, sizeof *handle);
    if (!handle) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the engines");
        return NULL;
    }
    int failure = uv_timer_init(chain->loop, &handle->timer);
    if (failure) {
        error_set(err, ERR_IO, "timer: %s", uv_strerror(failure));
        free(handle);
        return NULL;
    }
    handle->base.source = source;
    handle->on_move_found = on_answer;
    handle->user = user;
    handle->timer.data = handle;
    chain->open_handles++;
    for (size_t i = 0; i < chain->count; i++) {
        Place *place = &handle->places[i];
        bool is_last = i + 1 == chain->count;
        place->owner = handle;
        place->handle =
            source_handle_new(chain->links[i].source, on_move_found, place, is_last ? err : NULL);
    }
    if (handle->places[chain->count - 1].handle)
        return &handle->base;
    source_handle_free(&handle->base);
    return NULL;
}

static void chain_search(SourceHandle *base, const MoveRequest *request)
{
    ChainHandle *handle = (ChainHandle *)base;
    bool was_asked[CHAIN_LINKS_MAX];
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++) {
        was_asked[i] = handle->places[i].is_asked;
        handle->places[i].is_asked = false;
    }
    move_request_copy(&handle->request, request, clock_now_ms());
    handle->is_stopped_early = handle->has_held = handle->is_advised = false;
    handle->is_searching = true;
    ask(handle, 0);
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++)
        if (was_asked[i] && !handle->places[i].is_asked)
            source_stop(handle->places[i].handle); /* nobody wants its answer any more */
}

static void chain_stop(SourceHandle *base)
{
    ChainHandle *handle = (ChainHandle *)base;
    if (!handle->is_searching)
        return;
    handle->is_stopped_early = true;
    if (handle->has_held)
        arm(handle, 0);
    else if (handle->link < chain_of(handle)->count && !handle->is_stopping)
        tell_to_stop(handle);
}

static void chain_handle_free(SourceHandle *base)
{
    ChainHandle *handle = (ChainHandle *)base;
    for (size_t i = 0; i < chain_of(handle)->count; i++) {
        source_handle_free(handle->places[i].handle);
        handle->places[i].handle = NULL;
    }
    handle->is_searching = false;
    uv_close((uv_handle_t *)&handle->timer, on_timer_closed);
}

static void free_if_closed(Chain *chain)
{
    if (!chain->is_closing || chain->open > 0 || chain->open_handles > 0)
        return;
    void (*on_closed)(void *) = chain->on_closed;
    void *user = chain->on_closed_user;
    free(chain);
    if (on_closed)
        on_closed(user);
}

static void on_timer_closed(uv_handle_t *timer)
{
    ChainHandle *handle = timer->data;
    Chain *chain = chain_of(handle);
    free(handle);
    chain->open_handles--;
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
    .handle_new = chain_handle_new,
    .search = chain_search,
    .stop = chain_stop,
    .handle_free = chain_handle_free,
    .close = chain_close,
};

bool chain_new(Source **out, uv_loop_t *loop, const ChainLink *links, size_t count, Error *err)
{
    assert(count >= 1 && count <= CHAIN_LINKS_MAX && !links[count - 1].is_parallel);
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
