/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I5 of bot/README.md. */
#include "bot/source/chain.h"
#include "engine/base/clock.h"
#include "tests/support/chess.h"

#include <unistd.h>

/* A scripted source that records its calls. It has one handle. */
typedef struct {
    Source source;
    SourceHandle base;
    bool has_no_handle, is_left, is_closed;
    int orders, stops, looks;
    Move ahead;          /* the move of the last ponder call */
    MoveRequest request; /* the last one; its position is not kept */
    uint64_t key;        /* of that position */
    uv_idle_t closing;
} Fake;

static Fake *fake_of(SourceHandle *handle)
{
    return (Fake *)handle->source;
}

static SourceHandle *fake_handle_new(Source *source, Error *err)
{
    Fake *fake = (Fake *)source;
    if (fake->has_no_handle) {
        error_set(err, ERR_MEMORY, "no seat");
        return NULL;
    }
    return &fake->base;
}

static void fake_think(SourceHandle *handle, const MoveRequest *request)
{
    Fake *fake = fake_of(handle);
    fake->orders++;
    fake->request = *request;
    fake->key = request->position->key;
}

static void fake_stop(SourceHandle *handle)
{
    fake_of(handle)->stops++;
}

static void fake_look_ahead(SourceHandle *handle, const MoveRequest *latest,
                            const MoveChoice *played)
{
    assert_non_null(latest->position);
    fake_of(handle)->looks++;
    fake_of(handle)->ahead = played->move;
}

static void fake_leave(SourceHandle *handle)
{
    fake_of(handle)->is_left = true;
}

/* One ply for each request, so that it shows whose news it is. */
static bool fake_progress(SourceHandle *handle, MoveChoice *out)
{
    const Fake *fake = fake_of(handle);
    *out = (MoveChoice){ .version = fake->request.version, .depth = fake->orders };
    return fake->orders > 0;
}

static void on_idle(uv_idle_t *idle)
{
    Fake *fake = idle->data;
    fake->is_closed = true;
    uv_close((uv_handle_t *)idle, NULL);
    fake->source.on_closed(fake->source.on_closed_user);
}

static void fake_close(Source *source)
{
    Fake *fake = (Fake *)source;
    uv_idle_start(&fake->closing, on_idle);
}

static const SourceKind fake_kind = {
    .handle_new = fake_handle_new,
    .search = fake_think,
    .stop = fake_stop,
    .ponder = fake_look_ahead,
    .progress = fake_progress,
    .handle_free = fake_leave,
    .close = fake_close,
};

enum { LINKS = 3 };

/* Three sources in a chain, and a game at it. */
typedef struct {
    uv_loop_t loop;
    Fake fakes[LINKS];
    Source *chain;
    SourceHandle *handle;
    const char *engines; /* of the orders */
    int services;        /* the same */
    int answers;
    MoveChoice last;
    bool is_closed;
} Room;

static void on_move_found(void *user, const MoveChoice *choice)
{
    Room *room = user;
    room->answers++;
    room->last = *choice;
}

static bool names_services(const MoveRequest *request)
{
    return request->online.services.count > 0;
}

/* The middle one plays nothing but atomic chess besides. */
static void set_up_links(Room *room, bool is_parallel)
{
    memset(room, 0, sizeof *room);
    assert_int_equal(uv_loop_init(&room->loop), 0);
    ChainLink links[LINKS];
    for (int i = 0; i < LINKS; i++) {
        Fake *fake = &room->fakes[i];
        static const char *const names[LINKS] = { "first", "second", "third" };
        fake->source =
            (Source){ .kind = &fake_kind, .name = names[i], .variants = VARIANTS_OF_CHESS };
        uv_idle_init(&room->loop, &fake->closing);
        fake->closing.data = fake;
        links[i] = (ChainLink){ .source = &fake->source, .timeout_ms = INT64_MAX };
    }
    links[0].timeout_ms = 20;
    links[0].is_parallel = is_parallel;
    links[0].is_wanted = is_parallel ? names_services : NULL;
    links[1].is_optional = true;
    room->fakes[1].source.variants |= 1U << VARIANT_ATOMIC;
    assert_true(chain_new(&room->chain, &room->loop, NULL, links, LINKS, NULL));
}

