/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/process_guard.h"

#include "bot/ops/ancestry.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    BY_PID = 5,             /* calls whose first argument is the target; 0 is the caller */
    BY_KIND = 2,            /* and those whose first says what the second names: */
    SETPRIORITY = BY_PID,   /* a process, a group or a user, from PRIO_PROCESS on */
    IOPRIO_SET,             /* likewise, */
    IOPRIO_WHO_PROCESS = 1, /* from here on (linux/ioprio.h is in newer headers only) */
    X32_BIT = 0x40000000,   /* x86-64's third table has the same numbers for these */
    STEPS_MAX = 64,
};

/* prlimit64, sched_setaffinity, sched_setattr, sched_setparam, sched_setscheduler; setpriority,
 * ioprio_set: by the kernel's tables, of which a program can call more than its own. */
typedef struct {
    uint32_t architecture;
    uint32_t numbers[BY_PID + BY_KIND];
} CallTable;

static const CallTable call_tables[] = {
#if defined __x86_64__
    { AUDIT_ARCH_X86_64, { 302, 203, 314, 142, 144, 141, 251 } },
    { AUDIT_ARCH_I386, { 340, 241, 351, 154, 156, 97, 289 } },
#elif defined __aarch64__ && defined __AARCH64EL__
    { AUDIT_ARCH_AARCH64, { 261, 122, 274, 118, 119, 140, 30 } },
    { AUDIT_ARCH_ARM, { 369, 241, 380, 154, 156, 97, 314 } },
#else
    { 0, { 0 } }, /* whose tables nobody has looked up: not available */
#endif
};

enum { TABLES = sizeof call_tables / sizeof *call_tables };

static long call_seccomp(unsigned operation, unsigned flags, void *argument)
{
    return syscall(SYS_seccomp, operation, flags, argument);
}

