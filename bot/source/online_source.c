/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/online_source.h"

#include "bot/ops/timer.h"
#include "bot/source/online_ask.h"
#include "bot/source/online_choice.h"
#include "bot/source/web_lookup.h"
#include "bot/source/ponder.h"
#include "engine/base/clock.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { PAUSE_MS = 60000 /* after a 429 */ };

typedef struct OnlineSource OnlineSource;
typedef struct OnlineHandle OnlineHandle;

/* About one position: one service after the other, until one has a move or nobody is left. */
typedef struct {
    bool is_open; /* there is one */
    bool is_done; /* `found` is what came of it */
    Position position;
    MoveRequest order; /* its settings; nothing that it lends but `position`, which is the above */
    OnlineService services[ONLINE_SERVICE_COUNT];
    int count, at;   /* at: who is asked, or waited for; count: nobody is left */
    uint32_t missed; /* bit n: service n was asked in vain */
    MoveChoice found;
    MoveList among; /* that are as good; empty: there is no choice */
} Question;

struct OnlineHandle {
    SourceHandle seat;
    SourceOnMove *on_move_found;
    void *user;
    OnlineHandle *next;
    char game[MOVE_REQUEST_GAME_SIZE];
    bool is_awaited;                        /* an order waits for the question's answer */
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
    OnlineHandle *seats;
    WebLookup lookups[ONLINE_SERVICE_COUNT];
    OnlineHandle *askers[ONLINE_SERVICE_COUNT]; /* whose question it is; NULL: nobody's any more */
    int64_t paused_until_ms[ONLINE_SERVICE_COUNT];
    int open_parts; /* of closing: the timer and the connections */
    void (*on_closed)(void *user);
    void *on_closed_user;
};

static OnlineSource *source_of(const OnlineHandle *seat)
{
    return (OnlineSource *)seat->seat.source;
}

static void on_timer(uv_timer_t *timer);

static void arm(OnlineSource *source)
{
    int64_t due = INT64_MAX;
    for (const OnlineHandle *seat = source->seats; seat; seat = seat->next)
        due = seat->due_ms < due ? seat->due_ms : due;
    timer_set(&source->timer, on_timer, due);
}

static void set_due(OnlineHandle *seat, int64_t at_ms)
{
    seat->due_ms = seat->is_awaited ? at_ms : INT64_MAX;
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

static void go_on(OnlineHandle *seat);

static bool waits_for(const OnlineHandle *seat, OnlineService service)
{
    const Question *question = &seat->question;
    return question->is_open && !question->is_done && question->services[question->at] == service;
}

/* A request about the seat's question runs. */
static bool is_asked(const OnlineHandle *seat, OnlineService service)
{
    return source_of(seat)->askers[service] == seat;
}

/* Those who wait for the service are asked about, games that owe a move first. */
static void serve_next(OnlineSource *source, OnlineService service)
{
    for (int pass = 0; pass < 2; pass++) {
        for (OnlineHandle *seat = source->seats; seat && !source->askers[service];
             seat = seat->next)
            if (seat->is_awaited == (pass == 0) && waits_for(seat, service))
                go_on(seat);
    }
}

static void drop_question(OnlineHandle *seat)
{
    OnlineSource *source = source_of(seat);
    seat->question.is_open = false;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++) {
        if (!is_asked(seat, (OnlineService)i))
            continue;
        web_lookup_cancel(&source->lookups[i]);
        source->askers[i] = NULL;
        serve_next(source, (OnlineService)i);
    }
}

static void finish(OnlineHandle *seat)
{
    seat->question.is_done = true;
    set_due(seat, clock_now_ms()); /* from the loop */
}

static void log_answer(const OnlineSource *source, OnlineService service,
                       const WebLookupAnswer *answer)
{
    static const char *const words[] = { [ONLINE_FOUND] = "found",
                                         [ONLINE_NOTHING] = "nothing",
                                         [ONLINE_FAILED] = "failed",
                                         [ONLINE_LIMITED] = "limited" };
    const OnlineHandle *seat = source->askers[service];
    log_debug(source->options.log, "online",
              "asked id=%s source=%s outcome=%s ms=%lld for=%s why=%s", seat ? seat->game : "",
              online_name(service), words[answer->outcome], (long long)answer->took_ms,
              !seat              ? "nobody"
              : seat->is_awaited ? "now"
                                 : "later",
              answer->why.text);
}

