/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/chain.h"

#include "bot/config/external_config.h"
#include "bot/model/state_table.h"
#include "bot/ops/timer.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/minmax.h"
#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

typedef struct Chain Chain;
typedef struct ChainHandle ChainHandle;

/* See the table in the header. */
typedef enum {
    CHAIN_IDLE,
    CHAIN_SEARCHING,
    CHAIN_STOPPING,
    CHAIN_EXHAUSTED,
    CHAIN_DEFERRING,
} ChainState;

/* One of the sources, for one game. */
typedef struct {
    ChainHandle *owner;
    SourceHandle *handle; /* NULL: there was no memory for one */
    bool is_pending;      /* it has a request and has not answered */
    uint32_t round;       /* the version of its request: no two requests share one */
} Member;

struct ChainHandle {
    SourceHandle base;
    uv_timer_t timer;
    Member members[CHAIN_LINKS_MAX];

    ChainState state;
    size_t link;           /* asked now; the chain's count: no source is left */
    uint32_t round;        /* the latest version of a request */
    bool is_stopped_early; /* the request: sources are to stop at once */
    MoveChoice deferred;   /* CHAIN_DEFERRING: the answer, */
    const Member *deferred_by;
    bool is_restricted;     /* the request, to the candidates of: */
    MoveChoice restriction; /* itself the answer if no source finds one of them */
    const Member *restricted_by;
    Move answered; /* last */
    MoveRequestCopy request;
};

struct Chain {
    Source source;
    uv_loop_t *loop;
    Log *log;
    size_t count;
    ChainLink links[CHAIN_LINKS_MAX];
    int open_handles; /* their timers have not closed */
    size_t open;      /* sources that have not closed */
    bool is_closing;
};

static Chain *chain_of(const ChainHandle *handle)
{
    return (Chain *)handle->base.source;
}

#define TO(state) (1U << CHAIN_##state)

static void enter_state(ChainHandle *handle, ChainState state)
{
    static const char *const names[] = {
        [CHAIN_IDLE] = "idle",           [CHAIN_SEARCHING] = "searching",
        [CHAIN_STOPPING] = "stopping",   [CHAIN_EXHAUSTED] = "exhausted",
        [CHAIN_DEFERRING] = "deferring",
    };
    static const uint32_t next[] = {
        [CHAIN_IDLE] = TO(IDLE) | TO(SEARCHING) | TO(EXHAUSTED),
        [CHAIN_SEARCHING] = TO(IDLE) | TO(SEARCHING) | TO(STOPPING) | TO(EXHAUSTED) | TO(DEFERRING),
        [CHAIN_STOPPING] = TO(IDLE) | TO(SEARCHING) | TO(EXHAUSTED) | TO(DEFERRING),
        [CHAIN_EXHAUSTED] = TO(IDLE) | TO(SEARCHING) | TO(EXHAUSTED) | TO(DEFERRING),
        [CHAIN_DEFERRING] = TO(IDLE) | TO(SEARCHING) | TO(EXHAUSTED),
    };
    static const StateTable table = { names, next };
    if (state != handle->state)
        log_debug(chain_of(handle)->log, "source", "state",
                  FIELDS(F("id", handle->request.game), F("from", names[handle->state]),
                         F("to", names[state])));
    handle->state = state_enter(&table, handle->state, state);
}

static void chain_on_deadline(uv_timer_t *timer);

/* INT64_MAX: for ever. */
static void arm(ChainHandle *handle, int64_t wait_ms)
{
    timer_set(&handle->timer, chain_on_deadline, timer_after(wait_ms));
}

static void put_question(ChainHandle *handle, Member *member)
{
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    request.version = member->round = ++handle->round;
    member->is_pending = true;
    source_search(member->handle, &request);
}

static bool waits_for_parallel(const ChainHandle *handle)
{
    for (size_t i = 0; i < chain_of(handle)->count; i++)
        if (chain_of(handle)->links[i].is_parallel && handle->members[i].is_pending)
            return true;
    return false;
}

static bool is_wanted(const ChainLink *link, const MoveRequest *request)
{
    if (link->is_wanted && !link->is_wanted(request))
        return false;
    return !link->is_optional || !request->engines ||
           external_is_named(request->engines, link->source->name);
}

