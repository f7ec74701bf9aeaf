/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/state_dir.h"

#include "engine/base/text_format.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && value[0] == '/' ? value : NULL; /* relative ones are to be ignored: XDG */
}

bool state_dir_path(char *out, size_t size, const char *name, Error *err)
{
    const char *systemd = variable("STATE_DIRECTORY");
    const char *state_home = variable("XDG_STATE_HOME");
    const char *home = variable("HOME");
    int len;
    if (name[0] == '/')
        len = snprintf(out, size, "%s", name);
    else if (systemd)
        len = snprintf(out, size, "%.*s/%s", (int)strcspn(systemd, ":"), systemd, name);
    else if (state_home)
        len = snprintf(out, size, "%s/castled/%s", state_home, name);
    else if (home)
        len = snprintf(out, size, "%s/.local/state/castled/%s", home, name);
    else {
        error_set(err, ERR_IO,
                  "no state directory: none of STATE_DIRECTORY, XDG_STATE_HOME and "
                  "HOME is set");
        return false;
    }
    if (len < 0 || (size_t)len >= size) {
        error_set(err, ERR_RANGE, "the state directory's path is too long");
        return false;
    }
    return true;
}

bool state_dir_beside(char *out, size_t size, const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return text_format_fits(out, size, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

bool state_dir_make(const char *path, Error *err)
{
    char folder[PATH_MAX];
    size_t len = strlen(path);
    if (len >= sizeof folder) {
        error_set(err, ERR_RANGE, "path too long");
        return false;
    }
    memcpy(folder, path, len + 1);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0700) != 0 && errno != EEXIST && errno != EISDIR) {
            int cause = errno;
            struct stat facts;
            if (stat(folder, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
                error_set(err, ERR_IO, "%s: cannot make the folder: %s", folder, strerror(cause));
                return false;
            }
        }
        *slash = '/';
    }
    return true;
}
