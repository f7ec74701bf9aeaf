/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The event stream in a world of its own: the server, the archive, the clock and the timer are
 * those of this file and own_time.h, which the linker takes before the library's. */
#include "bot/account/event_stream.h"
#include "bot/archive/archive.h"
#include "tests/support/own_time.h"

enum { SILENCE_MS = 60000 }; /* after which something is wrong with us */

static struct {
    bool refuses;                 /* no request can begin */
    ApiStreamCallbacks callbacks; /* of the stream that is asked for */
    bool is_asked;
    int opened, lost, events;
    Ratelimit limit;
    BotContext context;
    EventStream *stream;
} world;

ApiCall *api_stream(Api *api, ApiEndpoint endpoint, const char *id,
                    const ApiStreamCallbacks *callbacks, Error *err)
{
    (void)api;
    (void)id;
    assert_int_equal(endpoint, ENDPOINT_EVENTS);
    assert_false(world.is_asked);
    if (world.refuses) {
        error_set(err, ERR_MEMORY, "no memory");
        return NULL;
    }
    world.callbacks = *callbacks;
    world.is_asked = true;
    return (ApiCall *)&world;
}

void api_cancel(ApiCall *call)
{
    assert_ptr_equal(call, &world);
    world.is_asked = false;
}

void archive_remember(Archive *archive, FactKind kind, Text id, const char *value,
                      int64_t expires_ms)
{
    (void)archive;
    (void)id;
    (void)value;
    assert_int_equal(kind, FACT_OPENS);
    assert_true(expires_ms > own_time.now_ms);
}

const char *archive_recall(const Archive *archive, FactKind kind, Text id)
{
    (void)archive;
    (void)id;
    assert_int_equal(kind, FACT_OPENS);
    return NULL;
}

static void count_open(void *user)
{
    (void)user;
    world.opened++;
}

static void count_lost(void *user)
{
    (void)user;
    world.lost++;
}

static void count_event(void *user, const Event *event)
{
    (void)user;
    (void)event;
    world.events++;
}

static void ignore(void *user)
{
    (void)user;
}

static int make_world(void **state)
{
    static const EventStreamCallbacks callbacks = {
        .on_open = count_open, .on_lost = count_lost, .on_event = count_event, .on_skipped = ignore
    };
    (void)state;
    memset(&world, 0, sizeof world);
    own_time_begin(1000000, 0);
    ratelimit_init(&world.limit);
    world.context = (BotContext){ .limit = &world.limit, .our_id = "castled-bot" };
    assert_true(event_stream_new(&world.stream, &world.context, 1, &callbacks, NULL));
    return 0;
}

static int drop_world(void **state)
{
    (void)state;
    event_stream_close(world.stream);
    return 0;
}

#define WORLD_TEST(name) TEST_IN(name, make_world, drop_world)

static bool is_alive(void)
{
    return event_stream_is_alive(world.stream, own_time.now_ms);
}

static void let_timer_go_off(void)
{
    assert_true(own_time.timer_ms != INT64_MAX);
    if (own_time.timer_ms > own_time.now_ms)
        own_time.now_ms = own_time.timer_ms;
    own_time.timer_ms = INT64_MAX;
    own_time.on_time(own_time.timer);
}

/* It is asked for, and the head of the answer comes. */
static void open_stream(void)
{
    event_stream_open(world.stream);
    world.callbacks.on_sent(world.callbacks.user);
    world.callbacks.on_open(world.callbacks.user);
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPEN);
}

static void end_stream(ApiOutcome outcome)
{
    ApiAnswer answer = { .outcome = outcome, .reason = "" };
    world.is_asked = false;
    world.callbacks.on_end(world.callbacks.user, &answer);
}

WORLD_TEST(a_stream_that_is_not_wanted_yet_is_alive)
{
    (void)state;
    own_time.now_ms += 10 * SILENCE_MS;
    assert_true(is_alive());
}

WORLD_TEST(a_stream_that_falls_silent_is_not_alive)
{
    (void)state;
    open_stream();
    own_time.now_ms += SILENCE_MS - 1;
    assert_true(is_alive());
    own_time.now_ms++;
    assert_false(is_alive());
}

WORLD_TEST(every_kind_of_line_is_a_sign_of_life)
{
    (void)state;
    static const Event event = { .type = EVENT_UNKNOWN };
    const ApiStreamCallbacks *on = &world.callbacks;
    Error err = { 0 };
    open_stream();
    for (int line = 0; line < 3; line++) {
        own_time.now_ms += SILENCE_MS - 1;
        if (line == 0)
            on->on_keepalive(on->user);
        else if (line == 1)
            on->on_event(on->user, &event);
        else
            on->on_skipped(on->user, text_of("{"), 1, &err);
        own_time.now_ms += SILENCE_MS - 1;
        assert_true(is_alive());
        on->on_keepalive(on->user);
    }
    assert_int_equal(world.events, 1);
}

WORLD_TEST(an_attempt_that_neither_opens_nor_fails_is_not_alive)
{
    (void)state;
    event_stream_open(world.stream);
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPENING);
    own_time.now_ms += SILENCE_MS - 1;
    assert_true(is_alive());
    own_time.now_ms++;
    assert_false(is_alive());
}

WORLD_TEST(a_request_that_is_taken_counts_as_open_and_must_be_heard_of)
{
    (void)state;
    event_stream_open(world.stream);
    world.callbacks.on_sent(world.callbacks.user);
    let_timer_go_off(); /* no head, and no refusal */
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPEN);
    assert_int_equal(world.opened, 1);
    own_time.now_ms = 1000000 + SILENCE_MS;
    assert_false(is_alive());
}

WORLD_TEST(a_wait_is_alive_until_its_timer_is_long_over_due)
{
    (void)state;
    open_stream();
    end_stream(API_LOST);
    assert_int_equal(event_stream_phase(world.stream), EVENTS_WAITING);
    assert_int_equal(world.lost, 1);
    int64_t due_ms = own_time.timer_ms;
    assert_true(due_ms != INT64_MAX);
    own_time.now_ms = due_ms + SILENCE_MS - 1;
    assert_true(is_alive());
    own_time.now_ms++;
    assert_false(is_alive()); /* the timer should have gone off */
    let_timer_go_off();
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPENING);
    assert_true(is_alive());
}

WORLD_TEST(a_request_that_cannot_begin_is_tried_again)
{
    (void)state;
    world.refuses = true;
    event_stream_open(world.stream);
    assert_int_equal(event_stream_phase(world.stream), EVENTS_WAITING);
    for (int i = 0; i < 5; i++) {
        let_timer_go_off();
        assert_true(is_alive());
    }
    world.refuses = false;
    let_timer_go_off();
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPENING);
}

WORLD_TEST(a_limit_is_waited_out_even_in_a_hurry)
{
    (void)state;
    ratelimit_note(&world.limit, FAMILY_EVENT_STREAM, 60, true, own_time.now_ms);
    event_stream_open(world.stream);
    assert_int_equal(event_stream_phase(world.stream), EVENTS_WAITING);
    int64_t due_ms = own_time.timer_ms;
    assert_in_range(due_ms - own_time.now_ms, 60000, 70000);
    event_stream_hurry(world.stream);
    assert_true(own_time.timer_ms == due_ms);
    let_timer_go_off();
    assert_int_equal(event_stream_phase(world.stream), EVENTS_OPENING);
}
