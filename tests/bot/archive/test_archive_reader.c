/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I3 and I4 of bot/README.md. */
#include "bot/archive/archive_reader.h"
#include "bot/archive/store_db.h"
#include "engine/base/clock.h"
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#include <pthread.h>
#include <sys/resource.h>

typedef struct Asked {
    ArchiveQuestion question; /* the first member */
    ArchiveReader *reader;
    struct Asked *drops; /* in its answer, as its asker has gone */
    bool fails, closes, is_endless;
    int number, *order; /* which it was of all answers */
    pthread_t reader_thread;
    int niceness;
    bool was_read, is_answered;
    Error why;
} Asked;

static bool count_for_ever(Store *store, Error *err)
{
    static const char sql[] = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                              " SELECT count(*) FROM n";
    DbQuery *question = db_prepare(store->db, sql, err);
    bool ok = question && db_step(question, err) == DB_ROW;
    db_finish(question);
    return ok;
}

static bool read_it(ArchiveQuestion *question, Store *store, Error *err)
{
    Asked *asked = (Asked *)(void *)question;
    assert_non_null(store);
    asked->reader_thread = pthread_self();
    asked->was_read = true;
    asked->niceness = getpriority(PRIO_PROCESS, 0);
    if (asked->is_endless)
        return count_for_ever(store, err);
    if (asked->fails)
        error_set(err, ERR_IO, "it is gone");
    return !asked->fails;
}

static void on_read(ArchiveQuestion *question, const Error *why)
{
    Asked *asked = (Asked *)(void *)question;
    assert_false(asked->is_answered);
    asked->is_answered = true;
    asked->why = *why;
    asked->number = ++*asked->order;
    if (asked->drops)
        archive_reader_drop(asked->reader, &asked->drops->question);
    if (asked->closes)
        archive_reader_close(asked->reader);
}

static void prepare(Asked *asked, ArchiveReader *reader, int *order)
{
    *asked = (Asked){ .question = { .read = read_it, .on_read = on_read },
                      .reader = reader,
                      .order = order };
}

TEST_IN(questions_are_read_in_order_on_another_thread, make_place, remove_place)
{
    Place *place = *state;
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked[3];
    int order = 0;
    store_free(open_place(place, STORE_WRITE));
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    for (int i = 0; i < 3; i++) {
        prepare(&asked[i], reader, &order);
        asked[i].fails = i == 1;
        assert_true(archive_reader_ask(reader, &asked[i].question));
        assert_false(asked[i].is_answered);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(asked[i].number, i + 1);
        assert_false(pthread_equal(asked[i].reader_thread, pthread_self()));
        assert_string_equal(asked[i].why.text, i == 1 ? "it is gone" : "");
    }
    archive_reader_close(reader);
    archive_reader_close(NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

TEST_IN(without_an_archive_the_answer_says_so, make_place, remove_place)
{
    Place *place = *state;
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked;
    int order = 0;
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    prepare(&asked, reader, &order);
    assert_true(archive_reader_ask(reader, &asked.question));
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_false(asked.was_read);
    assert_non_null(strstr(asked.why.text, "there is no archive yet"));
    archive_reader_close(reader);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

TEST_IN(so_many_may_wait_and_each_is_answered_when_it_closes, make_place, remove_place)
{
    Place *place = *state;
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked[ARCHIVE_READER_WAITING_MAX + 1];
    int order = 0;
    store_free(open_place(place, STORE_WRITE));
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    for (int i = 0; i <= ARCHIVE_READER_WAITING_MAX; i++) {
        prepare(&asked[i], reader, &order);
        asked[i].closes = i == 1;
        assert_int_equal(archive_reader_ask(reader, &asked[i].question),
                         i < ARCHIVE_READER_WAITING_MAX);
    }
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(order, ARCHIVE_READER_WAITING_MAX);
    for (int i = 0; i < ARCHIVE_READER_WAITING_MAX; i++)
        if (i != 2) /* it was being read, and may have been done */
            assert_int_equal(asked[i].why.code, i > 2 ? ERR_NOT_NOW : ERR_NONE);
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void on_time(uv_timer_t *timer)
{
    Asked *asked = timer->data;
    archive_reader_drop(asked->reader, &asked->question);
}

TEST_IN(what_nobody_waits_for_is_not_read_to_the_end, make_place, remove_place)
{
    enum { GOES_AFTER_MS = 100, MOST_MS = 5000 };
    Place *place = *state;
    uv_loop_t loop;
    uv_timer_t timer;
    ArchiveReader *reader;
    Asked asked[4];
    int order = 0;
    store_free(open_place(place, STORE_WRITE));
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    for (int i = 0; i < 4; i++)
        prepare(&asked[i], reader, &order);
    asked[0].drops = &asked[2]; /* it waits */
    asked[1].is_endless = true;
    for (int i = 0; i < 4; i++)
        assert_true(archive_reader_ask(reader, &asked[i].question));
    uv_timer_init(&loop, &timer);
    timer.data = &asked[1]; /* it is being read */
    uv_timer_start(&timer, on_time, GOES_AFTER_MS, 0);
    int64_t began = clock_now_ms();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_in_range(clock_now_ms() - began, GOES_AFTER_MS, MOST_MS);
    assert_int_equal(order, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(asked[i].why.code, i == 1 || i == 2 ? ERR_NOT_NOW : ERR_NONE);
    assert_true(asked[1].was_read);
    assert_false(asked[2].was_read);
    assert_in_range(asked[2].number, 2, 3); /* before the one that was being read */
    uv_close((uv_handle_t *)&timer, NULL);
    archive_reader_close(reader);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}

TEST_IN(a_close_gives_up_what_is_being_read, make_place, remove_place)
{
    enum { MOST_MS = 5000 };
    Place *place = *state;
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked[2];
    int order = 0;
    store_free(open_place(place, STORE_WRITE));
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    for (int i = 0; i < 2; i++)
        prepare(&asked[i], reader, &order);
    asked[0].closes = true;
    asked[1].is_endless = true;
    for (int i = 0; i < 2; i++)
        assert_true(archive_reader_ask(reader, &asked[i].question));
    int64_t began = clock_now_ms();
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(clock_now_ms() - began < MOST_MS);
    assert_int_equal(order, 2);
    assert_true(error_is_set(&asked[1].why));
    assert_int_equal(uv_loop_close(&loop), 0);
}

TEST_IN(the_reading_thread_gives_way_to_all_others, make_place, remove_place)
{
    Place *place = *state;
    uv_loop_t loop;
    ArchiveReader *reader;
    Asked asked;
    int order = 0, ours = getpriority(PRIO_PROCESS, 0);
    store_free(open_place(place, STORE_WRITE));
    assert_int_equal(uv_loop_init(&loop), 0);
    assert_true(archive_reader_new(&reader, &loop, place->path, NULL));
    prepare(&asked, reader, &order);
    assert_true(archive_reader_ask(reader, &asked.question));
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(asked.niceness, ours > 7 ? ours : 7);
    assert_int_equal(getpriority(PRIO_PROCESS, 0), ours);
    archive_reader_close(reader);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_int_equal(uv_loop_close(&loop), 0);
}