/* The first source from `link` on that can play this; the chain's count: none. */
static size_t next_link(const ChainHandle *handle, size_t link)
{
    const Chain *chain = chain_of(handle);
    const MoveRequest *request = &handle->request.request;
    while (link < chain->count &&
           !(handle->members[link].handle && is_wanted(&chain->links[link], request) &&
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
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    enter_state(handle, CHAIN_STOPPING);
    source_stop(handle->members[handle->link].handle);
    arm(handle, is_last(handle) ? INT64_MAX : move_request_timeout(&request).stop_ms);
}

/* Asks the first source from `link` on that can play this, and on the way those asked in parallel.
 * With none left the timer says so, since no answer comes from inside a call. */
static void ask_link(ChainHandle *handle, size_t link)
{
    const Chain *chain = chain_of(handle);
    while ((link = next_link(handle, link)) < chain->count && chain->links[link].is_parallel) {
        if (!handle->is_stopped_early)
            put_question(handle, &handle->members[link]);
        link++;
    }
    handle->link = link;
    enter_state(handle, link == chain->count ? CHAIN_EXHAUSTED : CHAIN_SEARCHING);
    if (handle->state == CHAIN_EXHAUSTED) {
        arm(handle, 0);
        return;
    }
    put_question(handle, &handle->members[link]);
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    if (handle->is_stopped_early)
        tell_to_stop(handle);
    else if (is_last(handle))
        arm(handle, INT64_MAX); /* the game itself sees to its clock */
    else
        arm(handle, int64_min(move_request_timeout(&request).search_ms,
                              chain->links[handle->link].timeout_ms));
}

/* The sources asked in parallel ponder, and one that still searched when one of them found the
 * move. */
static void ponder(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    const Chain *chain = chain_of(handle);
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    request.limits.search_move_count = 0;
    for (size_t i = 0; i < chain->count; i++) {
        bool is_outrun = i == handle->link && by && chain->links[by - handle->members].is_parallel;
        if (handle->members[i].handle && (chain->links[i].is_parallel || is_outrun))
            source_ponder(handle->members[i].handle, &request, choice);
    }
}

/* Those that are pending, and those after `by`: they may ponder an earlier answer, in vain. */
static void stop_the_others(ChainHandle *handle, const Member *by)
{
    bool is_later = false;
    for (size_t i = 0; i < chain_of(handle)->count; i++) {
        Member *member = &handle->members[i];
        if (member->handle && member != by && (member->is_pending || is_later))
            source_stop(member->handle);
        is_later = is_later || member == by;
        member->is_pending = false;
    }
}

/* `by`: the source that found it; NULL: none. */
static void give_answer(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    MoveChoice ours = *choice;
    ours.version = handle->request.request.version;
    ours.candidates = NULL;
    enter_state(handle, CHAIN_IDLE);
    handle->answered = ours.move;
    uv_timer_stop(&handle->timer);
    stop_the_others(handle, by);
    handle->base.on_move_found(handle->base.user, &ours);
    if (handle->state == CHAIN_IDLE)
        ponder(handle, by, &ours);
}

static bool is_among(const SearchLimits *limits, Move move)
{
    for (int i = 0; i < limits->search_move_count; i++)
        if (limits->search_moves[i] == move)
            return true;
    return false;
}

/* What the links found, unless it is none of the candidates that they were restricted to. */
static void conclude(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    MoveChoice best = *choice;
    if (handle->is_restricted && !is_among(&handle->request.request.limits, choice->move)) {
        best = handle->restriction;
        by = handle->restricted_by;
    } else if (handle->is_restricted) {
        best.tablebase_verdict = handle->restriction.tablebase_verdict;
    }
    give_answer(handle, by, &best);
}

static void defer(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    enter_state(handle, CHAIN_DEFERRING);
    handle->deferred = *choice;
    handle->deferred_by = by;
    uv_timer_stop(&handle->timer);
}

/* An answer of a link: it goes out when no source asked in parallel is pending. */
static void answer_or_defer(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    if (handle->is_stopped_early || !waits_for_parallel(handle))
        conclude(handle, by, choice);
    else
        defer(handle, by, choice);
}

static void answer_deferred(ChainHandle *handle)
{
    conclude(handle, handle->deferred_by, &handle->deferred);
}

/* A running search begins anew with the candidates alone; one that has ended does not. */
static void restrict_to_candidates(ChainHandle *handle, const Member *by, const MoveChoice *choice)
{
    SearchLimits *limits = &handle->request.request.limits;
    MoveList legal;
    movegen_legal(handle->request.request.position, &legal);
    handle->is_restricted = true;
    handle->restricted_by = by;
    handle->restriction = *choice;
    limits->search_move_count = choice->candidates->count;
    memcpy(limits->search_moves, choice->candidates->moves,
           (size_t)choice->candidates->count * sizeof *limits->search_moves);
    bool is_deferring = handle->state == CHAIN_DEFERRING;
    if (is_deferring && !waits_for_parallel(handle))
        answer_deferred(handle);
    else if (!is_deferring && choice->candidates->count < legal.count)
        ask_link(handle, handle->link);
}

static void chain_on_deadline(uv_timer_t *timer)
{
    ChainHandle *handle = timer->data;
    switch (handle->state) {
    case CHAIN_IDLE:
        stop_the_others(handle, NULL);
        break;
    case CHAIN_SEARCHING:
        tell_to_stop(handle);
        break;
    case CHAIN_STOPPING:
        handle->members[handle->link].is_pending = false;
        ask_link(handle, handle->link + 1);
        break;
    case CHAIN_EXHAUSTED:
        answer_or_defer(handle, NULL, &(MoveChoice){ .move = MOVE_NONE });
        break;
    case CHAIN_DEFERRING:
        answer_deferred(handle);
        break;
    }
}

/* From a source that was passed over. It would ponder on a move that was not played. */
static void take_late_answer(ChainHandle *handle, Member *member, const MoveChoice *choice)
{
    if (handle->state != CHAIN_IDLE || choice->move == MOVE_NONE ||
        choice->move == handle->answered)
        return;
    member->is_pending = true; /* to be stopped, as soon as this call is over */
    arm(handle, 0);
}

static void chain_on_move_found(void *user, const MoveChoice *choice)
{
    Member *member = user;
    ChainHandle *handle = member->owner;
    size_t link = (size_t)(member - handle->members);
    if (handle->state == CHAIN_IDLE || !member->is_pending || choice->version != member->round) {
        take_late_answer(handle, member, choice);
        return;
    }
    member->is_pending = false;
    bool is_parallel = chain_of(handle)->links[link].is_parallel;
    if (is_parallel && choice->candidates && !handle->is_stopped_early &&
        handle->state != CHAIN_STOPPING) {
        restrict_to_candidates(handle, member, choice);
    } else if (is_parallel && move_choice_has_move(choice)) {
        give_answer(handle, member, choice);
    } else if (is_parallel) {
        if (handle->state == CHAIN_DEFERRING && !waits_for_parallel(handle))
            answer_deferred(handle);
    } else if (move_choice_has_move(choice)) {
        answer_or_defer(handle, member, choice);
    } else {
        ask_link(handle, link + 1);
    }
}

static void chain_on_timer_closed(uv_handle_t *timer);

static SourceHandle *chain_handle_new(Source *source, Error *err)
{
    Chain *chain = (Chain *)source;
    ChainHandle *handle = alloc_zeroed(sizeof *handle, "a game's handle at the engines", err);
    if (!handle)
        return NULL;
    timer_init(chain->loop, &handle->timer, handle);
    handle->base.source = source;
    chain->open_handles++;
    for (size_t i = 0; i < chain->count; i++) {
        Member *member = &handle->members[i];
        bool is_last = i + 1 == chain->count;
        member->owner = handle;
        member->handle = source_handle_new(chain->links[i].source, chain_on_move_found, member,
                                           is_last ? err : NULL);
    }
    if (handle->members[chain->count - 1].handle)
        return &handle->base;
    source_handle_free(&handle->base);
    return NULL;
}

static void chain_search(SourceHandle *base, const MoveRequest *request)
{
    ChainHandle *handle = (ChainHandle *)base;
    bool was_pending[CHAIN_LINKS_MAX];
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++) {
        was_pending[i] = handle->members[i].is_pending;
        handle->members[i].is_pending = false;
    }
    move_request_copy(&handle->request, request, clock_now_ms());
    handle->is_stopped_early = handle->is_restricted = false;
    ask_link(handle, 0);
    for (size_t i = 0; i < CHAIN_LINKS_MAX; i++)
        if (was_pending[i] && !handle->members[i].is_pending)
            source_stop(handle->members[i].handle); /* its answer is not needed any more */
}

static void chain_stop(SourceHandle *base)
{
    ChainHandle *handle = (ChainHandle *)base;
    if (handle->state == CHAIN_IDLE)
        return;
    handle->is_stopped_early = true;
    if (handle->state == CHAIN_DEFERRING)
        arm(handle, 0);
    else if (handle->state == CHAIN_SEARCHING)
        tell_to_stop(handle);
}

static bool chain_progress(SourceHandle *base, MoveChoice *out)
{
    ChainHandle *handle = (ChainHandle *)base;
    bool is_searching = handle->state == CHAIN_SEARCHING || handle->state == CHAIN_STOPPING;
    if (!is_searching || !source_progress(handle->members[handle->link].handle, out))
        return false;
    out->version = handle->request.request.version;
    return true;
}

static void chain_configure(Source *base, const Config *config)
{
    const Chain *chain = (const Chain *)base;
    for (size_t i = 0; i < chain->count; i++)
        source_configure(chain->links[i].source, config);
}

static void chain_lost_on_time(SourceHandle *base)
{
    const ChainHandle *handle = (const ChainHandle *)base;
    for (size_t i = 0; i < chain_of(handle)->count; i++)
        source_lost_on_time(handle->members[i].handle);
}

static void chain_add_faults(const SourceHandle *base, SourceFaults *faults)
{
    const ChainHandle *handle = (const ChainHandle *)base;
    for (size_t i = 0; i < chain_of(handle)->count; i++)
        source_add_faults(handle->members[i].handle, faults);
}

static void chain_handle_free(SourceHandle *base)
{
    ChainHandle *handle = (ChainHandle *)base;
    for (size_t i = 0; i < chain_of(handle)->count; i++) {
        source_handle_free(handle->members[i].handle);
        handle->members[i].handle = NULL;
    }
    enter_state(handle, CHAIN_IDLE);
    uv_close((uv_handle_t *)&handle->timer, chain_on_timer_closed);
}

static void free_if_closed(Chain *chain)
{
    if (!chain->is_closing || chain->open > 0 || chain->open_handles > 0)
        return;
    source_free(&chain->source);
}

static void chain_on_timer_closed(uv_handle_t *timer)
{
    ChainHandle *handle = timer->data;
    Chain *chain = chain_of(handle);
    free(handle);
    chain->open_handles--;
    free_if_closed(chain);
}

static void chain_on_link_closed(void *user)
{
    Chain *chain = user;
    chain->open--;
    free_if_closed(chain);
}

static void chain_close(Source *source)
{
    Chain *chain = (Chain *)source;
    chain->is_closing = true;
    for (size_t i = chain->count; i-- > 0;)
        source_close(chain->links[i].source, chain_on_link_closed, chain);
}

static const SourceKind chain_kind = {
    .handle_new = chain_handle_new,
    .search = chain_search,
    .stop = chain_stop,
    .progress = chain_progress,
    .lost_on_time = chain_lost_on_time,
    .add_faults = chain_add_faults,
    .configure = chain_configure,
    .handle_free = chain_handle_free,
    .close = chain_close,
};

bool chain_new(Source **out, uv_loop_t *loop, Log *log, const ChainLink *links, size_t count,
               Error *err)
{
    CHECK(count >= 1 && count <= CHAIN_LINKS_MAX && !links[count - 1].is_parallel);
    Chain *chain = alloc_zeroed(sizeof *chain, "the chain of engines", err);
    if (!chain)
        return false;
    chain->source.kind = &chain_kind;
    chain->source.name = "chain";
    chain->loop = loop;
    chain->log = log;
    chain->count = count;
    chain->open = count;
    for (size_t i = 0; i < count; i++) {
        chain->links[i] = links[i];
        chain->source.variants |= links[i].source->variants;
    }
    *out = &chain->source;
    return true;
}
