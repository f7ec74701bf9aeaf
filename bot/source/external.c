/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external.h"

#include "bot/source/uci_position.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>

enum {
    START_SHARE = 4, /* of the time to think, to wait for a start */
    START_MAX_MS = 2000,
};

typedef struct ExternalSource ExternalSource;

typedef struct {
    SourceHandle seat;
    SourceOnMove *on_move_found;
    void *user;
    uv_timer_t timer;       /* to say from the loop that there is no move */
    ExternalWorker *worker; /* NULL: none yet, or no more */
    bool is_known;          /* to the worker: it has had an order of this game */
    int strikes;

    bool has_waited; /* an order was kept for it until it would come up */

    bool has_order;        /* unanswered */
    bool is_asked;         /* the worker has it */
    bool is_stopped_early; /* it is to be answered at once */
    MoveRequestCopy order;
    Buf position; /* as the engine was told it last: the order's, or that of a guess */
    bool is_guess;
} ExternalHandle;

struct ExternalSource {
    Source source;
    uv_loop_t *loop;
    ExternalConfig config;
    ExternalEngine engine; /* with this `config` */
    ExternalWorker *spare; /* warm, and nobody's; NULL: none */
    int lingering;         /* seats whose timer has not closed */
    bool is_closing;
    uv_timer_t closing; /* to say from the loop that it has closed */
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static ExternalSource *source_of(const ExternalHandle *seat)
{
    return (ExternalSource *)seat->seat.source;
}

static int64_t tighter(int64_t limit, int64_t other)
{
    return limit == 0 || (other > 0 && other < limit) ? other : limit;
}

/* Answers. */

static void answer(ExternalHandle *seat, const MoveChoice *thought)
{
    MoveChoice ours = *thought;
    ours.version = seat->order.order.version;
    ours.source = source_of(seat)->source.name;
    seat->has_order = false;
    seat->is_asked = false;
    uv_timer_stop(&seat->timer);
    seat->on_move_found(seat->user, &ours);
}

static void on_timer(uv_timer_t *timer)
{
    ExternalHandle *seat = timer->data;
    if (seat->has_order)
        answer(seat, &(MoveChoice){ .move = MOVE_NONE });
}

static void answer_none_after(ExternalHandle *seat, int64_t wait_ms)
{
    uv_update_time(source_of(seat)->loop); /* a timer counts from the loop's idea of now */
    uv_timer_start(&seat->timer, on_timer, (uint64_t)wait_ms, 0);
}

static void answer_none_soon(ExternalHandle *seat)
{
    answer_none_after(seat, 0);
}

/* Who else could play this? */
static bool has_others(const ExternalHandle *seat)
{
    return variant_is_chess(seat->order.order.variant);
}

static bool is_barred(const ExternalHandle *seat)
{
    return seat->strikes >= EXTERNAL_STRIKES_MAX && has_others(seat);
}

static void give_up_worker(ExternalHandle *seat)
{
    if (seat->worker)
        external_worker_close(seat->worker);
    seat->worker = NULL;
}

/* An engine that has not come up yet is waited for, once in a game: the first moves cost no time.
 */
static void wait_for_start(ExternalHandle *seat)
{
    int64_t think_ms = move_request_timeout(&seat->order.order).think_ms;
    int64_t wait_ms = think_ms / START_SHARE < START_MAX_MS ? think_ms / START_SHARE : START_MAX_MS;
    if (!has_others(seat) || external_worker_is_up(seat->worker))
        return;
    answer_none_after(seat, seat->has_waited ? 0 : wait_ms);
    seat->has_waited = true;
}

static void strike(ExternalHandle *seat, const char *why)
{
    const ExternalSource *source = source_of(seat);
    Log *log = source->engine.log;
    seat->strikes++;
    seat->is_asked = false;
    seat->is_guess = false;
    log_warning(log, "engine", "strike id=%s engine=%s strikes=%d why=%s", seat->order.game,
                source->source.name, seat->strikes, why);
    if (seat->strikes != EXTERNAL_STRIKES_MAX)
        return;
    log_error(log, "engine", "%s id=%s engine=%s advice=%s",
              has_others(seat) ? "given-up" : "unreliable", seat->order.game, source->source.name,
              has_others(seat)
                  ? "the rest of this game is played without it; see the lines above for what it "
                    "did, and try it by castled check"
                  : "nobody else plays this variant, so it is tried on and on; see the lines above "
                    "for what it did");
}

/* Orders. */

static void set_limits(const ExternalSource *source, const MoveRequest *order, SearchLimits *out)
{
    const ExternalConfig *config = source->engine.config;
    *out = order->limits;
    out->nodes = (uint64_t)tighter((int64_t)out->nodes, config->nodes);
    out->depth = (int)tighter(out->depth, config->depth_plies);
    out->movetime_ms = tighter(out->movetime_ms, config->movetime_ms);
}

/* The order as the worker is to have it; its position is lent by the seat. */
static ExternalTask make_task(const ExternalHandle *seat, const MoveRequest *order)
{
    MoveRequestTimeout patience = move_request_timeout(order);
    ExternalTask task = {
        .order = { .position = buf_view(&seat->position), .is_new_game = !seat->is_known },
        .variant = order->variant,
        .is_960 = uci_position_is_960(order),
        .think_ms = patience.think_ms,
        .stop_ms = patience.stop_ms,
    };
    set_limits(source_of(seat), order, &task.order.limits);
    return task;
}

/* It can't play what it has no way to be told. */
static bool can_be_told(const ExternalHandle *seat, const MoveRequest *order)
{
    const UciTalk *talk = external_worker_talk(seat->worker);
    return !uci_position_is_960(order) || uci_talk_option(talk, "UCI_Chess960");
}

/* Has the worker start on the order as soon as it can. */
static void pursue(ExternalHandle *seat)
{
    if (!seat->has_order || seat->is_asked || !external_worker_is_ready(seat->worker))
        return;
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    ExternalTask task = make_task(seat, &order);
    if (!can_be_told(seat, &order)) {
        answer_none_soon(seat);
        return;
    }
    uv_timer_stop(&seat->timer);
    external_worker_order(seat->worker, &task);
    seat->is_asked = true;
    seat->is_known = true;
    seat->is_guess = false;
    if (seat->is_stopped_early)
        external_worker_stop(seat->worker);
}

/* True if the worker ponders on just this order: then it is on its way. */
static bool was_guessed(ExternalHandle *seat, const Buf *position)
{
    if (!seat->is_guess || strcmp(buf_view(&seat->position), buf_view(position)) != 0)
        return false;
    MoveRequestTimeout patience = move_request_timeout(&seat->order.order);
    seat->is_guess = false;
    return external_worker_ponderhit(seat->worker, patience.think_ms, patience.stop_ms);
}

/* Thinks about the reply that it expects, on our clock as it will be then. */
static void ponder(ExternalHandle *seat, const UciResult *result)
{
    MoveRequest order = move_request_by_now(&seat->order, clock_now_ms());
    if (!source_of(seat)->engine.config->ponder || !order.limits.has_clock ||
        result->reply[0] == '\0')
        return;
    bool is_first = order.moves.len == 0;
    if (!buf_printf(&seat->position, "%s %s %s", is_first ? " moves" : "", result->move,
                    result->reply))
        return;
    ExternalTask task = make_task(seat, &order);
    task.order.is_guess = true;
    task.order.limits.search_move_count = 0; /* they were of this position */
    task.think_ms = INT64_MAX;
    seat->is_guess = true;
    external_worker_order(seat->worker, &task);
}

/* What the worker says. */

static void on_ready(void *user)
{
    pursue(user);
}

/* The engine's move as one of ours. False: it is none. */
static bool read_move(const ExternalHandle *seat, const UciResult *result, MoveChoice *out)
{
    const Position *pos = seat->order.order.position;
    memcpy(out->text, result->move, sizeof out->text);
    if (!pos)
        return result->move[0] != '\0';
    memset(out->text, 0, sizeof out->text);
    if (!uci_move_match(pos, result->move, strlen(result->move), &out->move, NULL))
        return false;
    Position after = *pos;
    Undo undo;
    position_make(&after, out->move, &undo);
    if (!uci_move_match(&after, result->reply, strlen(result->reply), &out->reply, NULL))
        out->reply = MOVE_NONE;
    return true;
}

static void on_failure(void *user, const char *why)
{
    ExternalHandle *seat = user;
    seat->is_known = false;
    seat->is_guess = false;
    if (!seat->has_order)
        return;
    strike(seat, why);
    if (is_barred(seat))
        give_up_worker(seat);
    if (has_others(seat))
        answer(seat, &(MoveChoice){ .move = MOVE_NONE });
}

static void on_result(void *user, const UciResult *result)
{
    ExternalHandle *seat = user;
    MoveChoice thought = { .score = result->score,
                           .depth = result->depth,
                           .nodes = result->nodes,
                           .time_ms = result->time_ms };
    UciResult kept = *result;
    assert(seat->has_order && seat->is_asked);
    if (!read_move(seat, result, &thought)) {
        external_worker_restart(seat->worker, "it plays no legal move");
        on_failure(seat, result->move[0] ? "it played an illegal move" : "it found no move");
        return;
    }
    answer(seat, &thought);
    if (!seat->has_order && seat->worker)
        ponder(seat, &kept);
}

/* Seats. */

static ExternalWorker *take_worker(ExternalSource *source)
{
    ExternalWorker *worker = source->spare;
    source->spare = NULL;
    if (!worker && !external_worker_new(&worker, source->loop, &source->engine, NULL))
        return NULL;
    return worker;
}

static bool has_worker(ExternalHandle *seat)
{
    const ExternalOwner owner = {
        .on_ready = on_ready, .on_result = on_result, .on_failure = on_failure, .user = seat
    };
    if (seat->worker)
        return true;
    seat->worker = take_worker(source_of(seat));
    if (seat->worker)
        external_worker_assign(seat->worker, &owner);
    return seat->worker;
}

static SourceHandle *take_seat(Source *source, SourceOnMove *on_move_found, void *user, Error *err)
{
    ExternalSource *external = (ExternalSource *)source;
    ExternalHandle *seat = calloc(1, sizeof *seat);
    if (!seat) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at an engine");
        return NULL;
    }
    int failure = uv_timer_init(external->loop, &seat->timer);
    if (failure) {
        error_set(err, ERR_IO, "timer: %s", uv_strerror(failure));
        free(seat);
        return NULL;
    }
    seat->seat.source = source;
    seat->on_move_found = on_move_found;
    seat->user = user;
    seat->timer.data = seat;
    buf_init(&seat->position, UCI_SAY_MAX / 2);
    external->lingering++;
    return &seat->seat;
}

