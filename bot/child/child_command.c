/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/child_command.h"

#include "engine/base/text_format.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A service's PATH has neither. */
static const char games[] = "/usr/games:/usr/local/games";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Cuts one word off `*from` and writes it with its NUL to `*to`, which is never ahead of what was
 * read. */
static bool take_word(const char **from, char **to, Error *err)
{
    bool is_quoted = false;
    const char *at = *from;
    for (; *at && (is_quoted || !is_blank(*at)); at++) {
        if (*at == '"') {
            is_quoted = !is_quoted;
            continue;
        }
        if (is_quoted && at[0] == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        *(*to)++ = *at;
    }
    if (is_quoted) {
        error_set(err, ERR_INVALID, "a quote is not closed");
        return false;
    }
    *(*to)++ = '\0';
    *from = at;
    return true;
}

bool child_command_parse(ChildCommand *out, const char *command, Error *err)
{
    memset(out, 0, sizeof *out);
    out->held = -1;
    if (strlen(command) >= sizeof out->text) {
        error_set(err, ERR_RANGE, "longer than %d bytes", CHILD_COMMAND_SIZE - 1);
        return false;
    }
    const char *from = command;
    char *to = out->text;
    for (int count = 0;; count++) {
        while (is_blank(*from))
            from++;
        if (*from == '\0')
            break;
        if (count == CHILD_ARGS_MAX) {
            error_set(err, ERR_RANGE, "more than %d words", CHILD_ARGS_MAX);
            return false;
        }
        out->argv[count] = to;
        if (!take_word(&from, &to, err))
            return false;
    }
    if (out->argv[0] && out->argv[0][0] != '\0')
        return true;
    error_set(err, ERR_INVALID, "names no program");
    return false;
}

/* 0, or the errno that says why this is no program that we may run. */
static int why_not(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    return access(path, X_OK) == 0 ? 0 : errno;
}

/* The first of the `:`-separated directories that has the program; *why: as why_not(), of the last
 * one that has a file of that name. */
static bool search(const char *directories, const char *name, char out[PATH_MAX], int *why)
{
    for (const char *at = directories; *at; at += *at == ':') {
        size_t len = strcspn(at, ":");
        bool fits =
            text_format_fits(out, PATH_MAX, "%.*s%s%s", (int)len, at, len > 0 ? "/" : "./", name);
        at += len;
        if (!fits)
            continue;
        int reason = why_not(out);
        if (reason == 0)
            return true;
        if (reason != ENOENT && reason != ENOTDIR)
            *why = reason;
    }
    return false;
}

/* Files that are still being copied are usually called so. */
static bool is_unfinished(const char *name)
{
    static const char *const endings[] = { ".tmp", ".part", ".new", "~" };
    size_t len = strlen(name);
    bool is_so = name[0] == '.';
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t end = strlen(endings[i]);
        is_so = is_so || (len > end && strcmp(name + len - end, endings[i]) == 0);
    }
    return is_so;
}

/* In place of a folder: its newest program. False: there is none. */
static bool find_newest(char path[PATH_MAX])
{
    char newest[PATH_MAX], other[PATH_MAX];
    struct timespec when = { .tv_sec = 0 };
    struct stat facts;
    bool is_found = false;
    DIR *folder = opendir(path);
    if (!folder)
        return false;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (!text_format_fits(other, sizeof other, "%s/%s", path, entry->d_name) ||
            is_unfinished(entry->d_name) || why_not(other) != 0 || stat(other, &facts) != 0 ||
            !S_ISREG(facts.st_mode))
            continue;
        const struct timespec at = facts.st_mtim;
        if (is_found &&
            (at.tv_sec < when.tv_sec || (at.tv_sec == when.tv_sec && at.tv_nsec <= when.tv_nsec)))
            continue;
        memcpy(newest, other, sizeof newest);
        when = at;
        is_found = true;
    }
    closedir(folder);
    if (is_found)
        memcpy(path, newest, sizeof newest);
    return is_found;
}

bool child_command_find(ChildCommand *command, Error *err)
{
    const char *name = command->argv[0];
    const char *path = getenv("PATH");
    int why = ENOENT;
    if (strchr(name, '/')) {
        why = why_not(name);
        if ((why == 0 || why == EISDIR) && realpath(name, command->program) &&
            (why == 0 || find_newest(command->program)))
            return true;
        why = why == 0 ? errno : why;
    } else if ((path && search(path, name, command->program, &why)) ||
               search(games, name, command->program, &why)) {
        return true;
    }
    if (why == ENOENT)
        error_set(err, ERR_IO, "%s: not found%s%s", name,
                  strchr(name, '/') ? "" : " along PATH, nor in ", strchr(name, '/') ? "" : games);
    else if (why == EACCES)
        error_set(err, ERR_IO, "%s: not executable", name);
    else
        error_set(err, ERR_IO, "%s: %s", name, strerror(why));
    return false;
}
