/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/sandbox.h"

#include "engine/base/text_format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Older kernels' headers lack some of what newer kernels understand. */
#ifndef LANDLOCK_ACCESS_FS_REFER
    #define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_SCOPE_SIGNAL
    #define LANDLOCK_SCOPE_SIGNAL (1ULL << 1)
#endif

/* struct landlock_ruleset_attr of version 6; older kernels require zeros at the end. */
typedef struct {
    uint64_t handled_access_fs, handled_access_net, scoped;
} RulesetAttr;

enum {
    NAMES_MAX = 3 * SANDBOX_HIDDEN_MAX, /* see add_names() */
    /* The kernel's versions of the interface that brought something for us. */
    VERSION_REFER = 2,
    VERSION_SCOPE = 6,
};

typedef struct {
    int ruleset;
    uint64_t handled;
    char *hidden[NAMES_MAX]; /* of folders without links */
    size_t count;
} Sandbox;

/* 0 or less: none. */
static int landlock_version(void)
{
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

bool sandbox_is_available(void)
{
    return landlock_version() > 0;
}

/* To read a file; to take away its name or its folder's, so that another could come there; to move
 * or link it to another folder, where it could be read. The first version forbids the latter. */
static uint64_t access_known_to(int version)
{
    return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_REMOVE_FILE |
           LANDLOCK_ACCESS_FS_REMOVE_DIR |
           (version >= VERSION_REFER ? LANDLOCK_ACCESS_FS_REFER : 0);
}

typedef enum { PATH_FREE, PATH_HIDDEN, PATH_ABOVE_HIDDEN } PathKind;

static PathKind kind_of(const Sandbox *sandbox, const char *path)
{
    size_t len = strcmp(path, "/") == 0 ? 0 : strlen(path);
    PathKind kind = PATH_FREE;
    for (size_t i = 0; i < sandbox->count; i++) {
        const char *hidden = sandbox->hidden[i];
        if (strcmp(hidden, path) == 0)
            return PATH_HIDDEN;
        if (strncmp(hidden, path, len) == 0 && hidden[len] == '/')
            kind = PATH_ABOVE_HIDDEN;
    }
    return kind;
}

/* By another name: a hard link. */
static bool is_hidden_file(const Sandbox *sandbox, const struct stat *about)
{
    struct stat hidden;
    for (size_t i = 0; i < sandbox->count; i++) {
        if (lstat(sandbox->hidden[i], &hidden) == 0 && hidden.st_ino == about->st_ino &&
            hidden.st_dev == about->st_dev)
            return true;
    }
    return false;
}

/* What can't be opened, or has gone meanwhile, stays unreadable. A link is no place of its own. */
static bool allow(const Sandbox *sandbox, const char *path, Error *err)
{
    bool ok = true;
    struct stat about;
    int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return true;
    if (fstat(fd, &about) == 0 && !S_ISLNK(about.st_mode) && !is_hidden_file(sandbox, &about)) {
        const struct landlock_path_beneath_attr rule = {
            .allowed_access =
                S_ISDIR(about.st_mode) ? sandbox->handled : LANDLOCK_ACCESS_FS_READ_FILE,
            .parent_fd = fd,
        };
        ok = syscall(SYS_landlock_add_rule, sandbox->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
                     0) == 0;
    }
    if (!ok)
        error_set(err, ERR_IO, "%s: cannot be allowed to an engine: %s", path, strerror(errno));
    close(fd);
    return ok;
}

/* A file in memory (EBADFD) needs no rule. */
static bool allow_open_file(const Sandbox *sandbox, int fd, Error *err)
{
    const struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
        .parent_fd = fd,
    };
    if (syscall(SYS_landlock_add_rule, sandbox->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) ==
            0 ||
        errno == EBADFD)
        return true;
    error_set(err, ERR_IO, "an engine's file cannot be allowed to it: %s", strerror(errno));
    return false;
}

static bool allow_around_hidden(const Sandbox *sandbox, const char *folder, Error *err);

static bool allow_entry(const Sandbox *sandbox, const char *folder, const char *name, Error *err)
{
    char path[PATH_MAX];
    size_t folder_len = strcmp(folder, "/") == 0 ? 0 : strlen(folder), len = strlen(name);
    if (folder_len + 1 + len >= sizeof path)
        return true; /* no path leads to it */
    memcpy(path, folder, folder_len);
    path[folder_len] = '/';
    memcpy(path + folder_len + 1, name, len + 1);
    switch (kind_of(sandbox, path)) {
    case PATH_HIDDEN:
        break;
    case PATH_FREE:
        return allow(sandbox, path, err);
    case PATH_ABOVE_HIDDEN:
        return allow_around_hidden(sandbox, path, err);
    }
    return true;
}

