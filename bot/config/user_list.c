/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/user_list.h"

#include "bot/model/ids.h"

#include <stdlib.h>
#include <string.h>

void user_list_release(UserList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->ids[i]);
    free(list->ids);
    *list = (UserList){ 0 };
}

bool user_list_add(UserList *list, Text name, Error *err)
{
    if (list->count >= USER_LIST_MAX) {
        error_set(err, ERR_RANGE, "more than %d users", USER_LIST_MAX);
        return false;
    }
    bool is_full = (list->count & (list->count - 1)) == 0; /* room doubles */
    size_t room = list->count > 0 ? 2 * list->count : 1;
    char **ids = is_full ? realloc(list->ids, room * sizeof *ids) : list->ids;
    char *id = strndup(name.at, name.len);
    if (ids)
        list->ids = ids;
    if (!ids || !id) {
        free(id);
        error_set(err, ERR_MEMORY, "no memory");
        return false;
    }
    user_id_from_name(id);
    list->ids[list->count++] = id;
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void user_list_sort(UserList *list)
{
    size_t kept = 0;
    if (list->count > 0)
        qsort(list->ids, list->count, sizeof *list->ids, compare_ids);
    for (size_t i = 0; i < list->count; i++) {
        if (kept > 0 && strcmp(list->ids[kept - 1], list->ids[i]) == 0)
            free(list->ids[i]);
        else
            list->ids[kept++] = list->ids[i];
    }
    list->count = kept;
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
