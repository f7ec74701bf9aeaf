/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external.h"

#include "bot/ops/timer.h"
#include "bot/source/external_choice.h"
#include "bot/source/external_fault.h"
#include "bot/source/external_seats.h"
#include "bot/source/uci_position.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

enum {
    START_SHARE = 4, /* of the search time, to wait for a start */
    START_MAX_MS = 2000,
};

typedef struct ExternalSource ExternalSource;

typedef struct {
    SourceHandle base;
    uv_timer_t timer;                    /* to say from the loop that there is no move */
    ExternalWorker *worker;              /* NULL: none yet, or no more */
    ExternalVersion *version;            /* of it, kept until the game's end; NULL: none yet */
    char identity[ENGINE_IDENTITY_SIZE]; /* of its latest order; "": none yet */
    bool is_spoiled;                     /* the game, by its faults */
    bool is_known;                       /* to the worker: it has had an order of this game */
    int strikes;

    bool has_waited; /* a request was kept for it until it would come up */

    bool has_request;      /* unanswered */
    bool is_asked;         /* the worker has it */
    bool is_stopped_early; /* it is to be answered at once */
    MoveRequestCopy request;
    Buf position; /* the engine's latest: the request's, or that of a guess */
    bool is_guess;
    char go[UCI_GO_SIZE];         /* the latest order */
    TranscriptWriter *transcript; /* NULL: none yet, or no memory for it */
} ExternalHandle;

struct ExternalSource {
    Source source;
    uv_loop_t *loop;
    ChildSecrets secrets;
    char syzygy[CONFIG_TEXT_SIZE];
    char transcripts[PATH_MAX];
    char name[INI_SECTION_LONGEST + 1];
    ExternalEngine engine; /* with these, but for its configuration, which versions have */
    ExternalSeats *seats;
    int open_handles; /* handles whose timer has not closed */
    bool is_closing;
    uv_timer_t closing; /* to say from the loop that it has closed */
};

static ExternalSource *source_of(const ExternalHandle *handle)
{
    return (ExternalSource *)handle->base.source;
}

/* Answers. */

static void give_answer(ExternalHandle *handle, const MoveChoice *choice)
{
    MoveChoice ours = *choice;
    ours.version = handle->request.request.version;
    ours.source = source_of(handle)->source.name;
    if (choice->move != MOVE_NONE)
        ours.engine = handle->identity;
    handle->has_request = false;
    handle->is_asked = false;
    uv_timer_stop(&handle->timer);
    handle->base.on_move_found(handle->base.user, &ours);
}

static void external_on_timer(uv_timer_t *timer)
{
    ExternalHandle *handle = timer->data;
    if (handle->has_request)
        give_answer(handle, &(MoveChoice){ .move = MOVE_NONE });
}

static void answer_none_after(ExternalHandle *handle, int64_t wait_ms)
{
    timer_set(&handle->timer, external_on_timer, clock_now_ms() + wait_ms);
}

static void answer_none_soon(ExternalHandle *handle)
{
    answer_none_after(handle, 0);
}

static bool is_barred(const ExternalHandle *handle)
{
    return handle->strikes >= EXTERNAL_STRIKES_MAX;
}

static void give_up_worker(ExternalHandle *handle)
{
    if (handle->worker)
        external_worker_close(handle->worker);
    handle->worker = NULL;
}

/* An engine that has not come up yet is waited for, once in a game: the first moves cost no time.
 */
static void wait_for_start(ExternalHandle *handle)
{
    int64_t search_ms = move_request_timeout(&handle->request.request).search_ms;
    int64_t wait_ms =
        search_ms / START_SHARE < START_MAX_MS ? search_ms / START_SHARE : START_MAX_MS;
    if (external_worker_is_up(handle->worker))
        return;
    answer_none_after(handle, handle->has_waited ? 0 : wait_ms);
    handle->has_waited = true;
}

/* To the log, the transcript and who wants alerts. */
static void tell_fault(ExternalHandle *handle, const char *why, int strikes)
{
    const ExternalEngine *engine = &source_of(handle)->engine;
    const ExternalFault fault = {
        .engine = source_of(handle)->source.name,
        .why = why,
        .request = &handle->request.request,
        .position = buf_view(&handle->position),
        .go = handle->go,
        .strikes = strikes,
        .transcript = handle->transcript,
    };
    char words[EXTERNAL_FAULT_SIZE];
    external_fault_tell(&fault, engine->log, words);
    if (engine->on_failure)
        engine->on_failure(engine->user, source_of(handle)->source.name, words);
}

