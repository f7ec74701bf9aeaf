/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_source.h"

#include "bot/ops/timer.h"
#include "bot/source/online_ask.h"
#include "bot/source/online_choice.h"
#include "bot/source/ponder.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAUSE_MS = 60000,  /* after a 429 */
    TIMEOUT_MS = 5000, /* of a request at least: beyond the deadline its connection is of use */
    LINE_MAX_BYTES = 1 << 18, /* of a streamed answer */
};

typedef struct OnlineSource OnlineSource;
typedef struct OnlineSeat OnlineSeat;

/* About one position: one service after the other, until one has a move or nobody is left. */
typedef struct {
    bool is_open;    /* there is one */
    bool is_done;    /* `found` is what came of it */
    bool is_too_old; /* its move has gone; only the last request still runs */
    Position position;
    SourceOrder order; /* its settings; nothing that it lends but `position`, which is the above */
    OnlineService services[ONLINE_SERVICE_COUNT];
    int count, at;        /* at: who is asked, or waited for; count: nobody is left */
    HttpRequest *request; /* NULL: waits until another game's question is answered */
    Buf line;             /* of a streamed answer */
    int64_t asked_at_ms;
    uint32_t missed; /* bit n: service n was asked in vain */
    Thought found;
} Question;

struct OnlineSeat {
    SourceSeat seat;
    SourceOnThought *on_thought;
    void *user;
    OnlineSeat *next;
    char game[ORDER_GAME_SIZE];
    bool is_awaited;                  /* an order waits for the question's answer */
    uint32_t version;                 /* of that order */
    int64_t due_ms;                   /* when that is due; INT64_MAX: nothing is */
    int misses[ONLINE_SERVICE_COUNT]; /* in a row */
    Question question;
};

