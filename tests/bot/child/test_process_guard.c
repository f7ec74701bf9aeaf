/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/process_guard.h"

#include "bot/child/process_tree.h"
#include "tests/support/unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IOPRIO_PROCESS = 1, IOPRIO_USER = 3, BEST_EFFORT = 2 << 13 | 4, UNSAFE = 99 };

/* Returns 0 or errno. Each leaves things as they are, or as they are for a program of low priority.
 */
typedef int Deed(pid_t target);

static int outcome(long result)
{
    return result == 0 ? 0 : errno;
}

static int set_priority(pid_t target)
{
    return outcome(syscall(SYS_setpriority, PRIO_PROCESS, target, 19));
}

static int set_limit(pid_t target)
{
    const struct rlimit none = { 0, 0 };
    return outcome(syscall(SYS_prlimit64, target, RLIMIT_CORE, &none, NULL));
}

static int set_affinity(pid_t target)
{
    unsigned long cores[16];
    long size = syscall(SYS_sched_getaffinity, 0, sizeof cores, cores);
    return outcome(syscall(SYS_sched_setaffinity, target, size, cores));
}

static int set_scheduler(pid_t target)
{
    const struct sched_param none = { 0 };
    return outcome(syscall(SYS_sched_setscheduler, target, SCHED_OTHER, &none));
}

static int set_parameter(pid_t target)
{
    const struct sched_param none = { 0 };
    return outcome(syscall(SYS_sched_setparam, target, &none));
}

static int set_attributes(pid_t target)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t runtime, deadline, period;
    } attributes = { .size = sizeof attributes, .nice = 19 };
    return outcome(syscall(SYS_sched_setattr, target, &attributes, 0));
}

static int set_io_priority(pid_t target)
{
    return outcome(syscall(SYS_ioprio_set, IOPRIO_PROCESS, target, BEST_EFFORT));
}

static const struct {
    const char *name;
    Deed *deed;
} deeds[] = {
    { "setpriority", set_priority },       { "prlimit64", set_limit },
    { "sched_setaffinity", set_affinity }, { "sched_setscheduler", set_scheduler },
    { "sched_setparam", set_parameter },   { "sched_setattr", set_attributes },
    { "ioprio_set", set_io_priority },
};

enum { DEEDS = sizeof deeds / sizeof *deeds };

/* As child_launch() does. Returns the exit status of `program` below such a watcher. */
static int run_below_watcher(int (*program)(size_t i), size_t i)
{
    int status;
    pid_t watcher = fork();
    if (watcher == 0) {
        int guard = process_tree_begin() ? process_guard_begin() : -1;
        pid_t child = fork();
        if (child == 0) {
            close(guard);
            process_tree_leave();
            _exit(program(i));
        }
        process_tree_end(process_tree_wait(child, guard, process_guard_answer));
    }
    assert_int_equal(waitpid(watcher, &status, 0), watcher);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int at_the_test(size_t i)
{
    return deeds[i].deed(getpgrp());
}

static int at_the_watcher(size_t i)
{
    return deeds[i].deed(getppid());
}

static int at_itself(size_t i)
{
    int by_0 = deeds[i].deed(0);
    return by_0 ? by_0 : deeds[i].deed(getpid());
}

static int at_its_child(size_t i)
{
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    int result = deeds[i].deed(child);
    kill(child, SIGKILL);
    return result;
}

typedef struct {
    atomic_int number;
    pthread_barrier_t end;
} Worker;

static void *work(void *user)
{
    Worker *worker = user;
    atomic_store(&worker->number, (int)syscall(SYS_gettid));
    pthread_barrier_wait(&worker->end);
    return NULL;
}

/* As pthread_setaffinity_np() does, by the thread's number. */
static int at_its_thread(size_t i)
{
    Worker worker = { .number = 0 };
    pthread_t thread;
    if (pthread_barrier_init(&worker.end, NULL, 2) != 0 ||
        pthread_create(&thread, NULL, work, &worker) != 0)
        return UNSAFE;
    while (atomic_load(&worker.number) == 0)
        sched_yield();
    int result = deeds[i].deed((pid_t)atomic_load(&worker.number));
    pthread_barrier_wait(&worker.end);
    pthread_join(thread, NULL);
    return result;
}

static int at_nobody(size_t i)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return deeds[i].deed(child);
}