static void strike(ExternalHandle *handle, const char *why)
{
    const ExternalSource *source = source_of(handle);
    handle->strikes++;
    tell_fault(handle, why, handle->strikes);
    handle->is_asked = false;
    handle->is_guess = false;
    if (handle->strikes != EXTERNAL_STRIKES_MAX)
        return;
    handle->is_spoiled = true;
    log_error(source->engine.log, "engine", "given-up",
              FIELDS(F("id", handle->request.game), F("engine", source->source.name),
                     F("advice", "the rest of this game is played without it; see the lines above "
                                 "for what it did, and try it by castled check")));
}

static void lost_on_time(SourceHandle *base)
{
    ExternalHandle *handle = (ExternalHandle *)base;
    if (!handle->has_request || !handle->is_asked)
        return;
    handle->is_spoiled = true;
    tell_fault(handle, "lost on time", 0);
}

static void add_faults(const SourceHandle *base, SourceFaults *faults)
{
    const ExternalHandle *handle = (const ExternalHandle *)base;
    if (handle->strikes == 0)
        return;
    faults->strikes += handle->strikes;
    if (handle->identity[0] != '\0')
        faults->engine = handle->identity;
}

/* Requests. */

/* The request as the worker is to have it; its position is lent by the handle. */
static ExternalTask make_task(const ExternalHandle *handle, const MoveRequest *request)
{
    MoveRequestTimeout timeout = move_request_timeout(request);
    ExternalTask task = {
        .search = { .position = buf_view(&handle->position), .is_new_game = !handle->is_known },
        .variant = request->variant,
        .is_960 = uci_position_is_960(request),
        .opponent = request->opponent,
        .search_ms = timeout.search_ms,
        .stop_ms = timeout.stop_ms,
    };
    task.search.limits = external_version_limit(handle->version, &request->limits);
    return task;
}

/* It can't play a position that UCI cannot express. */
static bool can_be_told(const ExternalHandle *handle, const MoveRequest *request)
{
    const UciTalk *talk = external_worker_talk(handle->worker);
    return !uci_position_is_960(request) || uci_talk_option(talk, "UCI_Chess960");
}

/* Has the worker start on the request as soon as it can. */
static void pursue(ExternalHandle *handle)
{
    if (!handle->has_request || handle->is_asked || !external_worker_is_ready(handle->worker))
        return;
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    ExternalTask task = make_task(handle, &request);
    if (!can_be_told(handle, &request)) {
        answer_none_soon(handle);
        return;
    }
    uv_timer_stop(&handle->timer);
    external_version_identify(handle->version, external_worker_talk(handle->worker)->name,
                              handle->identity);
    external_worker_search(handle->worker, &task);
    handle->is_asked = true;
    handle->is_known = true;
    handle->is_guess = false;
    if (handle->is_stopped_early)
        external_worker_stop(handle->worker);
}

/* True if the worker ponders on just this request: then it is on its way. */
static bool was_guessed(ExternalHandle *handle, const Buf *position)
{
    if (!handle->is_guess || strcmp(buf_view(&handle->position), buf_view(position)) != 0)
        return false;
    MoveRequestTimeout timeout = move_request_timeout(&handle->request.request);
    handle->is_guess = false;
    return external_worker_ponderhit(handle->worker, timeout.search_ms, timeout.stop_ms);
}

/* Ponders the reply that it expects, on our clock as it will be then. */
static void ponder(ExternalHandle *handle, const UciResult *result)
{
    MoveRequest request = move_request_with_time_elapsed(&handle->request, clock_now_ms());
    if (!handle->version->config.ponder || !request.limits.has_clock || result->reply[0] == '\0')
        return;
    bool is_first = request.moves.len == 0;
    if (!buf_printf(&handle->position, "%s %s %s", is_first ? " moves" : "", result->move,
                    result->reply))
        return;
    ExternalTask task = make_task(handle, &request);
    task.search.is_guess = true;
    task.search.limits.search_move_count = 0; /* they were of this position */
    task.search_ms = INT64_MAX;
    handle->is_guess = true;
    external_worker_search(handle->worker, &task);
}

/* What the worker says. */

static void external_on_ready(void *user)
{
    pursue(user);
}

static bool read_move(const ExternalHandle *handle, const UciResult *result, MoveChoice *out)
{
    *out = external_choice_of(result);
    return external_choice_read(handle->request.request.position, result, out);
}

