/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/ops/writable.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool may(const char *path, int what)
{
    return faccessat(AT_FDCWD, path, what, AT_EACCESS) == 0;
}

/* Turns a path into that of its folder; false where there is none above. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
        return false;
    if (!slash)
        memcpy(path, ".", 2);
    else
        slash[slash == path ? 1 : 0] = '\0';
    return true;
}

bool writable_look(const char *path, FolderWish wish, Error *err)
{
    char folder[PATH_MAX];
    struct stat about;
    size_t len = strlen(path);
    if (len >= sizeof folder) {
        error_set(err, ERR_RANGE, "%.100s…: the path is too long", path);
        return false;
    }
    bool is_there = stat(path, &about) == 0;
    if (is_there && S_ISDIR(about.st_mode)) {
        error_set(err, ERR_IO, "%s: is a folder; the name of a file is needed", path);
        return false;
    }
    memcpy(folder, path, len + 1);
    while (go_up(folder) && wish == FOLDER_MAY_BE_MADE && !may(folder, F_OK) && errno == ENOENT)
        ;
    if (may(folder, W_OK | X_OK) && (!is_there || may(path, R_OK | W_OK)))
        return true;
    error_set(err, ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return false;
}
