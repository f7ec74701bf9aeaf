/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_source.h"

#include "bot/ops/timer.h"
#include "bot/source/online_ask.h"
#include "bot/source/online_choice.h"
#include "bot/source/web_lookup.h"
#include "bot/source/ponder.h"
#include "engine/base/alloc.h"
#include "engine/base/clock.h"
#include "engine/base/check.h"

#include <stdlib.h>
#include <string.h>

enum { PAUSE_MS = 60000 /* after a 429 */ };

typedef struct OnlineSource OnlineSource;
typedef struct OnlineHandle OnlineHandle;

/* About one position: one service after the other, until one has a move or none is left. */
typedef struct {
    bool is_open; /* there is one */
    bool is_done; /* `found` is what came of it */
    Position position;
    MoveRequest
        request; /* its settings; nothing that it lends but `position`, which is the above */
    OnlineService services[ONLINE_SERVICE_COUNT];
    int count, at;   /* at: the service in turn; count: none is left */
    uint32_t missed; /* bit n: service n had no answer */
    MoveChoice found;
    MoveList candidates; /* that are as good; empty: there is no choice */
} Question;

struct OnlineHandle {
    SourceHandle base;
    OnlineHandle *next;
    char game[MOVE_REQUEST_GAME_SIZE];
    bool is_awaited;                        /* a request waits for the question's answer */
    uint32_t version;                       /* of that order */
    int64_t until_ms[ONLINE_SERVICE_COUNT]; /* it waits for each */
    int64_t due_ms; /* when it waits no longer for whom it does; INT64_MAX: it does not wait */
    int misses[ONLINE_SERVICE_COUNT]; /* in a row */
    Question question;
};

struct OnlineSource {
    Source source;
    OnlineSourceOptions options;
    uv_timer_t timer;
    OnlineHandle *handles;
    WebLookup lookups[ONLINE_SERVICE_COUNT];
    OnlineHandle *askers[ONLINE_SERVICE_COUNT]; /* the owner of the question; NULL: none any more */
    int64_t paused_until_ms[ONLINE_SERVICE_COUNT];
    int open_parts; /* of closing: the timer and the connections */
};

static OnlineSource *source_of(const OnlineHandle *handle)
{
    return (OnlineSource *)handle->base.source;
}

static void online_source_on_timer(uv_timer_t *timer);

static void arm(OnlineSource *source)
{
    int64_t due = INT64_MAX;
    for (const OnlineHandle *handle = source->handles; handle; handle = handle->next)
        due = handle->due_ms < due ? handle->due_ms : due;
    timer_set(&source->timer, online_source_on_timer, due);
}

static void set_due(OnlineHandle *handle, int64_t at_ms)
{
    handle->due_ms = handle->is_awaited ? at_ms : INT64_MAX;
    arm(source_of(handle));
}

static void pause_service(OnlineSource *source, OnlineService service, const HttpHead *head)
{
    int64_t wait_ms = head->retry_after_s * 1000;
    if (wait_ms < PAUSE_MS)
        wait_ms = PAUSE_MS;
    source->paused_until_ms[service] = clock_now_ms() + wait_ms;
    log_warning(source->options.log, "online", "service-paused",
                FIELDS(F("source", online_name(service)), F("status", head->status),
                       F("retry_in_ms", wait_ms)));
}

/* Asking. */

static void go_on(OnlineHandle *handle);

static bool waits_for(const OnlineHandle *handle, OnlineService service)
{
    const Question *question = &handle->question;
    return question->is_open && !question->is_done && question->services[question->at] == service;
}

/* A request about the handle's question runs. */
static bool is_asked(const OnlineHandle *handle, OnlineService service)
{
    return source_of(handle)->askers[service] == handle;
}

/* Queries the service for the handles that wait, games that owe a move first. */
static void serve_next(OnlineSource *source, OnlineService service)
{
    for (int pass = 0; pass < 2; pass++) {
        for (OnlineHandle *handle = source->handles; handle && !source->askers[service];
             handle = handle->next)
            if (handle->is_awaited == (pass == 0) && waits_for(handle, service))
                go_on(handle);
    }
}

static void drop_question(OnlineHandle *handle)
{
    OnlineSource *source = source_of(handle);
    handle->question.is_open = false;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++) {
        if (!is_asked(handle, (OnlineService)i))
            continue;
        web_lookup_cancel(&source->lookups[i]);
        source->askers[i] = NULL;
        serve_next(source, (OnlineService)i);
    }
}

static void finish(OnlineHandle *handle)
{
    handle->question.is_done = true;
    set_due(handle, clock_now_ms()); /* from the loop */
}

