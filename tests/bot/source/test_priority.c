/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/priority.h"
#include "bot/child/child_launch.h"

#include "engine/base/clock.h"
#include "tests/support/chess.h"

#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

enum { WAIT_US = 20000000 };

/* The search thread's priority when it reported its latest depth. */
typedef struct {
    atomic_int niceness;
    atomic_bool is_done;
} Seen;

static void on_info(void *user, const SearchInfo *info)
{
    Seen *seen = user;
    (void)info;
    seen->niceness = getpriority(PRIO_PROCESS, 0);
}

static void on_done(void *user, const SearchResult *result)
{
    Seen *seen = user;
    (void)result;
    seen->is_done = true;
}

static void search(Engine *engine, Seen *seen, const SearchLimits *limits)
{
    Position pos = position_of(FEN_START);
    *seen = (Seen){ .niceness = -1 };
    engine_set_position(engine, &pos);
    engine_go(engine, limits,
              &(SearchCallbacks){ .on_info = on_info, .on_done = on_done, .user = seen });
    for (int64_t end = clock_now_us() + WAIT_US; !seen->is_done && clock_now_us() < end;)
        usleep(500);
    assert_true(seen->is_done);
    engine_wait(engine);
}

TEST(engines_keep_their_place_with_other_options)
{
    Engine *engine = NULL;
    Seen seen;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.hash_mib = 1;
    assert_true(priority_lower_engine(&engine, &options, NULL));
    options.threads = 2;
    assert_true(priority_lower_engine(&engine, &options, NULL));
    search(engine, &seen, &(SearchLimits){ .nodes = 100000 });
    assert_int_equal(seen.niceness, child_niceness());
    engine_free(engine);
}

TEST(searches_are_nicer_than_we_and_than_other_work)
{
    const int ours = getpriority(PRIO_PROCESS, 0);
    assert_true(child_niceness() > ours || ours == 19);
    assert_true(child_niceness() >= 5);
    if (setpriority(PRIO_PROCESS, 0, -10) != 0)
        skip(); /* only root may */
    assert_int_equal(child_niceness(), 5);
    assert_int_equal(setpriority(PRIO_PROCESS, 0, ours), 0);
}