/* In a folder that can be passed but not listed, only the way to what is hidden is known. */
static bool allow_on_the_way(const Sandbox *sandbox, const char *folder, Error *err)
{
    size_t len = strcmp(folder, "/") == 0 ? 0 : strlen(folder);
    bool ok = true;
    for (size_t i = 0; i < sandbox->count && ok; i++) {
        const char *hidden = sandbox->hidden[i];
        if (strncmp(hidden, folder, len) != 0 || hidden[len] != '/')
            continue;
        char name[NAME_MAX + 1];
        size_t name_len = strcspn(hidden + len + 1, "/");
        memcpy(name, hidden + len + 1, name_len);
        name[name_len] = '\0';
        ok = allow_entry(sandbox, folder, name, err);
    }
    return ok;
}

/* Recursion goes as deep as the hidden path. */
static bool allow_around_hidden(const Sandbox *sandbox, const char *folder, Error *err)
{
    DIR *entries = opendir(folder);
    bool ok = true;
    if (!entries)
        return allow_on_the_way(sandbox, folder, err);
    for (const struct dirent *entry; ok && (entry = readdir(entries));) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            ok = allow_entry(sandbox, folder, entry->d_name, err);
    }
    closedir(entries);
    return ok;
}

static bool restrict_self(const Sandbox *sandbox, Error *err)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        syscall(SYS_landlock_restrict_self, sandbox->ruleset, 0) == 0)
        return true;
    error_set(err, ERR_IO, "cannot restrict an engine: %s", strerror(errno));
    return false;
}

/* Takes `path`, which may be NULL. */
static void add_name(Sandbox *sandbox, char *path)
{
    if (path)
        sandbox->hidden[sandbox->count++] = path;
}

/* The path's last name in its true folder: a link, perhaps. NULL: no such folder. */
static char *in_true_folder(const char *path)
{
    char folder[PATH_MAX] = "", *real = NULL, *whole = NULL;
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (slash)
        memcpy(folder, path, (size_t)(slash - path) + 1);
    real = realpath(slash ? folder : ".", NULL);
    size_t size = real ? strlen(real) + strlen(name) + 2 : 0;
    whole = real ? malloc(size) : NULL;
    if (whole)
        text_format(whole, size, "%s/%s", strcmp(real, "/") == 0 ? "" : real, name);
    free(real);
    return whole;
}

/* All names by which it can be found: the link, where it leads, and where it led. */
static bool add_names(Sandbox *sandbox, const HiddenPath *hidden, Error *err)
{
    char *real = realpath(hidden->path, NULL);
    if (!real && errno == ENOENT && hidden->real[0] != '\0') {
        error_set(err, ERR_IO,
                  "%s is no longer there, and may be readable elsewhere; put it back, or restart "
                  "castled",
                  hidden->path);
        return false;
    }
    if (real)
        add_name(sandbox, in_true_folder(hidden->path));
    add_name(sandbox, real);
    add_name(sandbox, hidden->real[0] != '\0' ? strdup(hidden->real) : NULL);
    return true;
}

static bool make_rules(Sandbox *sandbox, const HiddenPath *hidden, size_t count, Error *err)
{
    for (size_t i = 0; i < count; i++)
        if (!add_names(sandbox, &hidden[i], err))
            return false;
    return kind_of(sandbox, "/") == PATH_ABOVE_HIDDEN ? allow_around_hidden(sandbox, "/", err)
                                                      : allow(sandbox, "/", err);
}

bool sandbox_enter(const HiddenPath *hidden, size_t count, int also, Error *err)
{
    int version = landlock_version();
    Sandbox sandbox = { .handled = access_known_to(version) };
    RulesetAttr attr = { .handled_access_fs = sandbox.handled,
                         .scoped = version >= VERSION_SCOPE ? LANDLOCK_SCOPE_SIGNAL : 0 };
    if (version <= 0)
        return true;
    if (count > SANDBOX_HIDDEN_MAX) {
        error_set(err, ERR_RANGE, "more than %d paths to hide", SANDBOX_HIDDEN_MAX);
        return false;
    }
    sandbox.ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    if (sandbox.ruleset < 0) {
        error_set(err, ERR_IO, "cannot restrict an engine: %s", strerror(errno));
        return false;
    }
    bool ok = make_rules(&sandbox, hidden, count, err) &&
              (also < 0 || allow_open_file(&sandbox, also, err)) && restrict_self(&sandbox, err);
    for (size_t i = 0; i < sandbox.count; i++)
        free(sandbox.hidden[i]);
    close(sandbox.ruleset);
    return ok;
}