static void external_on_failure(void *user, const char *why)
{
    ExternalHandle *handle = user;
    handle->is_known = false;
    handle->is_guess = false;
    if (!handle->has_request) {
        const ExternalEngine *engine = &source_of(handle)->engine;
        if (engine->on_failure)
            engine->on_failure(engine->user, source_of(handle)->source.name, why);
        return;
    }
    strike(handle, why);
    if (is_barred(handle))
        give_up_worker(handle);
    give_answer(handle, &(MoveChoice){ .move = MOVE_NONE });
}

static void external_on_result(void *user, const UciResult *result)
{
    ExternalHandle *handle = user;
    MoveChoice choice;
    UciResult kept = *result;
    assert(handle->has_request && handle->is_asked);
    if (!read_move(handle, result, &choice)) {
        const char *why = result->move[0] ? "it played an illegal move" : "it found no move";
        external_worker_restart(handle->worker, why); /* `result` is gone */
        external_on_failure(handle, why);
        return;
    }
    give_answer(handle, &choice);
    if (!handle->has_request && handle->worker)
        ponder(handle, &kept);
}

/* Seats. */

static void external_on_traffic(void *user, TranscriptKind kind, Text text)
{
    ExternalHandle *handle = user;
    for (Text rest = text; kind == TRANSCRIPT_TOLD && rest.len > 0;) {
        Text line = text_next_word(&rest, "\n");
        if (text_is(line, "go") || text_starts_with(line, "go "))
            text_copy(handle->go, sizeof handle->go, line);
    }
    if (handle->transcript)
        transcript_writer_put(handle->transcript, kind, text);
}

/* Without one the game is played all the same. */
static void begin_transcript(ExternalHandle *handle)
{
    const ExternalSource *source = source_of(handle);
    const MoveRequest *request = &handle->request.request;
    const TranscriptGame game = {
        .folder = source->engine.transcripts ? source->engine.transcripts : "",
        .game = request->game,
        .engine = source->source.name,
        .variant = variant_name(request->variant),
        .days = handle->version->config.transcript_days,
        .log = source->engine.log,
    };
    Error err = { 0 };
    if (!handle->transcript && request->game &&
        !transcript_writer_new(&handle->transcript, source->loop, &game, &err))
        log_warning(game.log, "engine", "no-transcript",
                    FIELDS(F("file", game.folder), F("why", err.text)));
}

static bool has_worker(ExternalHandle *handle)
{
    const ExternalOwner owner = { .on_ready = external_on_ready,
                                  .on_result = external_on_result,
                                  .on_failure = external_on_failure,
                                  .on_traffic = external_on_traffic,
                                  .user = handle };
    if (handle->worker)
        return true;
    external_version_leave(handle->version);
    handle->version = NULL;
    handle->worker = external_seats_take(source_of(handle)->seats, &handle->version);
    if (handle->worker)
        begin_transcript(handle);
    if (handle->worker)
        external_worker_assign(handle->worker, &owner);
    return handle->worker;
}

static SourceHandle *handle_new(Source *source, Error *err)
{
    ExternalSource *external = (ExternalSource *)source;
    ExternalHandle *handle = alloc_zeroed(sizeof *handle, "a game's place at an engine", err);
    if (!handle)
        return NULL;
    timer_init(external->loop, &handle->timer, handle);
    buf_init(&handle->position, UCI_SAY_MAX / 2);
    external->open_handles++;
    return &handle->base;
}

static void search(SourceHandle *base, const MoveRequest *request)
{
    ExternalHandle *handle = (ExternalHandle *)base;
    Buf position;
    buf_init(&position, UCI_SAY_MAX / 2);
    move_request_copy(&handle->request, request, clock_now_ms());
    uv_timer_stop(&handle->timer);
    handle->has_request = true;
    handle->is_asked = false;
    handle->is_stopped_early = false;
    bool ok = !is_barred(handle) && has_worker(handle) && uci_position_write(request, &position) &&
              !external_worker_is_out(handle->worker);
    handle->is_asked = ok && was_guessed(handle, &position);
    buf_release(&handle->position);
    handle->position = position;
    if (ok && handle->is_asked)
        return;
    if (handle->worker)
        external_worker_discard(handle->worker);
    if (!ok) {
        answer_none_soon(handle);
        return;
    }
    wait_for_start(handle);
    pursue(handle);
}

