/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/namelist.h"

#include "bot/lichess/event.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The name that a line holds; empty for none at all. */
static Text name_in(Text line)
{
    const char *comment = line.len > 0 ? memchr(line.at, '#', line.len) : NULL;
    if (comment)
        line.len = (size_t)(comment - line.at);
    line = text_trimmed(line, " \t\r");
    if (line.len > 2 && line.at[0] == '-' && line.at[1] == ' ')
        line = (Text){ line.at + 2, line.len - 2 };
    return text_trimmed(line, " \t,\"'");
}

static bool add(UserList *list, size_t *room, Text name, Error *err)
{
    if (list->count == *room) {
        size_t more = *room ? 2 * *room : 64;
        char **ids = realloc(list->ids, more * sizeof *ids);
        if (!ids) {
            error_set(err, ERR_MEMORY, "no memory");
            return false;
        }
        list->ids = ids;
        *room = more;
    }
    char *id = strndup(name.at, name.len);
    if (!id) {
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    for (char *c = id; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    list->ids[list->count++] = id;
    return true;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(UserList *list)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->ids, list->count, sizeof *list->ids, compare);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && strcmp(list->ids[kept - 1], list->ids[i]) == 0)
            free(list->ids[i]);
        else
            list->ids[kept++] = list->ids[i];
    }
    list->count = kept;
}

bool namelist_parse(UserList *out, const char *text, size_t len, Error *err)
{
    UserList list = { 0 };
    size_t room = 0, at = 0;
    int number = 0;
    bool ok = true;
    while (at < len && ok) {
        const char *end = memchr(text + at, '\n', len - at);
        Text line = { text + at, end ? (size_t)(end - text) - at : len - at };
        Text name = name_in(line);
        at += line.len + 1;
        number++;
        if (name.len == 0)
            continue;
        if (!user_name_is_valid(name)) {
            error_set(err, ERR_INVALID, "line %d is no name", number);
            ok = false;
        } else if (list.count == USER_LIST_MAX) {
            error_set(err, ERR_RANGE, "more than %d names", USER_LIST_MAX);
            ok = false;
        } else {
            ok = add(&list, &room, name, err);
        }
    }
    if (!ok) {
        user_list_release(&list);
        return false;
    }
    sort(&list);
    *out = list;
    return true;
}