static void think(SourceHandle *base, const MoveRequest *order)
{
    ExternalHandle *seat = (ExternalHandle *)base;
    Buf position;
    buf_init(&position, UCI_SAY_MAX / 2);
    move_request_keep(&seat->order, order, clock_now_ms());
    uv_timer_stop(&seat->timer);
    seat->has_order = true;
    seat->is_asked = false;
    seat->is_stopped_early = false;
    bool ok = !is_barred(seat) && has_worker(seat) && uci_position_write(order, &position) &&
              !(has_others(seat) && external_worker_is_out(seat->worker));
    if (ok && order->is_refused) {
        external_worker_restart(seat->worker, "the server refuses its move");
        seat->is_known = false;
        strike(seat, "the server refuses its move");
    }
    seat->is_asked = ok && was_guessed(seat, &position);
    buf_release(&seat->position);
    seat->position = position;
    if (ok && seat->is_asked)
        return;
    if (seat->worker)
        external_worker_drop(seat->worker);
    if (!ok) {
        answer_none_soon(seat);
        return;
    }
    wait_for_start(seat);
    pursue(seat);
}

static void stop(SourceHandle *base)
{
    ExternalHandle *seat = (ExternalHandle *)base;
    if (!seat->has_order) {
        if (seat->is_guess)
            external_worker_drop(seat->worker);
        seat->is_guess = false;
        return;
    }
    seat->is_stopped_early = true;
    if (seat->is_asked)
        external_worker_stop(seat->worker);
    else if (has_others(seat) && !(seat->worker && external_worker_is_up(seat->worker)))
        answer_none_soon(seat);
}