static void log_answer(const OnlineSource *source, OnlineService service,
                       const WebLookupAnswer *answer)
{
    static const char *const words[] = { [ONLINE_FOUND] = "found",
                                         [ONLINE_NOTHING] = "nothing",
                                         [ONLINE_FAILED] = "failed",
                                         [ONLINE_LIMITED] = "limited" };
    const OnlineHandle *handle = source->askers[service];
    log_debug(source->options.log, "online", "asked",
              FIELDS(F("id", handle ? handle->game : ""), F("source", online_name(service)),
                     F("outcome", words[answer->outcome]), F("ms", answer->took_ms),
                     F("for", !handle              ? "nobody"
                              : handle->is_awaited ? "now"
                                                   : "later"),
                     F("why", answer->why.text)));
}

static void take_answer(OnlineHandle *handle, OnlineService service, const WebLookupAnswer *answer)
{
    Question *question = &handle->question;
    if (answer->outcome == ONLINE_FOUND) {
        question->found = answer->found;
        question->candidates = answer->candidates;
        finish(handle);
    } else {
        bool is_usual = service == ONLINE_TABLEBASE && answer->outcome == ONLINE_NOTHING &&
                        online_may_be_endgame(&question->position);
        if (!is_usual)
            question->missed |= 1U << service;
        question->at++;
        go_on(handle);
    }
}

static void online_source_on_answer(void *user, WebLookup *lookup, const WebLookupAnswer *answer)
{
    OnlineSource *source = user;
    OnlineService service = lookup->options.service;
    OnlineHandle *handle = source->askers[service];
    log_answer(source, service, answer);
    source->askers[service] = NULL;
    if (answer->outcome == ONLINE_LIMITED)
        pause_service(source, service, &answer->head);
    if (handle)
        take_answer(handle, service, answer);
    serve_next(source, service);
}

/* In the place of a question whose move has gone. */
static bool begin(OnlineHandle *handle, OnlineService service)
{
    OnlineSource *source = source_of(handle);
    const Question *question = &handle->question;
    Error err = { 0 };
    if (!web_lookup_run(&source->lookups[service], &question->position, &question->request, &err)) {
        log_warning(source->options.log, "online", "service-not-asked",
                    FIELDS(F("source", online_name(service)), F("why", err.text)));
        return false;
    }
    source->askers[service] = handle;
    return true;
}

static bool may_ask(const OnlineHandle *handle, OnlineService service)
{
    const OnlineSource *source = source_of(handle);
    const Ratelimit *limit = source->options.cloud_limit;
    int64_t now_ms = clock_now_ms();
    if (service == ONLINE_CLOUD && limit && ratelimit_wait_ms(limit, FAMILY_OTHER, now_ms) > 0)
        return false;
    if (handle->is_awaited && handle->until_ms[service] <= now_ms)
        return false;
    return handle->misses[service] < handle->question.request.online.misses &&
           source->paused_until_ms[service] <= now_ms;
}

/* Asks the next who may be asked; waits where another game is asking. */
static void go_on(OnlineHandle *handle)
{
    Question *question = &handle->question;
    for (; question->at < question->count; question->at++) {
        OnlineService service = question->services[question->at];
        if (!may_ask(handle, service))
            continue;
        if (source_of(handle)->askers[service] || begin(handle, service)) {
            set_due(handle, handle->until_ms[service]);
            return;
        }
    }
    finish(handle);
}

/* Waits no longer. The request goes on until another question needs the service: its connection
 * will be of use. */
static void give_up_waiting(OnlineHandle *handle)
{
    Question *question = &handle->question;
    OnlineService service = question->services[question->at];
    if (is_asked(handle, service)) {
        question->missed |= 1U << service;
        source_of(handle)->askers[service] = NULL;
    }
    question->at++;
    go_on(handle);
    serve_next(source_of(handle), service);
}

static void open_question(OnlineHandle *handle, const Position *position,
                          const MoveRequest *request)
{
    Question *question = &handle->question;
    drop_question(handle);
    question->is_open = true;
    question->is_done = false;
    question->position = *position;
    question->request = *request;
    question->request.position = &question->position;
    question->request.game = question->request.fen = question->request.engines = NULL;
    question->request.opponent = NULL;
    question->request.moves = (Text){ 0 };
    question->missed = 0;
    question->found = (MoveChoice){ .move = MOVE_NONE };
    question->candidates.count = 0;
    question->at = 0;
    question->count = online_plan(question->services, &question->request,
                                  source_of(handle)->options.local_pieces);
    go_on(handle);
}

/* Requests. */

static void count_miss(OnlineHandle *handle, OnlineService service)
{
    if (++handle->misses[service] == handle->question.request.online.misses)
        log_info(source_of(handle)->options.log, "online", "service-skipped",
                 FIELDS(F("id", handle->game), F("source", online_name(service)),
                        F("misses", handle->misses[service])));
}

static void deliver(OnlineHandle *handle)
{
    Question *question = &handle->question;
    MoveChoice choice = question->found;
    for (int service = 0; service < ONLINE_SERVICE_COUNT; service++)
        if (question->missed >> service & 1)
            count_miss(handle, (OnlineService)service);
    if (choice.move != MOVE_NONE)
        handle->misses[question->services[question->at]] = 0;
    question->is_open = false;
    choice.version = handle->version;
    choice.candidates = question->candidates.count > 0 ? &question->candidates : NULL;
    handle->is_awaited = false;
    handle->due_ms = INT64_MAX;
    handle->base.on_move_found(handle->base.user, &choice);
}

