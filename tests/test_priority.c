/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/priority.h"

#include "engine/base/clock.h"
#include "engine/core/fen.h"
#include "tests/unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WAIT_US = 20000000 };

static bool is_realtime(int policy)
{
    return (policy & ~SCHED_RESET_ON_FORK) == SCHED_RR;
}

/* Whether the kernel lets us: it needs root or RLIMIT_RTPRIO. Asked by a thread that ends. */
static void *try_realtime(void *answer)
{
    priority_raise_network();
    *(bool *)answer = is_realtime(sched_getscheduler(0));
    return NULL;
}

static bool is_permitted(void)
{
    bool answer = false;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, try_realtime, &answer), 0);
    pthread_join(thread, NULL);
    return answer;
}

static void *look_around(void *policy)
{
    *(int *)policy = sched_getscheduler(0);
    return NULL;
}

static void *raise_and_make_a_thread(void *policy)
{
    pthread_t thread;
    priority_raise_network();
    assert_int_equal(pthread_create(&thread, NULL, look_around, policy), 0);
    pthread_join(thread, NULL);
    return NULL;
}

static void what_the_network_makes_does_not_inherit_its_place(void **state)
{
    (void)state;
    int policy = -1;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, raise_and_make_a_thread, &policy), 0);
    pthread_join(thread, NULL);
    assert_int_equal(policy, SCHED_OTHER);
}

/* What the thread that searches was like when it told of its depths, and when it answered. */
typedef struct {
    atomic_int policy; /* of the latest iteration */
    atomic_int niceness;
    atomic_int at_end;
    atomic_bool is_done;
} Seen;

static void on_info(void *user, const SearchInfo *info)
{
    Seen *seen = user;
    (void)info;
    seen->policy = sched_getscheduler(0);
    seen->niceness = getpriority(PRIO_PROCESS, 0);
}

static void on_done(void *user, const SearchResult *result)
{
    Seen *seen = user;
    (void)result;
    seen->at_end = sched_getscheduler(0);
    seen->is_done = true;
}

static void search(Engine *engine, Seen *seen, const SearchLimits *limits)
{
    Position pos;
    assert_true(fen_read(&pos, FEN_START, FEN_STRICT, NULL, NULL));
    *seen = (Seen){ .policy = -1, .niceness = -1, .at_end = -1 };
    engine_set_position(engine, &pos);
    engine_go(engine, limits,
              &(SearchCallbacks){ .on_info = on_info, .on_done = on_done, .user = seen });
    for (int64_t end = clock_now_us() + WAIT_US; !seen->is_done && clock_now_us() < end;)
        usleep(500);
    assert_true(seen->is_done);
    engine_wait(engine);
}

static void only_the_first_instant_of_a_search_is_urgent(void **state)
{
    (void)state;
    Engine *engine = NULL;
    Seen seen;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    const SearchLimits instant = { .depth = 1 }, longer = { .nodes = 100000 };
    const int urgent = is_permitted() ? SCHED_RR : SCHED_OTHER;
    const int ours = getpriority(PRIO_PROCESS, 0);
    options.hash_mib = 1;
    assert_true(priority_lower_engine(&engine, &options, SEARCH_USUAL, NULL));
    search(engine, &seen, &instant); /* from then on it rests */
    search(engine, &seen, &instant);
    assert_int_equal(seen.policy & ~SCHED_RESET_ON_FORK, urgent);
    assert_int_equal(seen.at_end & ~SCHED_RESET_ON_FORK, urgent);
    search(engine, &seen, &longer);
    assert_int_equal(seen.policy & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
    assert_int_equal(seen.niceness, ours + 5 < 19 ? ours + 5 : 19);
    assert_int_equal(seen.at_end & ~SCHED_RESET_ON_FORK, urgent);
    engine_free(engine);
}

static void engines_keep_their_place_with_other_options(void **state)
{
    (void)state;
    Engine *engine = NULL;
    Seen seen;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    const int ours = getpriority(PRIO_PROCESS, 0);
    options.hash_mib = 1;
    assert_true(priority_lower_engine(&engine, &options, SEARCH_USUAL, NULL));
    options.threads = 2;
    assert_true(priority_lower_engine(&engine, &options, SEARCH_USUAL, NULL));
    search(engine, &seen, &(SearchLimits){ .nodes = 100000 });
    assert_int_equal(seen.policy & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
    assert_int_equal(seen.niceness, ours + 5 < 19 ? ours + 5 : 19);
    engine_free(engine);
}

static void a_search_that_gives_way_is_as_nice_as_can_be(void **state)
{
    (void)state;
    Engine *engine = NULL;
    Seen seen;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.hash_mib = 1;
    assert_true(priority_lower_engine(&engine, &options, SEARCH_GIVES_WAY, NULL));
    search(engine, &seen, &(SearchLimits){ .nodes = 5000 });
    assert_int_equal(seen.policy & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
    assert_int_equal(seen.niceness, 19);
    engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_network_makes_does_not_inherit_its_place),
        cmocka_unit_test(only_the_first_instant_of_a_search_is_urgent),
        cmocka_unit_test(engines_keep_their_place_with_other_options),
        cmocka_unit_test(a_search_that_gives_way_is_as_nice_as_can_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
