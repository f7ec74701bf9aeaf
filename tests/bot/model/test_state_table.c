/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/state_table.h"
#include "tests/support/unit.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

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

TEST(a_state_that_may_not_follow_ends_the_process)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* not cmocka's, which would go on with the tests */
        close(STDERR_FILENO);
        state_enter(&door, OPEN, LOCKED);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    return run_all_tests();
}