static void set_up(Room *room)
{
    set_up_links(room, false);
}

static void sit(Room *room)
{
    set_up(room);
    room->handle = source_handle_new(room->chain, on_move_found, room, NULL);
    assert_non_null(room->handle);
}

/* The first one is asked in parallel. */
static void sit_in_parallel(Room *room)
{
    set_up_links(room, true);
    room->services = 1;
    room->handle = source_handle_new(room->chain, on_move_found, room, NULL);
    assert_non_null(room->handle);
}

static void on_closed(void *user)
{
    ((Room *)user)->is_closed = true;
}

static void tear_down(Room *room)
{
    source_handle_free(room->handle);
    source_close(room->chain, on_closed, room);
    assert_false(room->is_closed);
    uv_run(&room->loop, UV_RUN_DEFAULT);
    assert_true(room->is_closed);
    for (int i = 0; i < LINKS; i++)
        assert_true(room->fakes[i].is_closed);
    assert_int_equal(uv_loop_close(&room->loop), 0);
}

static void request(Room *room, uint32_t version, Variant variant, int64_t left_ms)
{
    Position pos = position_of(FEN_START);
    MoveRequest what = { .version = version, .variant = variant, .us = WHITE, .position = &pos };
    what.engines = room->engines;
    what.online.services.count = room->services;
    what.limits.has_clock = true;
    what.limits.time_ms[WHITE] = left_ms;
    what.limits.time_ms[BLACK] = 77;
    source_search(room->handle, &what);
}

static void answers(Room *room, int who, Move move)
{
    Fake *fake = &room->fakes[who];
    MoveChoice choice = { .version = fake->request.version, .move = move };
    choice.source = fake->source.name;
    fake->base.on_move_found(fake->base.user, &choice);
}

static void wait_until(Room *room, const int *counter, int wanted)
{
    int64_t end = clock_now_ms() + 20000;
    while (*counter < wanted && clock_now_ms() < end) {
        uv_run(&room->loop, UV_RUN_NOWAIT);
        usleep(200);
    }
    assert_int_equal(*counter, wanted);
}

static const Move e2e4 = 1 << 12 | 12 << 6 | 28;

static int room_new(void **state, void (*start)(Room *))
{
    *state = malloc(sizeof(Room));
    if (*state)
        start(*state);
    return *state ? 0 : -1;
}

static int set_up_chain(void **state)
{
    return room_new(state, sit);
}

static int tear_down_test(void **state)
{
    tear_down(*state);
    free(*state);
    return 0;
}

#define CHAIN_TEST(test) TEST_IN(test, set_up_chain, tear_down_test)

CHAIN_TEST(the_first_with_a_move_wins)
{
    Room *room = *state;
    for (int who = 0; who < LINKS; who++) {
        request(room, 40 + (uint32_t)who, VARIANT_STANDARD, 60000);
        for (int i = 0; i < who; i++)
            answers(room, i, MOVE_NONE);
        assert_int_equal(room->answers, who);
        answers(room, who, e2e4);
        assert_int_equal(room->answers, who + 1);
        assert_int_equal(room->last.version, 40 + who);
        assert_int_equal(room->last.move, e2e4);
        assert_string_equal(room->last.source, room->fakes[who].source.name);
    }
    assert_int_equal(room->fakes[0].orders, 3);
    assert_int_equal(room->fakes[1].orders, 2);
    assert_int_equal(room->fakes[2].orders, 1);
}

CHAIN_TEST(who_looks_on_sees_the_one_that_is_asked_now)
{
    Room *room = *state;
    MoveChoice seen;
    assert_false(source_progress(room->handle, &seen));
    request(room, 40, VARIANT_STANDARD, 60000);
    answers(room, 0, MOVE_NONE);
    assert_true(source_progress(room->handle, &seen));
    assert_int_equal(seen.version, 40);
    answers(room, 1, e2e4);
    assert_false(source_progress(room->handle, &seen));
    request(room, 41, VARIANT_STANDARD, 60000);
    assert_true(source_progress(room->handle, &seen));
    assert_int_equal(seen.depth, 2);
    assert_int_equal(seen.version, 41);
}

