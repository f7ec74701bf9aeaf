/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/state_table.h"
#include "tests/support/unit.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef NDEBUG
    #define IS_HELD false
#else
    #define IS_HELD true
#endif

enum { SHUT, OPEN, LOCKED };

static const char *const names[] = { [SHUT] = "shut", [OPEN] = "open", [LOCKED] = "locked" };
static const uint32_t next[] = {
    [SHUT] = 1U << OPEN | 1U << LOCKED,
    [OPEN] = 1U << SHUT,
    [LOCKED] = 1U << SHUT,
};
static const StateTable door = { names, next };

TEST(a_state_that_may_follow_is_entered)
{
    assert_int_equal(state_enter(&door, SHUT, OPEN), OPEN);
    assert_int_equal(state_enter(&door, OPEN, SHUT), SHUT);
    assert_int_equal(state_enter(&door, SHUT, LOCKED), LOCKED);
}

TEST(a_state_that_may_not_follow_is_told_of_and_ends_a_debug_build)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* not cmocka's, which would go on with the tests */
        dup2(ends[1], STDERR_FILENO);
        _exit(state_enter(&door, OPEN, LOCKED) == LOCKED ? 0 : 1);
    }
    char told[200];
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    assert_non_null(fgets(told, sizeof told, lines));
    assert_string_equal(told, "castled: fault: locked follows open, and no table knows of it\n");
    fclose(lines);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (IS_HELD)
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    else
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
