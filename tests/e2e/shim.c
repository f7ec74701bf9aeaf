/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shim.c - a wall clock that a test can move and a disk that it can fill or slow down, preloaded
 * into a program.
 *
 * The seconds that the file $SHIM_CLOCK_OFFSET holds at the moment are added to CLOCK_REALTIME,
 * and those behind them to CLOCK_BOOTTIME, each an int64_t: together they make a sleep of the
 * machine. CLOCK_MONOTONIC is left alone. While the file $SHIM_DISK_FULL exists,
 * nothing can be written to regular files (ENOSPC). With $SHIM_SYNC_MS each fdatasync() takes
 * that long, as on a busy disk. With $SHIM_NAMES_MS each name takes that long to resolve, and
 * lichess.test is this machine. */
#include <errno.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* What the program calls instead of libc's. */
#define SHIM __attribute__((visibility("default")))

static time_t offset_s(off_t at)
{
    int64_t offset = 0;
    const char *path = getenv("SHIM_CLOCK_OFFSET");
    int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return 0;
    if (pread(fd, &offset, sizeof offset, at) != sizeof offset)
        offset = 0;
    close(fd);
    return offset;
}

SHIM int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += offset_s(0);
    if (status == 0 && clock == CLOCK_BOOTTIME)
        now->tv_sec += offset_s(sizeof(int64_t));
    return status;
}

SHIM int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact) != 0)
        return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

SHIM time_t time(time_t *out)
{
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return (time_t)-1;
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}

static bool disk_is_full(int fd)
{
    struct stat what;
    const char *path = getenv("SHIM_DISK_FULL");
    return path && access(path, F_OK) == 0 && fstat(fd, &what) == 0 && S_ISREG(what.st_mode);
}

static ssize_t no_space(void)
{
    errno = ENOSPC;
    return -1;
}

SHIM ssize_t write(int fd, const void *bytes, size_t len)
{
    return disk_is_full(fd) ? no_space() : syscall(SYS_write, fd, bytes, len);
}

SHIM ssize_t pwrite(int fd, const void *bytes, size_t len, off_t at)
{
    return disk_is_full(fd) ? no_space() : syscall(SYS_pwrite64, fd, bytes, len, at);
}

SHIM ssize_t pwrite64(int fd, const void *bytes, size_t len, off64_t at)
{
    return disk_is_full(fd) ? no_space() : syscall(SYS_pwrite64, fd, bytes, len, at);
}

SHIM int fdatasync(int fd)
{
    const char *ms = getenv("SHIM_SYNC_MS");
    if (ms)
        usleep((useconds_t)strtol(ms, NULL, 10) * 1000);
    return (int)syscall(SYS_fdatasync, fd);
}

typedef int Resolve(const char *node, const char *service, const struct addrinfo *hints,
                    struct addrinfo **out);

SHIM int getaddrinfo(const char *restrict node, const char *restrict service,
                     const struct addrinfo *restrict hints, struct addrinfo **restrict out)
{
    const char *ms = getenv("SHIM_NAMES_MS");
    void *libcs = dlsym(RTLD_NEXT, "getaddrinfo");
    Resolve *resolve;
    memcpy(&resolve, &libcs, sizeof resolve);
    if (ms)
        usleep((useconds_t)strtoul(ms, NULL, 10) * 1000);
    bool is_here = ms && node && strcmp(node, "lichess.test") == 0;
    return resolve(is_here ? "127.0.0.1" : node, service, hints, out);
}