struct OnlineSource {
    Source source;
    OnlineSourceOptions options;
    uv_timer_t timer;
    OnlineSeat *seats;
    OnlineSeat *asker[ONLINE_SERVICE_COUNT]; /* whose question it answers now */
    int64_t paused_until_ms[ONLINE_SERVICE_COUNT];
    int open_parts; /* of closing: the timer and the connections */
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static OnlineSource *source_of(const OnlineSeat *seat)
{
    return (OnlineSource *)seat->seat.source;
}

static void on_timer(uv_timer_t *timer);

static void arm(OnlineSource *source)
{
    int64_t due = INT64_MAX;
    for (const OnlineSeat *seat = source->seats; seat; seat = seat->next)
        due = seat->due_ms < due ? seat->due_ms : due;
    timer_set(&source->timer, on_timer, due);
}

static void set_due(OnlineSeat *seat, int64_t at_ms)
{
    seat->due_ms = at_ms;
    arm(source_of(seat));
}

static void pause_service(OnlineSource *source, OnlineService service, const HttpHead *head)
{
    int64_t wait_ms = head->retry_after_s * 1000;
    if (wait_ms < PAUSE_MS)
        wait_ms = PAUSE_MS;
    source->paused_until_ms[service] = clock_now_ms() + wait_ms;
    log_warning(source->options.log, "online", "paused source=%s status=%d seconds=%lld",
                online_name(service), head->status, (long long)(wait_ms / 1000));
}

/* Asking. */

static void go_on(OnlineSeat *seat);

static bool waits_for(const OnlineSeat *seat, OnlineService service)
{
    const Question *question = &seat->question;
    return question->is_open && !question->is_done && !question->request &&
           question->services[question->at] == service;
}

/* Those who wait for the service are asked about, games that owe a move first. */
static void serve_next(OnlineSource *source, OnlineService service)
{
    for (int pass = 0; pass < 2; pass++) {
        for (OnlineSeat *seat = source->seats; seat && !source->asker[service]; seat = seat->next)
            if (seat->is_awaited == (pass == 0) && waits_for(seat, service))
                go_on(seat);
    }
}

/* Which service was it? The request is no more. */
static OnlineService end_request(OnlineSeat *seat)
{
    Question *question = &seat->question;
    OnlineService service = question->services[question->at];
    question->request = NULL;
    source_of(seat)->asker[service] = NULL;
    return service;
}

static void drop_question(OnlineSeat *seat)
{
    Question *question = &seat->question;
    question->is_open = false;
    if (!question->request)
        return;
    http_cancel(question->request);
    OnlineService service = end_request(seat);
    serve_next(source_of(seat), service);
}

static void finish(OnlineSeat *seat)
{
    seat->question.is_done = true;
    if (seat->is_awaited)
        set_due(seat, clock_now_ms()); /* from the loop */
}

static void take_answer(OnlineSeat *seat, const HttpResult *result)
{
    static const char *const words[] = { [ONLINE_FOUND] = "found",
                                         [ONLINE_NOTHING] = "nothing",
                                         [ONLINE_FAILED] = "failed",
                                         [ONLINE_LIMITED] = "limited" };
    OnlineSource *source = source_of(seat);
    Question *question = &seat->question;
    OnlineService service = end_request(seat);
    Thought found = { .move = MOVE_NONE };
    Error why = { 0 };
    OnlineOutcome asked = ONLINE_FAILED;
    if (result->outcome == HTTP_ANSWERED)
        asked =
            online_judge(&found, service, result->head.status, result->body, &question->position,
                         &question->order.online, &source->options.seed, &why);
    else
        error_set(&why, ERR_IO, "%s", result->error);
    int64_t took_ms = clock_now_ms() - question->asked_at_ms;
    log_debug(source->options.log, "online",
              "asked id=%s source=%s outcome=%s ms=%lld for=%s why=%s", seat->game,
              online_name(service), words[asked], (long long)took_ms,
              question->is_too_old ? "nobody"
              : seat->is_awaited   ? "now"
                                   : "later",
              why.text);
    if (asked == ONLINE_LIMITED)
        pause_service(source, service, &result->head);
    if (question->is_too_old) {
        question->is_open = false;
    } else if (asked == ONLINE_FOUND) {
        question->found = found;
        question->found.source = online_name(service);
        question->found.time_ms = took_ms;
        finish(seat);
    } else {
        question->missed |= 1U << service;
        question->at++;
        go_on(seat);
    }
    serve_next(source, service);
}

static void on_answer(void *user, const HttpResult *result)
{
    OnlineSeat *seat = user;
    HttpResult whole = *result;
    const Buf *line = &seat->question.line;
    if (line->len > 0) /* a stream that ended without the end of its line */
        whole.body = (Text){ line->text, line->len };
    take_answer(seat, &whole);
}

/* A streamed answer: the first line that is not empty is enough. */
static void on_bytes(void *user, const char *bytes, size_t len)
{
    OnlineSeat *seat = user;
    Question *question = &seat->question;
    HttpResult result = { .outcome = HTTP_ANSWERED, .head = { .status = 200 } };
    for (; question->line.len == 0 && len > 0 && *bytes == '\n'; len--)
        bytes++;
    const char *end = len > 0 ? memchr(bytes, '\n', len) : NULL;
    if (!buf_put(&question->line, bytes, end ? (size_t)(end - bytes) : len))
        result.outcome = HTTP_TOO_LARGE;
    else if (!end)
        return;
    http_cancel(question->request);
    result.error = "the line is too long";
    result.body = (Text){ question->line.text, question->line.len };
    take_answer(seat, &result);
}

static bool begin_request(OnlineSeat *seat, OnlineService service)
{
    OnlineSource *source = source_of(seat);
    Question *question = &seat->question;
    char url[ONLINE_URL_SIZE];
    Error err = { 0 };
    int64_t deadline_ms = question->order.online.deadline_ms;
    const HttpSpec spec = { .method = HTTP_GET,
                            .url = url,
                            .authorize = service == ONLINE_EXPLORER && source->options.has_token,
                            .timeout_ms = deadline_ms > TIMEOUT_MS ? deadline_ms : TIMEOUT_MS };
    HttpCallbacks callbacks = { .on_done = on_answer, .user = seat };
    if (online_is_streamed(service, &question->order))
        callbacks.on_bytes = on_bytes;
    buf_reset(&question->line);
    if (!online_url(url, service, source->options.urls[service], &question->position,
                    &question->order))
        return false;
    question->request = http_request(source->options.http, &spec, &callbacks, &err);
    if (!question->request) {
        log_warning(source->options.log, "online", "not-asked source=%s why=%s",
                    online_name(service), err.text);
        return false;
    }
    source->asker[service] = seat;
    question->asked_at_ms = clock_now_ms();
    return true;
}

static bool may_ask(const OnlineSeat *seat, OnlineService service)
{
    const OnlineSource *source = source_of(seat);
    const Ratelimit *limit = source->options.cloud_limit;
    int64_t now_ms = clock_now_ms();
    if (service == ONLINE_CLOUD && limit && ratelimit_wait_ms(limit, FAMILY_REST, now_ms) > 0)
        return false;
    return seat->misses[service] < seat->question.order.online.misses &&
           source->paused_until_ms[service] <= now_ms;
}

/* Asks the next who may be asked; waits where another game is asking. */
static void go_on(OnlineSeat *seat)
{
    Question *question = &seat->question;
    for (; question->at < question->count; question->at++) {
        OnlineService service = question->services[question->at];
        if (!may_ask(seat, service))
            continue;
        if (source_of(seat)->asker[service] || begin_request(seat, service))
            return;
    }
    finish(seat);
}

static void open_question(OnlineSeat *seat, const Position *position, const SourceOrder *order)
{
    Question *question = &seat->question;
    drop_question(seat);
    question->is_open = true;
    question->is_done = question->is_too_old = false;
    question->position = *position;
    question->order = *order;
    question->order.position = &question->position;
    question->order.game = question->order.fen = question->order.engines = NULL;
    question->order.moves = (Text){ 0 };
    question->missed = 0;
    question->found = (Thought){ .move = MOVE_NONE };
    question->at = 0;
    question->count =
        online_plan(question->services, &question->order, source_of(seat)->options.local_men);
    go_on(seat);
}

/* Orders. */

static void count_miss(OnlineSeat *seat, OnlineService service)
{
    if (++seat->misses[service] == seat->question.order.online.misses)
        log_info(source_of(seat)->options.log, "online", "left id=%s source=%s misses=%d",
                 seat->game, online_name(service), seat->misses[service]);
}

static void deliver(OnlineSeat *seat)
{
    Question *question = &seat->question;
    Thought thought = { .move = MOVE_NONE };
    if (question->is_done)
        thought = question->found;
    else if (question->request)
        question->missed |= 1U << question->services[question->at];
    for (int service = 0; service < ONLINE_SERVICE_COUNT; service++)
        if (question->missed >> service & 1)
            count_miss(seat, (OnlineService)service);
    if (thought.move != MOVE_NONE)
        seat->misses[question->services[question->at]] = 0;
    question->is_too_old = true;
    question->is_done = true;
    question->is_open = question->request;
    thought.version = seat->version;
    seat->is_awaited = false;
    seat->due_ms = INT64_MAX;
    seat->on_thought(seat->user, &thought);
}

static OnlineSeat *find_due(const OnlineSource *source, int64_t now_ms)
{
    OnlineSeat *seat = source->seats;
    while (seat && seat->due_ms > now_ms)
        seat = seat->next;
    return seat;
}

static void on_timer(uv_timer_t *timer)
{
    OnlineSource *source = timer->data;
    int64_t now_ms = clock_now_ms();
    OnlineSeat *seat;
    while ((seat = find_due(source, now_ms)))
        deliver(seat);
    arm(source);
}

/* What was asked about while the opponent thought is what stands on the board now. */
static bool is_foreseen(const Question *question, const Position *position)
{
    return question->is_open && !question->is_too_old && question->position.key == position->key &&
           question->position.ply == position->ply &&
           question->position.halfmove_clock == position->halfmove_clock;
}

static void online_think(SourceSeat *base, const SourceOrder *order)
{
    OnlineSeat *seat = (OnlineSeat *)base;
    Text game = text_of(order->game);
    size_t len = game.len < sizeof seat->game ? game.len : sizeof seat->game - 1;
    if (len > 0)
        memcpy(seat->game, game.at, len);
    seat->game[len] = '\0';
    seat->version = order->version;
    seat->is_awaited = true;
    seat->due_ms = clock_now_ms() + online_deadline_ms(order);
    if (!is_foreseen(&seat->question, order->position))
        open_question(seat, order->position, order);
    if (seat->question.is_done)
        seat->due_ms = clock_now_ms();
    arm(source_of(seat));
}

static void online_stop(SourceSeat *base)
{
    OnlineSeat *seat = (OnlineSeat *)base;
    if (!seat->is_awaited || seat->question.is_done)
        return;
    drop_question(seat);
    finish(seat);
}

static void online_look_ahead(SourceSeat *base, const SourceOrder *order, const Thought *played)
{
    OnlineSeat *seat = (OnlineSeat *)base;
    PonderPlan plan;
    if (order->online.services.count == 0 || seat->question.request ||
        !ponder_plan(&plan, order, order->position, played, 0))
        return;
    open_question(seat, &plan.position, order);
}

static SourceSeat *online_seat(Source *base, SourceOnThought *on_thought, void *user, Error *err)
{
    OnlineSource *source = (OnlineSource *)base;
    OnlineSeat *seat = calloc(1, sizeof *seat);
    if (!seat) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the services on the web");
        return NULL;
    }
    seat->seat.source = base;
    seat->on_thought = on_thought;
    seat->user = user;
    seat->due_ms = INT64_MAX;
    buf_init(&seat->question.line, LINE_MAX_BYTES);
    seat->next = source->seats;
    source->seats = seat;
    return &seat->seat;
}

