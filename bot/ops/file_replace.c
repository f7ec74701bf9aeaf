/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/file_replace.h"

#include "engine/base/text_format.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* errno is set on failure, also where the disk takes a part only. */
static bool write_all(int fd, Text part)
{
    while (part.len > 0) {
        ssize_t written = write(fd, part.at, part.len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            errno = written == 0 ? ENOSPC : errno;
            return false;
        }
        part.at += written;
        part.len -= (size_t)written;
    }
    return true;
}

bool file_replace(const char *path, mode_t mode, const Text *parts, int count, Error *err)
{
    char fresh[PATH_MAX];
    if (!text_format_fits(fresh, sizeof fresh, "%s.new", path)) {
        error_set(err, ERR_RANGE, "%.100s…: the path is too long", path);
        return false;
    }
    unlink(fresh); /* of a write that was interrupted */
    int fd = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) {
        error_set(err, ERR_IO, "%s: cannot write: %s", path, strerror(errno));
        return false;
    }
    bool ok = true;
    for (int i = 0; i < count && ok; i++)
        ok = write_all(fd, parts[i]);
    ok = ok && fsync(fd) == 0 && rename(fresh, path) == 0;
    if (!ok) {
        error_set(err, ERR_IO, "%s: cannot write: %s", path, strerror(errno));
        unlink(fresh);
    }
    close(fd);
    return ok;
}