CHAIN_TEST(who_cannot_play_the_variant_is_not_asked)
{
    Room *room = *state;
    assert_true(source_plays(room->chain, VARIANT_STANDARD));
    assert_true(source_plays(room->chain, VARIANT_ATOMIC));
    assert_false(source_plays(room->chain, VARIANT_HORDE));
    request(room, 1, VARIANT_ATOMIC, 60000);
    assert_int_equal(room->fakes[0].orders, 0);
    answers(room, 1, e2e4);
    assert_int_equal(room->answers, 1);
    assert_int_equal(room->fakes[2].orders, 0);
}

TEST(the_optional_one_is_asked_only_where_it_is_wanted)
{
    Room room;
    static const struct {
        const char *engines;
        Variant variant;
        int orders;
    } rows[] = {
        { NULL, VARIANT_STANDARD, 1 },      { "all", VARIANT_STANDARD, 1 },
        { "none", VARIANT_STANDARD, 0 },    { "", VARIANT_STANDARD, 0 },
        { "first", VARIANT_STANDARD, 0 },   { "first, second", VARIANT_CHESS960, 1 },
        { "seconds", VARIANT_CHESS960, 0 }, { "second", VARIANT_ATOMIC, 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sit(&room);
        room.engines = rows[i].engines;
        request(&room, 1, rows[i].variant, 60000);
        if (room.fakes[0].orders > 0)
            answers(&room, 0, MOVE_NONE);
        if (room.fakes[1].orders != rows[i].orders)
            fail_msg("%s: %d", rows[i].engines, room.fakes[1].orders);
        tear_down(&room);
    }
}

TEST(a_source_without_a_handle_is_not_asked)
{
    Room room;
    set_up(&room);
    room.fakes[0].has_no_handle = true;
    room.handle = source_handle_new(room.chain, on_move_found, &room, NULL);
    assert_non_null(room.handle);
    request(&room, 1, VARIANT_STANDARD, 60000);
    assert_int_equal(room.fakes[1].orders, 1);
    tear_down(&room);
}

TEST(without_the_last_source_there_is_no_handle)
{
    Room room;
    Error err = { 0 };
    set_up(&room);
    room.fakes[2].has_no_handle = true;
    assert_null(source_handle_new(room.chain, on_move_found, &room, &err));
    assert_string_equal(err.text, "no seat");
    assert_true(room.fakes[0].is_left && room.fakes[1].is_left);
    tear_down(&room);
}

CHAIN_TEST(a_slow_one_is_stopped_and_may_then_answer)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    wait_until(room, &room->fakes[0].stops, 1);
    answers(room, 0, e2e4);
    assert_int_equal(room->answers, 1);
    assert_int_equal(room->fakes[1].orders, 0);
}

CHAIN_TEST(a_deaf_one_is_passed_over_and_its_late_answer_forgotten)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 1000);
    uint32_t first = room->fakes[0].request.version;
    wait_until(room, &room->fakes[1].orders, 1);
    assert_int_equal(room->fakes[0].stops, 1);
    assert_in_range(room->fakes[1].request.limits.time_ms[WHITE], 1, 999);
    assert_int_equal(room->fakes[1].request.limits.time_ms[BLACK], 77);
    assert_int_equal(room->fakes[1].key, room->fakes[0].key);
    room->fakes[0].request.version = first;
    answers(room, 0, e2e4);
    assert_int_equal(room->answers, 0);
    wait_until(room, &room->fakes[2].orders, 1);
    assert_int_equal(room->fakes[2].stops, 0);
    answers(room, 2, e2e4);
    assert_int_equal(room->answers, 1);
}

CHAIN_TEST(the_last_who_can_play_has_no_deadline)
{
    Room *room = *state;
    request(room, 1, VARIANT_ATOMIC, 4); /* so all the deadlines would be 1 ms or so */
    int64_t end = clock_now_ms() + 200;
    while (clock_now_ms() < end)
        uv_run(&room->loop, UV_RUN_NOWAIT);
    assert_int_equal(room->fakes[1].stops, 0);
    source_stop(room->handle); /* the game's own */
    assert_int_equal(room->fakes[1].stops, 1);
    answers(room, 1, e2e4);
    assert_int_equal(room->answers, 1);
}