static void take_answer(OnlineHandle *seat, OnlineService service, const WebLookupAnswer *answer)
{
    Question *question = &seat->question;
    if (answer->outcome == ONLINE_FOUND) {
        question->found = answer->found;
        question->among = answer->among;
        finish(seat);
    } else {
        bool is_usual = service == ONLINE_TABLEBASE && answer->outcome == ONLINE_NOTHING &&
                        online_may_be_endgame(&question->position);
        if (!is_usual)
            question->missed |= 1U << service;
        question->at++;
        go_on(seat);
    }
}

static void on_answer(void *user, WebLookup *lookup, const WebLookupAnswer *answer)
{
    OnlineSource *source = user;
    OnlineService service = lookup->options.service;
    OnlineHandle *seat = source->askers[service];
    log_answer(source, service, answer);
    source->askers[service] = NULL;
    if (answer->outcome == ONLINE_LIMITED)
        pause_service(source, service, &answer->head);
    if (seat)
        take_answer(seat, service, answer);
    serve_next(source, service);
}

/* In the place of a question whose move has gone. */
static bool begin(OnlineHandle *seat, OnlineService service)
{
    OnlineSource *source = source_of(seat);
    const Question *question = &seat->question;
    Error err = { 0 };
    if (!web_lookup_run(&source->lookups[service], &question->position, &question->order, &err)) {
        log_warning(source->options.log, "online", "not-asked source=%s why=%s",
                    online_name(service), err.text);
        return false;
    }
    source->askers[service] = seat;
    return true;
}

static bool may_ask(const OnlineHandle *seat, OnlineService service)
{
    const OnlineSource *source = source_of(seat);
    const Ratelimit *limit = source->options.cloud_limit;
    int64_t now_ms = clock_now_ms();
    if (service == ONLINE_CLOUD && limit && ratelimit_wait_ms(limit, FAMILY_REST, now_ms) > 0)
        return false;
    if (seat->is_awaited && seat->until_ms[service] <= now_ms)
        return false;
    return seat->misses[service] < seat->question.order.online.misses &&
           source->paused_until_ms[service] <= now_ms;
}

/* Asks the next who may be asked; waits where another game is asking. */
static void go_on(OnlineHandle *seat)
{
    Question *question = &seat->question;
    for (; question->at < question->count; question->at++) {
        OnlineService service = question->services[question->at];
        if (!may_ask(seat, service))
            continue;
        if (source_of(seat)->askers[service] || begin(seat, service)) {
            set_due(seat, seat->until_ms[service]);
            return;
        }
    }
    finish(seat);
}

/* Waits no longer. The request goes on for as long as nobody else has a question: its connection
 * will be of use. */
static void give_up_waiting(OnlineHandle *seat)
{
    Question *question = &seat->question;
    OnlineService service = question->services[question->at];
    if (is_asked(seat, service)) {
        question->missed |= 1U << service;
        source_of(seat)->askers[service] = NULL;
    }
    question->at++;
    go_on(seat);
    serve_next(source_of(seat), service);
}

static void open_question(OnlineHandle *seat, const Position *position, const MoveRequest *order)
{
    Question *question = &seat->question;
    drop_question(seat);
    question->is_open = true;
    question->is_done = false;
    question->position = *position;
    question->order = *order;
    question->order.position = &question->position;
    question->order.game = question->order.fen = question->order.engines = NULL;
    question->order.moves = (Text){ 0 };
    question->missed = 0;
    question->found = (MoveChoice){ .move = MOVE_NONE };
    question->among.count = 0;
    question->at = 0;
    question->count =
        online_plan(question->services, &question->order, source_of(seat)->options.local_men);
    go_on(seat);
}

/* Orders. */

static void count_miss(OnlineHandle *seat, OnlineService service)
{
    if (++seat->misses[service] == seat->question.order.online.misses)
        log_info(source_of(seat)->options.log, "online", "left id=%s source=%s misses=%d",
                 seat->game, online_name(service), seat->misses[service]);
}