static void stop(SourceHandle *base)
{
    ExternalHandle *handle = (ExternalHandle *)base;
    if (!handle->has_request) {
        if (handle->is_guess)
            external_worker_discard(handle->worker);
        handle->is_guess = false;
        return;
    }
    handle->is_stopped_early = true;
    if (handle->is_asked)
        external_worker_stop(handle->worker);
    else if (!(handle->worker && external_worker_is_up(handle->worker)))
        answer_none_soon(handle);
}

static bool progress(SourceHandle *base, MoveChoice *out)
{
    const ExternalHandle *handle = (const ExternalHandle *)base;
    if (!handle->has_request || !handle->is_asked)
        return false;
    const UciTalk *talk = external_worker_talk(handle->worker);
    MoveChoice choice;
    if (talk->state != UCI_SEARCHING || talk->result.depth == 0 ||
        !read_move(handle, &talk->result, &choice))
        return false;
    choice.version = handle->request.request.version;
    *out = choice;
    return true;
}

static void external_on_handle_closed(uv_handle_t *handle);

static void handle_free(SourceHandle *base)
{
    ExternalHandle *handle = (ExternalHandle *)base;
    ExternalSource *source = source_of(handle);
    if (handle->is_spoiled)
        external_seats_blame(source->seats, handle->version);
    else if (handle->version)
        external_seats_praise(source->seats, handle->version);
    external_seats_give_back(source->seats, handle->worker, handle->version);
    handle->worker = NULL;
    handle->version = NULL;
    if (handle->transcript)
        transcript_writer_note(handle->transcript, TRANSCRIPT_END, "");
    transcript_writer_close(handle->transcript);
    handle->has_request = false;
    buf_release(&handle->position);
    uv_close((uv_handle_t *)&handle->timer, external_on_handle_closed);
}

static void external_on_closing_closed(uv_handle_t *handle)
{
    ExternalSource *source = handle->data;
    source_free(&source->source);
}

static void free_if_closed(ExternalSource *source)
{
    if (source->is_closing && source->open_handles == 0)
        uv_close((uv_handle_t *)&source->closing, external_on_closing_closed);
}

static void external_on_handle_closed(uv_handle_t *timer)
{
    ExternalHandle *handle = timer->data;
    ExternalSource *source = source_of(handle);
    free(handle);
    source->open_handles--;
    free_if_closed(source);
}

static void close_source(Source *base)
{
    ExternalSource *source = (ExternalSource *)base;
    external_seats_close(source->seats);
    source->seats = NULL;
    source->is_closing = true;
    free_if_closed(source);
}

/* Its section, whatever else is in there now. */
static void configure(Source *base, const Config *config)
{
    ExternalSource *source = (ExternalSource *)base;
    for (size_t i = 0; i < config->external_count; i++)
        if (strcmp(config->externals[i].name, source->name) == 0)
            external_seats_configure(source->seats, &config->externals[i]);
}

static void external_on_version(void *user, const ExternalVersion *version)
{
    ExternalSource *source = user;
    source->source.variants = version->config.variants;
}

static const SourceKind external_kind = {
    .handle_new = handle_new,
    .search = search,
    .stop = stop,
    .progress = progress,
    .lost_on_time = lost_on_time,
    .add_faults = add_faults,
    .handle_free = handle_free,
    .configure = configure,
    .close = close_source,
};

bool external_source_new(Source **out, uv_loop_t *loop, const ExternalEngine *engine, Error *err)
{
    ExternalSource *source = alloc_zeroed(sizeof *source, "an engine", err);
    if (!source)
        return false;
    timer_init(loop, &source->closing, source);
    if (!text_copy(source->name, sizeof source->name, text_of(engine->config->name)) ||
        !text_copy(source->syzygy, sizeof source->syzygy, text_of(engine->syzygy)))
        source->syzygy[0] = '\0';
    if (!text_copy(source->transcripts, sizeof source->transcripts, text_of(engine->transcripts)))
        source->transcripts[0] = '\0';
    source->source = (Source){ .kind = &external_kind, .name = source->name };
    source->loop = loop;
    source->secrets = *engine->secrets;
    source->engine = *engine;
    source->engine.secrets = &source->secrets;
    source->engine.syzygy = source->syzygy;
    source->engine.transcripts = source->transcripts;
    if (!external_seats_new(&source->seats, loop, &source->engine, external_on_version, source,
                            err)) {
        source_close(&source->source, NULL, NULL);
        return false;
    }
    source->engine.config = NULL; /* it was lent for the call */
    *out = &source->source;
    return true;
}

bool external_source_is_warm(const Source *source)
{
    return external_seats_is_warm(((const ExternalSource *)source)->seats);
}
