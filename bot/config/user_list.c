/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/user_list.h"

#include <stdlib.h>
#include <string.h>

void user_list_release(UserList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->ids[i]);
    free(list->ids);
    *list = (UserList){ 0 };
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool user_list_add(UserList *list, const char *id, Error *err)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->ids[i], id) == 0)
            return true;
    if (list->count >= USER_LIST_MAX) {
        error_set(err, ERR_RANGE, "more than %d users", USER_LIST_MAX);
        return false;
    }
    char **ids = realloc(list->ids, (list->count + 1) * sizeof *ids);
    char *copy = strdup(id);
    if (ids)
        list->ids = ids;
    if (!ids || !copy) {
        free(copy);
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    list->ids[list->count++] = copy;
    qsort(list->ids, list->count, sizeof *list->ids, compare_ids);
    return true;
}

bool user_list_has(const UserList *list, Text id)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *here = list->ids[middle];
        size_t len = strlen(here);
        int order = memcmp(here, id.at ? id.at : "", len < id.len ? len : id.len);
        if (order == 0)
            order = (len > id.len) - (len < id.len);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
