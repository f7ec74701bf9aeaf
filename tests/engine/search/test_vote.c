/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/vote.h"
#include "tests/support/unit.h"

#include <stdlib.h>

enum { THREADS_MAX = 4 };
typedef struct {
    Move move;
    int score;
    int depth;     /* 0: no iteration was finished */
    int pv_length; /* 0 counts as 2 */
} Result;

static Worker *workers[THREADS_MAX];

static int set_up(void **state)
{
    (void)state;
    for (int i = 0; i < THREADS_MAX; i++) {
        workers[i] = aligned_alloc(_Alignof(Worker), sizeof *workers[i]);
        if (!workers[i])
            return -1;
        memset(workers[i], 0, sizeof *workers[i]);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    for (int i = 0; i < THREADS_MAX; i++)
        free(workers[i]);
    return 0;
}

static int winner(const Result results[THREADS_MAX], int count, int multi_pv)
{
    Search search = {
        .params = PARAMS_DEFAULT, .multi_pv = multi_pv, .worker_count = count, .workers = workers
    };
    for (int i = 0; i < count; i++) {
        worker_init(workers[i], &search, i);
        workers[i]->completed_depth = results[i].depth;
        workers[i]->root[0] = (RootMove){ .move = results[i].move, .score = results[i].score };
        workers[i]->root[0].pv.length = results[i].pv_length ? results[i].pv_length : 2;
    }
    const Worker *best = vote_best_thread(&search);
    for (int i = 0; i < count; i++)
        if (workers[i] == best)
            return i;
    return -1;
}

TEST(threads_elect_a_move)
{
    static const struct {
        const char *name;
        int count;
        Result results[THREADS_MAX];
        int elected;
    } rows[] = {
        { "one thread has nobody to vote with", 1, { { 1, 10, 9, 0 } }, 0 },
        { "two votes beat one", 3, { { 1, 20, 10, 0 }, { 2, 20, 10, 0 }, { 2, 20, 10, 0 } }, 1 },
        { "a thread without a result has no vote", 2, { { 1, 0, 0, 0 }, { 2, -50, 5, 0 } }, 1 },
        { "of one move's threads the deepest leads",
          3,
          { { 1, 20, 9, 0 }, { 1, 20, 11, 0 }, { 1, 20, 10, 0 } },
          1 },
        { "of one move's threads one with a reply leads",
          2,
          { { 1, 20, 12, 1 }, { 1, 20, 11, 2 } },
          1 },
        { "a mate needs no vote",
          3,
          { { 1, 30, 20, 0 }, { 1, 30, 20, 0 }, { 2, SCORE_MATE - 9, 10, 0 } },
          2 },
        { "the shortest mate leads",
          3,
          { { 1, SCORE_MATE - 9, 20, 0 },
            { 2, SCORE_MATE - 5, 10, 0 },
            { 3, SCORE_MATE - 7, 20, 0 } },
          1 },
        { "a lost thread elects nobody",
          3,
          { { 1, 30, 10, 0 }, { 2, -SCORE_MATE + 8, 30, 0 }, { 2, -SCORE_MATE + 8, 30, 0 } },
          0 },
        { "where all are lost the longest defence leads",
          3,
          { { 1, -SCORE_MATE + 6, 30, 0 },
            { 2, -SCORE_MATE + 12, 10, 0 },
            { 3, -SCORE_MATE + 8, 30, 0 } },
          1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int elected = winner(rows[i].results, rows[i].count, 1);
        if (elected != rows[i].elected)
            fail_msg("%s: thread %d", rows[i].name, elected);
    }
}

TEST(several_lines_are_the_main_threads)
{
    static const Result results[THREADS_MAX] = { { 1, 10, 9, 0 }, { 2, 90, 19, 0 } };
    assert_int_equal(winner(results, 2, 2), 0);
}

TESTS_IN(set_up, tear_down)