CHAIN_TEST(a_stop_goes_to_whoever_is_asked_now_and_next)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    source_stop(room->handle);
    source_stop(room->handle);
    assert_int_equal(room->fakes[0].stops, 1);
    answers(room, 0, MOVE_NONE);
    assert_int_equal(room->fakes[1].stops, 1);
    answers(room, 1, MOVE_NONE);
    assert_int_equal(room->fakes[2].stops, 1);
    answers(room, 2, e2e4);
    assert_int_equal(room->answers, 1);
    source_stop(room->handle); /* nothing runs: nothing happens */
    assert_int_equal(room->fakes[2].stops, 1);
}

CHAIN_TEST(a_new_request_begins_with_the_first_again)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    answers(room, 0, MOVE_NONE);
    uint32_t old = room->fakes[1].request.version;
    request(room, 2, VARIANT_STANDARD, 60000);
    assert_int_equal(room->fakes[0].orders, 2);
    assert_int_equal(room->fakes[1].stops, 1);
    room->fakes[1].request.version = old;
    answers(room, 1, e2e4);
    assert_int_equal(room->answers, 0);
    answers(room, 0, e2e4);
    assert_int_equal(room->last.version, 2);
}

CHAIN_TEST(when_nobody_finds_a_move_that_is_said_from_the_loop)
{
    Room *room = *state;
    request(room, 1, VARIANT_HORDE, 60000);
    assert_int_equal(room->answers, 0);
    wait_until(room, &room->answers, 1);
    assert_int_equal(room->last.move, MOVE_NONE);
    assert_int_equal(room->last.version, 1);
    request(room, 2, VARIANT_STANDARD, 60000);
    for (int i = 0; i < LINKS; i++)
        answers(room, i, MOVE_NONE);
    wait_until(room, &room->answers, 2);
    assert_int_equal(room->last.version, 2);
}

TEST(a_handle_may_be_freed_in_mid_search)
{
    Room room;
    sit(&room);
    request(&room, 1, VARIANT_STANDARD, 60000);
    tear_down(&room);
    assert_int_equal(room.answers, 0);
}

static const Move d2d4 = 1 << 12 | 11 << 6 | 27;

static int set_up_parallel(void **state)
{
    return room_new(state, sit_in_parallel);
}

#define PARALLEL_TEST(test) TEST_IN(test, set_up_parallel, tear_down_test)

PARALLEL_TEST(a_parallel_source_wins_when_it_is_first)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    assert_int_equal(room->fakes[0].orders, 1);
    assert_int_equal(room->fakes[1].orders, 1); /* at the same time */
    answers(room, 0, e2e4);
    assert_int_equal(room->answers, 1);
    assert_string_equal(room->last.source, "first");
    assert_int_equal(room->fakes[1].stops, 1);
    assert_int_equal(room->fakes[0].looks, 1);
    assert_int_equal(room->fakes[0].ahead, e2e4);
    assert_int_equal(room->fakes[1].looks, 1); /* it is outrun */
    assert_int_equal(room->fakes[1].ahead, e2e4);
    assert_int_equal(room->fakes[2].looks, 0);
    answers(room, 1, e2e4); /* and may ponder on that */
    assert_int_equal(room->answers, 1);
    uv_run(&room->loop, UV_RUN_NOWAIT);
    assert_int_equal(room->fakes[1].stops, 1);
}

PARALLEL_TEST(who_ponders_on_what_was_not_played_is_stopped)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    answers(room, 0, e2e4);
    answers(room, 1, d2d4);
    assert_int_equal(room->fakes[1].stops, 1); /* it is only about to */
    wait_until(room, &room->fakes[1].stops, 2);
    assert_int_equal(room->answers, 1);
    request(room, 2, VARIANT_STANDARD, 60000);
    assert_int_equal(room->fakes[1].orders, 2);
}