static void deliver(OnlineHandle *seat)
{
    Question *question = &seat->question;
    MoveChoice thought = question->found;
    for (int service = 0; service < ONLINE_SERVICE_COUNT; service++)
        if (question->missed >> service & 1)
            count_miss(seat, (OnlineService)service);
    if (thought.move != MOVE_NONE)
        seat->misses[question->services[question->at]] = 0;
    question->is_open = false;
    thought.version = seat->version;
    thought.among = question->among.count > 0 ? &question->among : NULL;
    seat->is_awaited = false;
    seat->due_ms = INT64_MAX;
    seat->on_move_found(seat->user, &thought);
}

static OnlineHandle *find_due(const OnlineSource *source, int64_t now_ms)
{
    OnlineHandle *seat = source->seats;
    while (seat && seat->due_ms > now_ms)
        seat = seat->next;
    return seat;
}

static void on_timer(uv_timer_t *timer)
{
    OnlineSource *source = timer->data;
    int64_t now_ms = clock_now_ms();
    OnlineHandle *seat;
    while ((seat = find_due(source, now_ms))) {
        if (seat->question.is_done)
            deliver(seat);
        else
            give_up_waiting(seat);
    }
    arm(source);
}

/* What was asked about while the opponent thought is what stands on the board now. */
static bool is_foreseen(const Question *question, const Position *position)
{
    return question->is_open && question->position.key == position->key &&
           question->position.ply == position->ply &&
           question->position.halfmove_clock == position->halfmove_clock;
}

static void online_think(SourceHandle *base, const MoveRequest *order)
{
    OnlineHandle *seat = (OnlineHandle *)base;
    const Question *question = &seat->question;
    int64_t now_ms = clock_now_ms();
    Text game = text_of(order->game);
    size_t len = game.len < sizeof seat->game ? game.len : sizeof seat->game - 1;
    if (len > 0)
        memcpy(seat->game, game.at, len);
    seat->game[len] = '\0';
    seat->version = order->version;
    seat->is_awaited = true;
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++)
        seat->until_ms[i] = now_ms + online_deadline_ms(order, (OnlineService)i);
    if (!is_foreseen(question, order->position))
        open_question(seat, order->position, order);
    else
        set_due(seat,
                question->is_done ? now_ms : seat->until_ms[question->services[question->at]]);
}

static void online_stop(SourceHandle *base)
{
    OnlineHandle *seat = (OnlineHandle *)base;
    if (!seat->is_awaited || seat->question.is_done)
        return;
    drop_question(seat);
    finish(seat);
}

static void online_look_ahead(SourceHandle *base, const MoveRequest *order,
                              const MoveChoice *played)
{
    OnlineHandle *seat = (OnlineHandle *)base;
    PonderPlan plan;
    seat->is_awaited = false;
    set_due(seat, INT64_MAX);
    if (order->online.services.count > 0 && played->reply != MOVE_NONE &&
        ponder_plan(&plan, order, order->position, played, 0))
        open_question(seat, &plan.position, order);
}

static SourceHandle *online_seat(Source *base, SourceOnMove *on_move_found, void *user, Error *err)
{
    OnlineSource *source = (OnlineSource *)base;
    OnlineHandle *seat = calloc(1, sizeof *seat);
    if (!seat) {
        error_set(err, ERR_MEMORY, "no memory for a game's place at the services on the web");
        return NULL;
    }
    seat->seat.source = base;
    seat->on_move_found = on_move_found;
    seat->user = user;
    seat->due_ms = INT64_MAX;
    seat->next = source->seats;
    source->seats = seat;
    return &seat->seat;
}

static void online_leave(SourceHandle *base)
{
    OnlineHandle *seat = (OnlineHandle *)base;
    OnlineSource *source = source_of(seat);
    OnlineHandle **at = &source->seats;
    drop_question(seat);
    while (*at != seat)
        at = &(*at)->next;
    *at = seat->next;
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
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++)
        web_lookup_release(&source->lookups[i]);
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
    for (int i = 0; i < ONLINE_SERVICE_COUNT; i++) {
        const WebLookupOptions lookup = { .service = (OnlineService)i,
                                          .url = options->urls[i],
                                          .http = options->http,
                                          .authorize = i == ONLINE_EXPLORER && options->has_token,
                                          .seed = &source->options.seed,
                                          .on_answer = on_answer,
                                          .user = source };
        web_lookup_init(&source->lookups[i], &lookup);
    }
    uv_timer_init(loop, &source->timer);
    source->timer.data = source;
    *out = &source->source;
    return true;
}