static OnlineHandle *find_due(const OnlineSource *source, int64_t now_ms)
{
    OnlineHandle *handle = source->handles;
    while (handle && handle->due_ms > now_ms)
        handle = handle->next;
    return handle;
}

static void online_source_on_timer(uv_timer_t *timer)
{
    OnlineSource *source = timer->data;
    int64_t now_ms = clock_now_ms();
    OnlineHandle *handle;
    while ((handle = find_due(source, now_ms))) {
        if (handle->question.is_done)
            deliver(handle);
        else
            give_up_waiting(handle);
    }
    arm(source);
}

/* The position queried on the opponent's turn is now on the board. */
static bool is_foreseen(const Question *question, const Position *position)
{
    return question->is_open && question->position.key == position->key &&
           question->position.ply == position->ply &&
           question->position.halfmove_clock == position->halfmove_clock;
}

static void online_search(SourceHandle *base, const MoveRequest *request)
{
    OnlineHandle *handle = (OnlineHandle *)base;
    const Question *question = &handle->question;
    int64_t now_ms = clock_now_ms();
    text_copy(handle->game, sizeof handle->game, text_of(request->game));
    handle->version = request->version;
    handle->is_awaited = true;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++)
        handle->until_ms[i] = now_ms + online_deadline_ms(request, (OnlineService)i);
    if (!is_foreseen(question, request->position))
        open_question(handle, request->position, request);
    else
        set_due(handle,
                question->is_done ? now_ms : handle->until_ms[question->services[question->at]]);
}

static void online_stop(SourceHandle *base)
{
    OnlineHandle *handle = (OnlineHandle *)base;
    if (!handle->is_awaited || handle->question.is_done)
        return;
    drop_question(handle);
    finish(handle);
}

static void online_ponder(SourceHandle *base, const MoveRequest *request, const MoveChoice *played)
{
    OnlineHandle *handle = (OnlineHandle *)base;
    PonderPlan plan;
    handle->is_awaited = false;
    set_due(handle, INT64_MAX);
    if (request->online.services.count > 0 && played->reply != MOVE_NONE &&
        ponder_plan(&plan, request, request->position, played, 0))
        open_question(handle, &plan.position, request);
}

static SourceHandle *online_handle_new(Source *base, Error *err)
{
    OnlineSource *source = (OnlineSource *)base;
    OnlineHandle *handle =
        alloc_zeroed(sizeof *handle, "a game's place at the services on the web", err);
    if (!handle)
        return NULL;
    handle->due_ms = INT64_MAX;
    handle->next = source->handles;
    source->handles = handle;
    return &handle->base;
}

static void online_handle_free(SourceHandle *base)
{
    OnlineHandle *handle = (OnlineHandle *)base;
    OnlineSource *source = source_of(handle);
    OnlineHandle **at = &source->handles;
    drop_question(handle);
    while (*at != handle)
        at = &(*at)->next;
    *at = handle->next;
    free(handle);
    arm(source);
}

static void online_source_on_part_closed(void *user)
{
    OnlineSource *source = user;
    if (--source->open_parts > 0)
        return;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++)
        web_lookup_release(&source->lookups[i]);
    source_free(&source->source);
}

static void online_source_on_timer_closed(uv_handle_t *handle)
{
    online_source_on_part_closed(handle->data);
}

static void online_close(Source *base)
{
    OnlineSource *source = (OnlineSource *)base;
    CHECK(!source->handles);
    source->open_parts = 2;
    http_close(source->options.http, online_source_on_part_closed, source);
    uv_close((uv_handle_t *)&source->timer, online_source_on_timer_closed);
}

static const SourceKind online_kind = {
    .handle_new = online_handle_new,
    .search = online_search,
    .stop = online_stop,
    .ponder = online_ponder,
    .handle_free = online_handle_free,
    .close = online_close,
};

bool online_source_new(Source **out, uv_loop_t *loop, const OnlineSourceOptions *options,
                       Error *err)
{
    OnlineSource *source = alloc_zeroed(sizeof *source, "the services on the web", err);
    if (!source)
        return false;
    source->source = (Source){ .kind = &online_kind, .name = "online", .variants = VARIANTS_ALL };
    source->options = *options;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++) {
        const WebLookupOptions lookup = { .service = (OnlineService)i,
                                          .url = options->urls[i],
                                          .http = options->http,
                                          .authorize = i == ONLINE_EXPLORER && options->has_token,
                                          .seed = &source->options.seed,
                                          .on_answer = online_source_on_answer,
                                          .user = source };
        web_lookup_init(&source->lookups[i], &lookup);
    }
    timer_init(loop, &source->timer, source);
    *out = &source->source;
    return true;
}