TEST(a_move_waits_for_a_parallel_source)
{
    for (int found = 0; found < 2; found++) {
        Room room;
        sit_in_parallel(&room);
        request(&room, 1, VARIANT_STANDARD, 60000);
        answers(&room, 1, MOVE_NONE);
        assert_int_equal(room.fakes[2].orders, 1);
        answers(&room, 2, d2d4);
        assert_int_equal(room.answers, 0);
        answers(&room, 0, found ? e2e4 : MOVE_NONE);
        assert_int_equal(room.answers, 1);
        assert_int_equal(room.last.version, 1);
        assert_int_equal(room.last.move, found ? e2e4 : d2d4);
        assert_string_equal(room.last.source, found ? "first" : "third");
        assert_int_equal(room.fakes[2].stops, found); /* it ponders */
        assert_int_equal(room.fakes[0].ahead, room.last.move);
        assert_int_equal(room.fakes[2].looks, found);
        tear_down(&room);
    }
}

PARALLEL_TEST(a_parallel_source_that_finds_nothing_changes_nothing)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    answers(room, 0, MOVE_NONE);
    assert_int_equal(room->answers, 0);
    assert_int_equal(room->fakes[1].stops, 0);
    answers(room, 1, e2e4);
    assert_int_equal(room->answers, 1);
    assert_string_equal(room->last.source, "second");
    room->services = 0;
    request(room, 2, VARIANT_STANDARD, 60000);
    assert_int_equal(room->fakes[0].orders, 1); /* no source is allowed there */
    assert_int_equal(room->fakes[1].orders, 2);
}

TEST(when_no_other_source_finds_a_move_the_parallel_one_may)
{
    for (int found = 0; found < 2; found++) {
        Room room;
        sit_in_parallel(&room);
        request(&room, 1, VARIANT_STANDARD, 60000);
        answers(&room, 1, MOVE_NONE);
        answers(&room, 2, MOVE_NONE);
        for (int i = 0; i < 5; i++)
            uv_run(&room.loop, UV_RUN_NOWAIT);
        assert_int_equal(room.answers, 0);
        answers(&room, 0, found ? e2e4 : MOVE_NONE);
        wait_until(&room, &room.answers, 1);
        assert_int_equal(room.last.move, found ? e2e4 : MOVE_NONE);
        tear_down(&room);
    }
}

PARALLEL_TEST(a_move_stopped_early_waits_for_no_source)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    answers(room, 1, d2d4);
    assert_int_equal(room->answers, 0);
    source_stop(room->handle);
    assert_int_equal(room->answers, 0); /* not from inside a call */
    wait_until(room, &room->answers, 1);
    assert_int_equal(room->last.move, d2d4);
    assert_int_equal(room->fakes[0].stops, 1);
    request(room, 2, VARIANT_STANDARD, 60000);
    source_stop(room->handle);
    assert_int_equal(room->fakes[1].stops, 1);
    answers(room, 1, d2d4);
    assert_int_equal(room->answers, 2);
    assert_int_equal(room->fakes[0].stops, 2);
}

PARALLEL_TEST(a_new_request_asks_in_parallel_anew)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    uint32_t old = room->fakes[0].request.version;
    answers(room, 1, d2d4); /* held */
    request(room, 2, VARIANT_STANDARD, 60000);
    assert_int_equal(room->fakes[0].orders, 2);
    room->fakes[0].request.version = old;
    answers(room, 0, e2e4);
    for (int i = 0; i < 5; i++)
        uv_run(&room->loop, UV_RUN_NOWAIT);
    assert_int_equal(room->answers, 0);
    answers(room, 1, d2d4);
    room->fakes[0].request.version = old + 2;
    answers(room, 0, MOVE_NONE);
    assert_int_equal(room->answers, 1);
    assert_int_equal(room->last.version, 2);
}

static const Move c2c4 = 1 << 12 | 10 << 6 | 26;

static void advises_of(Room *room, const MoveList *candidates)
{
    Fake *fake = &room->fakes[0];
    MoveChoice choice = { .version = fake->request.version,
                          .move = e2e4,
                          .candidates = candidates };
    choice.tablebase_verdict = TABLEBASE_VERDICT_DRAW;
    choice.source = fake->source.name;
    fake->base.on_move_found(fake->base.user, &choice);
}

/* The source asked in parallel has a move, and another that is as good. */
static void advises(Room *room)
{
    static const MoveList two = { 2, { 1 << 12 | 12 << 6 | 28, 1 << 12 | 11 << 6 | 27 } };
    advises_of(room, &two);
}

