/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds I3 and I4 of bot/README.md. */
#include "bot/archive/archive_reader.h"
#include "tests/store_place.h"
#include "tests/unit.h"

#include <pthread.h>

typedef struct {
    ArchiveQuestion question; /* the first member */
    ArchiveReader *reader;
    bool fails, closes;
    int number, *order; /* which it was of all answers */
    pthread_t reader_thread;
    bool was_read, is_answered;
    Error why;
} Asked;

static bool read_it(ArchiveQuestion *question, Store *store, Error *err)
{
    Asked *asked = (Asked *)(void *)question;
    assert_non_null(store);
    asked->reader_thread = pthread_self();
    asked->was_read = true;
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
    if (asked->closes)
        archive_reader_close(asked->reader);
}

static void prepare(Asked *asked, ArchiveReader *reader, int *order)
{
    *asked = (Asked){ .question = { .read = read_it, .on_read = on_read },
                      .reader = reader,
                      .order = order };
}

static void questions_are_read_in_order_on_another_thread(void **state)
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

static void without_an_archive_the_answer_says_so(void **state)
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
    assert_int_equal(uv_loop_close(&loop), 0);
}

static void so_many_may_wait_and_each_is_answered_when_it_closes(void **state)
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
        assert_int_equal(asked[i].why.code, i > 2 ? ERR_NOT_NOW : ERR_NONE);
    assert_int_equal(uv_loop_close(&loop), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(questions_are_read_in_order_on_another_thread, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(without_an_archive_the_answer_says_so, make_place,
                                        remove_place),
        cmocka_unit_test_setup_teardown(so_many_may_wait_and_each_is_answered_when_it_closes,
                                        make_place, remove_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
