/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/sandbox.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534, VERSION_WITH_SIGNALS = 6, UNSAFE = 99 };

static char folder[] = "/tmp/castled-sandbox-XXXXXX";

static void write_file(const char *path, mode_t mode)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
    assert_int_equal(write(fd, "content\n", 8), 8);
    assert_int_equal(fchmod(fd, mode), 0);
    close(fd);
}

/* A row may have moved them. */
static void restore(void)
{
    static const char *const moved[][2] = {
        { "moved", "secret" },
        { "sub/secret", "secret" },
        { "moved", "credentials" },
        { "sub/credentials", "credentials" },
    };
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        if (access(moved[i][1], F_OK) != 0 && access(moved[i][0], F_OK) == 0)
            assert_int_equal(rename(moved[i][0], moved[i][1]), 0);
    }
    assert_int_equal(access("secret", F_OK), 0);
    assert_int_equal(access("credentials/secret", F_OK), 0);
}

/* secret, credentials/secret, net, sub/other; "way" to secret leads to it. */
static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder) != 0 || mkdir("credentials", 0700) != 0 ||
        mkdir("sub", 0700) != 0 || symlink("secret", "way") != 0)
        return -1;
    write_file("secret", 0600);
    write_file("credentials/secret", 0600);
    write_file("net", 0600);
    write_file("sub/other", 0600);
    return 0;
}

static int remove_folder(void **state)
{
    char command[100];
    (void)state;
    return snprintf(command, sizeof command, "rm -rf %s", folder) > 0 ? system(command) : -1;
}

/* Runs a shell in a process that has entered; returns the exit status. */
static int run_confined(const char *command, const HiddenPath *hidden, size_t count)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (!sandbox_enter(hidden, count, -1, NULL))
            _exit(UNSAFE);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(UNSAFE);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(what_is_hidden_cannot_be_read_and_the_rest_can)
{
    static const HiddenPath hidden[] = { { "secret", "" },
                                         { "credentials", "" },
                                         { "nonesuch/secret", "" } };
    static const struct {
        const char *command;
        bool is_allowed;
    } rows[] = {
        { "cat secret", false },
        { "cat way", false },
        { "cat credentials/secret", false },
        { "cat /proc/self/root$PWD/secret", false },
        { "cd credentials; cat secret", false },
        { "mv secret moved; cat moved", false },
        { "mv credentials moved; cat moved/secret", false },
        { "mv secret sub/; cat sub/secret", false },
        { "ln secret sub/found; cat sub/found", false },
        { "ln secret found; cat found", false },
        { "mv credentials sub/; cat sub/credentials/secret", false },
        { "head -c 1 credentials/secret", false },
        { "cat net sub/other /etc/passwd > /dev/null", true },
        { "ls . credentials", true },
        { "echo new > sub/new; mv sub/new sub/newer; cat sub/newer; rm sub/newer", true },
        { "mkdir sub/a sub/b; echo new > sub/a/new; mv sub/a/new sub/b/; cat sub/b/new", true },
        { "mv secret moved", false },
        { "mv credentials moved", false },
        { "mv $PWD $PWD.moved", false },
        { "rm -f secret", false },
        { "echo false > other; mv other secret", false },
        { "echo log > log; echo more >> log", true },
        { "echo more >> net", true },
        { "true | cat", true },
    };
    char command[200];
    if (!sandbox_is_available())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_in_range(snprintf(command, sizeof command, "(%s) >/dev/null 2>&1", rows[i].command),
                        1, sizeof command - 1);
        int status = run_confined(command, hidden, 3);
        assert_int_not_equal(status, UNSAFE);
        if ((status == 0) != rows[i].is_allowed)
            fail_msg("%s: status %d", rows[i].command, status);
        restore();
    }
}

/* As an engine could leave things for its next start. */
TEST(what_was_prepared_does_not_help)
{
    char real[PATH_MAX];
    assert_non_null(realpath("secret", real));
    const HiddenPath hidden = { "secret", real }, link = { "way", real };
    if (!sandbox_is_available())
        skip();
    (void)!unlink("found");
    assert_int_equal(run_confined("ln secret found", &hidden, 1), 0);
    assert_int_not_equal(run_confined("cat found 2>/dev/null", &hidden, 1), 0);
    assert_int_equal(unlink("found"), 0);
    assert_int_not_equal(run_confined("rm way 2>/dev/null", &link, 1), 0);
    assert_int_equal(unlink("way"), 0);
    assert_int_equal(symlink("net", "way"), 0); /* the operator, say */
    assert_int_not_equal(run_confined("cat secret 2>/dev/null", &link, 1), 0);
    assert_int_not_equal(run_confined("cat net 2>/dev/null", &link, 1), 0);
    assert_int_equal(unlink("way"), 0);
    assert_int_equal(symlink("secret", "way"), 0);
}

TEST(what_has_gone_from_its_place_may_be_anywhere)
{
    char real[PATH_MAX];
    Error err = { 0 };
    assert_non_null(realpath("secret", real));
    const HiddenPath hidden = { "secret", real };
    if (!sandbox_is_available())
        skip();
    assert_int_equal(rename("secret", "moved"), 0);
    assert_false(sandbox_enter(&hidden, 1, -1, &err));
    assert_int_equal(rename("moved", "secret"), 0);
    assert_string_equal(err.text,
                        "secret is no longer there, and may be readable elsewhere; put it "
                        "back, or restart castled");
}

TEST(nobody_outside_can_be_sent_a_signal)
{
    char command[60];
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) <
        VERSION_WITH_SIGNALS)
        skip();
    assert_true(snprintf(command, sizeof command, "kill -0 %d 2>/dev/null", (int)getpid()) > 0);
    assert_int_not_equal(run_confined(command, NULL, 0), 0);
    assert_int_equal(run_confined("kill -0 $$", NULL, 0), 0);
}

TEST(in_a_folder_that_cannot_be_listed_the_way_to_the_secret_is_open)
{
    static const HiddenPath hidden[] = { { "closed/home/secret", "" } };
    if (!sandbox_is_available())
        skip();
    assert_int_equal(mkdir("closed", 0700), 0);
    assert_int_equal(mkdir("closed/home", 0755), 0);
    write_file("closed/home/secret", 0644);
    write_file("closed/home/engine", 0644);
    assert_int_equal(chmod("closed", 0111), 0);
    assert_int_equal(chmod(".", 0755), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) != 0)
            _exit(UNSAFE);
        _exit(run_confined("cat closed/home/engine >/dev/null 2>&1 || exit 1;"
                           "! cat closed/home/secret >/dev/null 2>&1",
                           hidden, 1));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod("closed", 0700), 0);
    assert_int_equal(status, 0);
}

/* As on a kernel without Landlock. */
static bool refuse_landlock(void)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { .len = sizeof steps / sizeof *steps, .filter = steps };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(on_a_kernel_without_landlock_nothing_is_hidden_and_nothing_fails)
{
    static const HiddenPath hidden[] = { { "secret", "" } };
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (!refuse_landlock() || sandbox_is_available() || errno != ENOSYS)
            _exit(UNSAFE);
        _exit(run_confined("cat secret > /dev/null", hidden, 1));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

TESTS_IN(make_folder, remove_folder)