TEST(who_thinks_is_told_of_advice_and_may_choose)
{
    static const struct {
        Move found;
        Move played;
        const char *source;
    } rows[] = { { 1 << 12 | 11 << 6 | 27, 1 << 12 | 11 << 6 | 27, "second" },
                 { 1 << 12 | 10 << 6 | 26, 1 << 12 | 12 << 6 | 28, "first" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Room room;
        sit_in_parallel(&room);
        request(&room, 1, VARIANT_STANDARD, 60000);
        assert_int_equal(room.fakes[1].request.limits.search_move_count, 0);
        advises(&room);
        assert_int_equal(room.answers, 0);
        assert_int_equal(room.fakes[1].orders, 2);
        assert_int_equal(room.fakes[1].request.limits.search_move_count, 2);
        assert_int_equal(room.fakes[1].request.limits.search_moves[1], d2d4);
        answers(&room, 1, rows[i].found);
        assert_int_equal(room.answers, 1);
        assert_int_equal(room.last.move, rows[i].played);
        assert_string_equal(room.last.source, rows[i].source);
        assert_int_equal(room.last.tablebase_verdict, TABLEBASE_VERDICT_DRAW);
        assert_null(room.last.candidates);
        request(&room, 2, VARIANT_STANDARD, 60000); /* another position */
        assert_int_equal(room.fakes[1].request.limits.search_move_count, 0);
        answers(&room, 0, MOVE_NONE);
        answers(&room, 1, c2c4);
        assert_int_equal(room.last.move, c2c4);
        assert_int_equal(room.last.tablebase_verdict, TABLEBASE_VERDICT_NONE);
        tear_down(&room);
    }
}

PARALLEL_TEST(advice_that_forbids_nothing_disturbs_nobody)
{
    Room *room = *state;
    Position start;
    MoveList all;
    start = position_of(FEN_START);
    movegen_legal(&start, &all);
    request(room, 1, VARIANT_STANDARD, 60000);
    advises_of(room, &all);
    assert_int_equal(room->fakes[1].orders, 1);
    answers(room, 1, c2c4);
    assert_int_equal(room->last.move, c2c4);
    assert_int_equal(room->last.tablebase_verdict, TABLEBASE_VERDICT_DRAW);
}

PARALLEL_TEST(what_was_found_before_the_restriction_is_discarded)
{
    Room *room = *state;
    request(room, 1, VARIANT_STANDARD, 60000);
    uint32_t old = room->fakes[1].request.version;
    advises(room);
    uint32_t latest = room->fakes[1].request.version;
    room->fakes[1].request.version = old;
    answers(room, 1, d2d4);
    assert_int_equal(room->answers, 0);
    room->fakes[1].request.version = latest;
    answers(room, 1, MOVE_NONE);
    assert_int_equal(room->fakes[2].request.limits.search_move_count, 2);
    answers(room, 2, d2d4);
    assert_string_equal(room->last.source, "third");
}

TEST(a_move_that_waits_is_held_against_the_advice)
{
    for (int is_good = 0; is_good < 2; is_good++) {
        Room room;
        sit_in_parallel(&room);
        request(&room, 1, VARIANT_STANDARD, 60000);
        answers(&room, 1, is_good ? d2d4 : c2c4);
        advises(&room);
        assert_int_equal(room.answers, 1);
        assert_int_equal(room.last.move, is_good ? d2d4 : e2e4);
        assert_string_equal(room.last.source, is_good ? "second" : "first");
        assert_int_equal(room.fakes[1].orders, 1);
        assert_int_equal(room.fakes[1].stops, !is_good); /* it ponders */
        tear_down(&room);
    }
}

TEST(without_time_or_anybody_to_choose_the_advised_move_is_played)
{
    for (int is_stopped_early = 0; is_stopped_early < 2; is_stopped_early++) {
        Room room;
        sit_in_parallel(&room);
        request(&room, 1, VARIANT_STANDARD, 60000);
        if (is_stopped_early) {
            source_stop(room.handle);
        } else {
            answers(&room, 1, MOVE_NONE);
            answers(&room, 2, MOVE_NONE);
        }
        advises(&room);
        wait_until(&room, &room.answers, 1);
        assert_int_equal(room.last.move, e2e4);
        assert_string_equal(room.last.source, "first");
        assert_null(room.last.candidates);
        tear_down(&room);
    }
}
