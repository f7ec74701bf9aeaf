/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/tables_source.h"

#include "bot/ops/timer.h"
#include "engine/base/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef struct TablesHandle TablesHandle;

typedef struct {
    Source source;
    uv_loop_t *loop;
    Tablebase *tables;
    int max_pieces;
    int lookups; /* that have not ended */
    bool is_closing;
    uv_timer_t turn; /* never set: its closing ends the source, from the loop */
} TablesSource;

/* One reading of the tables, on the pool. It may end after its handle. */
typedef struct {
    uv_work_t work;
    TablesSource *source;
    TablesHandle *handle; /* NULL: nobody waits for it any more */
    Position position;
    bool is_known;
    TablebaseRanking ranking;
} Lookup;

struct TablesHandle {
    SourceHandle base;
    uv_timer_t timer;
    Lookup *lookup; /* NULL: none runs for the latest request */
    uint32_t version;
    LocalTables use;
    bool is_pending;
};

static TablesSource *source_of(const TablesHandle *handle)
{
    return (TablesSource *)handle->base.source;
}

bool tables_are_wanted(const MoveRequest *request)
{
    return request->tables != LOCAL_TABLES_UNUSED &&
           (!request->engines || strcmp(request->engines, "none") != 0);
}

/* ---- answers ---- */

static void give_answer(TablesHandle *handle, const MoveChoice *found)
{
    MoveChoice choice = *found;
    choice.version = handle->version;
    choice.source = handle->base.source->name;
    handle->is_pending = false;
    uv_timer_stop(&handle->timer);
    if (handle->lookup)
        handle->lookup->handle = NULL;
    handle->lookup = NULL;
    handle->base.on_move_found(handle->base.user, &choice);
}

static void answer_nothing(uv_timer_t *timer)
{
    give_answer(timer->data, &(MoveChoice){ .move = MOVE_NONE });
}

static void answer_later(TablesHandle *handle, int64_t wait_ms)
{
    timer_set(&handle->timer, answer_nothing, timer_after(wait_ms));
}

static void answer_by(TablesHandle *handle, const TablebaseRanking *ranking)
{
    MoveList holding = { .count = 0 };
    MoveChoice choice = { .move = ranking->moves[0].move,
                          .tablebase_verdict = tablebase_verdict(ranking) };
    for (int i = 0; i < ranking->count; i++)
        if (ranking->moves[i].holds)
            holding.moves[holding.count++] = ranking->moves[i].move;
    if (handle->use == LOCAL_TABLES_SUGGEST && holding.count > 1)
        choice.candidates = &holding;
    give_answer(handle, &choice);
}

/* ---- lookups ---- */

static void tables_source_on_turn_closed(uv_handle_t *turn)
{
    TablesSource *source = turn->data;
    tablebase_free(source->tables);
    source_free(&source->source);
}

static void close_if_done(TablesSource *source)
{
    if (source->is_closing && source->lookups == 0)
        uv_close((uv_handle_t *)&source->turn, tables_source_on_turn_closed);
}

static void read_tables(uv_work_t *work)
{
    Lookup *lookup = work->data;
    lookup->is_known =
        tablebase_rank_root_moves(lookup->source->tables, &lookup->position, &lookup->ranking);
}

static void tables_source_on_read(uv_work_t *work, int status)
{
    Lookup *lookup = work->data;
    TablesSource *source = lookup->source;
    TablesHandle *handle = lookup->handle;
    (void)status; /* nobody cancels it */
    if (handle) {
        handle->lookup = NULL;
        if (lookup->is_known)
            answer_by(handle, &lookup->ranking);
        else
            give_answer(handle, &(MoveChoice){ .move = MOVE_NONE });
    }
    free(lookup);
    source->lookups--;
    close_if_done(source);
}

static bool start_lookup(TablesHandle *handle, const Position *position)
{
    TablesSource *source = source_of(handle);
    Lookup *lookup = alloc_zeroed(sizeof *lookup, "a lookup in the tables", NULL);
    if (!lookup)
        return false;
    lookup->work.data = lookup;
    lookup->source = source;
    lookup->handle = handle;
    lookup->position = *position;
    if (uv_queue_work(source->loop, &lookup->work, read_tables, tables_source_on_read)) {
        free(lookup);
        return false;
    }
    handle->lookup = lookup;
    source->lookups++;
    return true;
}

/* ---- the source ---- */

static SourceHandle *tables_handle_new(Source *base, Error *err)
{
    TablesSource *source = (TablesSource *)base;
    TablesHandle *handle = alloc_zeroed(sizeof *handle, "a game's place at the tables", err);
    if (!handle)
        return NULL;
    timer_init(source->loop, &handle->timer, handle);
    return &handle->base;
}

static bool may_be_held(const TablesSource *source, const Position *position)
{
    return position->castling == 0 && bitboard_count(position->occupied) <= source->max_pieces;
}

static void tables_search(SourceHandle *base, const MoveRequest *request)
{
    TablesHandle *handle = (TablesHandle *)base;
    if (handle->lookup)
        handle->lookup->handle = NULL;
    handle->lookup = NULL;
    handle->version = request->version;
    handle->use = request->tables;
    handle->is_pending = true;
    bool is_asked = may_be_held(source_of(handle), request->position) &&
                    start_lookup(handle, request->position);
    answer_later(handle, is_asked ? TABLES_DEADLINE_MS : 0);
}

static void tables_stop(SourceHandle *base)
{
    TablesHandle *handle = (TablesHandle *)base;
    if (handle->is_pending)
        answer_later(handle, 0);
}

static void tables_handle_free(SourceHandle *base)
{
    TablesHandle *handle = (TablesHandle *)base;
    if (handle->lookup)
        handle->lookup->handle = NULL;
    timer_close(&handle->timer);
}

static void tables_close(Source *base)
{
    TablesSource *source = (TablesSource *)base;
    source->is_closing = true;
    close_if_done(source);
}

static const SourceKind tables_kind = {
    .handle_new = tables_handle_new,
    .search = tables_search,
    .stop = tables_stop,
    .handle_free = tables_handle_free,
    .close = tables_close,
};

bool tables_source_new(Source **out, uv_loop_t *loop, Tablebase *tables, Error *err)
{
    TablesSource *source = alloc_zeroed(sizeof *source, "the tables", err);
    if (!source)
        return false;
    source->source =
        (Source){ .kind = &tables_kind, .name = "syzygy", .variants = VARIANTS_OF_CHESS };
    source->loop = loop;
    source->tables = tables;
    timer_init(loop, &source->turn, source);
    source->max_pieces = tablebase_info(tables).max_pieces;
    *out = &source->source;
    return true;
}