static void online_leave(SourceSeat *base)
{
    OnlineSeat *seat = (OnlineSeat *)base;
    OnlineSource *source = source_of(seat);
    OnlineSeat **at = &source->seats;
    drop_question(seat);
    while (*at != seat)
        at = &(*at)->next;
    *at = seat->next;
    buf_release(&seat->question.line);
    free(seat);
    arm(source);
}

static void on_part_closed(void *user)
{
    OnlineSource *source = user;
    if (--source->open_parts > 0)
        return;
    void (*on_closed)(void *) = source->on_closed;
    void *of_user = source->on_closed_user;
    free(source);
    if (on_closed)
        on_closed(of_user);
}

static void on_timer_closed(uv_handle_t *handle)
{
    on_part_closed(handle->data);
}

static void online_close(Source *base, void (*on_closed)(void *user), void *user)
{
    OnlineSource *source = (OnlineSource *)base;
    assert(!source->seats);
    source->on_closed = on_closed;
    source->on_closed_user = user;
    source->open_parts = 2;
    http_close(source->options.http, on_part_closed, source);
    uv_close((uv_handle_t *)&source->timer, on_timer_closed);
}

static const SourceKind online_kind = {
    .seat = online_seat,
    .think = online_think,
    .stop = online_stop,
    .look_ahead = online_look_ahead,
    .leave = online_leave,
    .close = online_close,
};

bool online_source_new(Source **out, uv_loop_t *loop, const OnlineSourceOptions *options,
                       Error *err)
{
    OnlineSource *source = calloc(1, sizeof *source);
    if (!source) {
        error_set(err, ERR_MEMORY, "no memory for the services on the web");
        return false;
    }
    source->source = (Source){ &online_kind, "online", VARIANTS_OF_CHESS };
    source->options = *options;
    uv_timer_init(loop, &source->timer);
    source->timer.data = source;
    *out = &source->source;
    return true;
}