TEST(priority_and_limits_of_others_cannot_be_changed)
{
    static const struct {
        const char *target;
        int (*program)(size_t i);
        int expected;
    } rows[] = {
        { "the test", at_the_test, EPERM }, { "the watcher", at_the_watcher, EPERM },
        { "itself", at_itself, 0 },         { "its child", at_its_child, 0 },
        { "its thread", at_its_thread, 0 }, { "who has ended", at_nobody, ESRCH },
    };
    if (!process_guard_is_available())
        skip();
    setpgid(0, 0); /* so that the group's number is the test's */
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t i = 0; i < DEEDS; i++) {
            int result = run_below_watcher(rows[row].program, i);
            if (result != rows[row].expected)
                fail_msg("%s of %s: %s", deeds[i].name, rows[row].target, strerror(result));
        }
}

static int at_many(size_t i)
{
    static const struct {
        long call;
        int kind;
        int expected;
    } rows[] = {
        { SYS_setpriority, PRIO_USER, EPERM },
        { SYS_ioprio_set, IOPRIO_USER, EPERM },
        { SYS_setpriority, PRIO_PGRP, 0 },
    };
    setpgid(0, 0);
    int value = rows[i].call == SYS_setpriority ? 19 : BEST_EFFORT;
    return outcome(syscall(rows[i].call, rows[i].kind, 0, value)) == rows[i].expected ? 0 : UNSAFE;
}

TEST(a_users_processes_cannot_be_changed_at_once_but_a_group_can)
{
    if (!process_guard_is_available())
        skip();
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(run_below_watcher(at_many, i), 0);
}

#ifdef __x86_64__
/* By the table of 32-bit programs, which a kernel may lack: the signal says so. */
static int by_table_of_i386(size_t i)
{
    enum { SETPRIORITY_I386 = 97 };
    long result;
    (void)i;
    __asm__ volatile("int $0x80"
                     : "=a"(result)
                     : "a"(SETPRIORITY_I386), "b"(PRIO_PROCESS), "c"((long)getppid()), "d"(19L)
                     : "memory", "r8", "r9", "r10", "r11");
    return (int)-result;
}

static void end_without_table(int number)
{
    (void)number;
    _exit(EPERM);
}

static int by_tables_of_others(size_t i)
{
    enum { X32_BIT = 0x40000000 };
    signal(SIGSEGV, end_without_table);
    return i == 0 ? by_table_of_i386(i)
                  : outcome(syscall(X32_BIT | SYS_setpriority, PRIO_PROCESS, getppid(), 19));
}

TEST(the_kernels_other_tables_are_no_way_around)
{
    if (!process_guard_is_available())
        skip();
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(run_below_watcher(by_tables_of_others, i), EPERM);
}
#endif

/* As on a kernel without seccomp, or one that asks nobody. */
static bool refuse_seccomp(bool only_listeners)
{
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, only_listeners ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0,
                 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EINVAL),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = { .len = sizeof steps / sizeof *steps, .filter = steps };
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int run_on_old_kernel(bool only_listeners, int (*program)(size_t i), size_t i)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        if (!refuse_seccomp(only_listeners) || process_guard_is_available() != only_listeners)
            _exit(UNSAFE);
        _exit(run_below_watcher(program, i));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

TEST(without_questions_only_itself_can_be_changed)
{
    if (!process_guard_is_available())
        skip();
    for (size_t i = 0; i < DEEDS; i++) {
        assert_int_equal(run_on_old_kernel(true, at_the_watcher, i), EPERM);
        assert_int_equal(run_on_old_kernel(true, at_its_thread, i), EPERM);
    }
    assert_int_equal(run_on_old_kernel(true, at_many, 2), 0);
}

TEST(without_seccomp_nothing_is_guarded_and_nothing_fails)
{
    if (!process_guard_is_available())
        skip();
    for (size_t i = 0; i < DEEDS; i++)
        assert_int_equal(run_on_old_kernel(false, at_the_watcher, i), 0);
}