static void on_seat_closed(uv_handle_t *handle);

static void leave(SourceHandle *base)
{
    ExternalHandle *seat = (ExternalHandle *)base;
    ExternalSource *source = source_of(seat);
    if (seat->worker && !source->spare) {
        external_worker_assign(seat->worker, NULL);
        source->spare = seat->worker;
        seat->worker = NULL;
    }
    give_up_worker(seat);
    seat->has_order = false;
    buf_release(&seat->position);
    uv_close((uv_handle_t *)&seat->timer, on_seat_closed);
}

static void on_closing_closed(uv_handle_t *handle)
{
    ExternalSource *source = handle->data;
    void (*on_closed)(void *) = source->on_closed;
    void *user = source->on_closed_user;
    free(source);
    if (on_closed)
        on_closed(user);
}

static void free_if_closed(ExternalSource *source)
{
    if (source->is_closing && source->lingering == 0)
        uv_close((uv_handle_t *)&source->closing, on_closing_closed);
}

static void on_seat_closed(uv_handle_t *handle)
{
    ExternalHandle *seat = handle->data;
    ExternalSource *source = source_of(seat);
    free(seat);
    source->lingering--;
    free_if_closed(source);
}

static void close_source(Source *base, void (*on_closed)(void *user), void *user)
{
    ExternalSource *source = (ExternalSource *)base;
    if (source->spare)
        external_worker_close(source->spare);
    source->spare = NULL;
    source->is_closing = true;
    source->on_closed = on_closed;
    source->on_closed_user = user;
    free_if_closed(source);
}

static const SourceKind external_kind = {
    .seat = take_seat,
    .think = think,
    .stop = stop,
    .leave = leave,
    .close = close_source,
};

bool external_new(Source **out, uv_loop_t *loop, const ExternalEngine *engine, Error *err)
{
    ExternalSource *source = calloc(1, sizeof *source);
    if (!source) {
        error_set(err, ERR_MEMORY, "no memory for an engine");
        return false;
    }
    int failure = uv_timer_init(loop, &source->closing);
    if (failure) {
        error_set(err, ERR_IO, "timer: %s", uv_strerror(failure));
        free(source);
        return false;
    }
    source->closing.data = source;
    source->config = *engine->config;
    source->source = (Source){ &external_kind, source->config.name, source->config.variants };
    source->loop = loop;
    source->engine = *engine;
    source->engine.config = &source->config;
    if (!external_worker_new(&source->spare, loop, &source->engine, err)) {
        source_close(&source->source, NULL, NULL);
        return false;
    }
    *out = &source->source;
    return true;
}

bool external_is_warm(const Source *source)
{
    const ExternalWorker *spare = ((const ExternalSource *)source)->spare;
    return spare && external_worker_is_up(spare);
}