bool process_guard_is_available(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    if (call_tables[0].architecture != 0)
        return call_seccomp(SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
    errno = ENOSYS;
    return false;
}

/* A filter that grows step by step; jumps count from the next step on. */
typedef struct {
    struct sock_filter steps[STEPS_MAX];
    unsigned short count;
} Filter;

static void add_step(Filter *filter, uint16_t code, uint32_t value, unsigned if_true,
                     unsigned if_false)
{
    filter->steps[filter->count++] = (struct sock_filter){
        .code = code, .jt = (uint8_t)if_true, .jf = (uint8_t)if_false, .k = value
    };
}

static void add_load(Filter *filter, size_t offset)
{
    add_step(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

/* The kernel takes the lower half of each; these machines have it first. */
static void add_load_argument(Filter *filter, size_t i)
{
    add_load(filter, offsetof(struct seccomp_data, args) + i * sizeof(uint64_t));
}

static void add_return(Filter *filter, uint32_t action)
{
    add_step(filter, BPF_RET | BPF_K, action, 0, 0);
}

/* Skips `steps` where the loaded value is not this one. */
static void add_unless(Filter *filter, uint32_t value, unsigned steps)
{
    add_step(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, steps);
}

/* The caller itself may be the target. */
static void add_allow_0(Filter *filter, size_t argument, uint32_t action)
{
    add_load_argument(filter, argument);
    add_unless(filter, 0, 1);
    add_return(filter, SECCOMP_RET_ALLOW);
    add_return(filter, action);
}

/* A group has none but descendants: they have a session of their own. A user has us, too. */
static void add_allow_own_kind(Filter *filter, uint32_t process, uint32_t action)
{
    add_load_argument(filter, 0);
    add_step(filter, BPF_JMP | BPF_JGT | BPF_K, process + 1, 3, 0);
    add_allow_0(filter, 1, action);
}

enum { ALLOW_0_STEPS = 4, ALLOW_OWN_KIND_STEPS = 2 + ALLOW_0_STEPS };

/* Each call's number leads to its rule behind the numbers, from the last one backwards. */
static void add_table(Filter *filter, const CallTable *table, uint32_t action)
{
    enum { RULES = ALLOW_0_STEPS + 2 * ALLOW_OWN_KIND_STEPS, NUMBERS = BY_PID + BY_KIND };
    add_unless(filter, table->architecture, 2 + NUMBERS + 1 + RULES);
    add_load(filter, offsetof(struct seccomp_data, nr));
    add_step(filter, BPF_ALU | BPF_AND | BPF_K, ~(uint32_t)X32_BIT, 0, 0);
    for (unsigned i = 0; i < NUMBERS; i++) {
        unsigned rule = i == SETPRIORITY  ? ALLOW_0_STEPS
                        : i == IOPRIO_SET ? ALLOW_0_STEPS + ALLOW_OWN_KIND_STEPS
                                          : 0;
        add_step(filter, BPF_JMP | BPF_JEQ | BPF_K, table->numbers[i], NUMBERS - i + rule, 0);
    }
    add_return(filter, SECCOMP_RET_ALLOW);
    add_allow_0(filter, 0, action);
    add_allow_own_kind(filter, PRIO_PROCESS, action);
    add_allow_own_kind(filter, IOPRIO_WHO_PROCESS, action);
}

/* -1 and errno, or what the kernel returns for `flags`. */
static int install(uint32_t action, unsigned flags)
{
    Filter filter = { .count = 0 };
    add_load(&filter, offsetof(struct seccomp_data, arch));
    for (size_t i = 0; i < TABLES; i++)
        add_table(&filter, &call_tables[i], action);
    add_return(&filter, SECCOMP_RET_ERRNO | EPERM); /* a table that we do not know */
    struct sock_fprog program = { .len = filter.count, .filter = filter.steps };
    return (int)call_seccomp(SECCOMP_SET_MODE_FILTER, flags, &program);
}

int process_guard_begin(void)
{
    if (!process_guard_is_available() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return -1;
    int descriptor = install(SECCOMP_RET_USER_NOTIF, SECCOMP_FILTER_FLAG_NEW_LISTENER);
    if (descriptor < 0) /* an old kernel, or a container's own listener */
        (void)install(SECCOMP_RET_ERRNO | EPERM, 0);
    return descriptor;
}

/* The process or thread that a call is about; 0: more than one, or something else. */
static pid_t target_of(const struct seccomp_data *call)
{
    uint32_t number = (uint32_t)call->nr & ~(uint32_t)X32_BIT;
    for (size_t i = 0; i < TABLES; i++) {
        const CallTable *table = &call_tables[i];
        if (call->arch != table->architecture)
            continue;
        if (number == table->numbers[SETPRIORITY])
            return (uint32_t)call->args[0] == PRIO_PROCESS ? (pid_t)call->args[1] : 0;
        if (number == table->numbers[IOPRIO_SET])
            return (uint32_t)call->args[0] == IOPRIO_WHO_PROCESS ? (pid_t)call->args[1] : 0;
    }
    return (pid_t)call->args[0];
}

/* One that has ended has no number to misuse: the kernel says so to the caller. */
static bool is_allowed(const struct seccomp_data *call)
{
    pid_t target = target_of(call);
    return target > 0 && ancestry_child_above(target) != 0;
}

/* Requests are numbers of 32 bits, which glibc takes in an unsigned long, and POSIX and musl in an
 * int. */
#ifdef __GLIBC__
typedef unsigned long IoctlRequest;
#else
typedef int IoctlRequest;
#endif

void process_guard_answer(int descriptor)
{
    const IoctlRequest receive = (IoctlRequest)SECCOMP_IOCTL_NOTIF_RECV;
    const IoctlRequest send = (IoctlRequest)SECCOMP_IOCTL_NOTIF_SEND;
    struct seccomp_notif question = { 0 };
    if (ioctl(descriptor, receive, &question) != 0)
        return; /* the asker has ended */
    struct seccomp_notif_resp answer = { .id = question.id };
    if (is_allowed(&question.data)) {
        answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        if (ioctl(descriptor, send, &answer) == 0 || errno != EINVAL)
            return;
        answer.flags = 0; /* before Linux 5.5 */
    }
    answer.error = -EPERM;
    (void)ioctl(descriptor, send, &answer);
}
