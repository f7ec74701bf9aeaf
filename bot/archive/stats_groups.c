/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats_groups.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_GROUPS = 64 };

void stats_groups_release(StatsGroups *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        free(groups->list[i].key);
        free(groups->list[i].name);
    }
    free(groups->list);
    free(groups->slots);
    *groups = (StatsGroups){ 0 };
}

/* FNV-1a. */
static size_t hash_of(const char *key)
{
    uint64_t hash = 14695981039346656037U;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 1099511628211U;
    return (size_t)(hash ^ hash >> 32);
}

/* Where the key's index stands, or is to stand. */
static size_t *slot_of(const StatsGroups *groups, const char *key)
{
    size_t mask = groups->slot_count - 1, at = hash_of(key) & mask;
    while (groups->slots[at] != 0 && strcmp(groups->list[groups->slots[at] - 1].key, key) != 0)
        at = (at + 1) & mask;
    return &groups->slots[at];
}

/* Room for one more; at least half of the slots stay free. */
static bool make_room(StatsGroups *groups)
{
    if (groups->count < groups->capacity)
        return true;
    size_t capacity = groups->capacity ? 2 * groups->capacity : FIRST_GROUPS;
    StatsGroup *list = realloc(groups->list, capacity * sizeof *list);
    if (!list)
        return false;
    groups->list = list;
    size_t *slots = calloc(2 * capacity, sizeof *slots);
    if (!slots)
        return false;
    free(groups->slots);
    groups->slots = slots;
    groups->slot_count = 2 * capacity;
    groups->capacity = capacity;
    for (size_t i = 0; i < groups->count; i++)
        *slot_of(groups, list[i].key) = i + 1;
    return true;
}

static StatsGroup *add_group(StatsGroups *groups, const char *key, const char *name,
                             int64_t ended_ms)
{
    StatsGroup group = { .key = strdup(key), .name = strdup(name), .named_ms = ended_ms };
    if (!group.key || !group.name || !make_room(groups)) {
        free(group.key);
        free(group.name);
        return NULL;
    }
    groups->list[groups->count] = group;
    *slot_of(groups, key) = ++groups->count;
    return &groups->list[groups->count - 1];
}

StatsGroup *stats_groups_at(StatsGroups *groups, const char *key, const char *name,
                            int64_t ended_ms)
{
    size_t index = groups->slot_count > 0 ? *slot_of(groups, key) : 0;
    if (index == 0)
        return add_group(groups, key, name, ended_ms);
    StatsGroup *group = &groups->list[index - 1];
    if (ended_ms > group->named_ms && strcmp(group->name, name) != 0) {
        char *copy = strdup(name);
        if (!copy)
            return NULL;
        free(group->name);
        group->name = copy;
    }
    if (ended_ms > group->named_ms)
        group->named_ms = ended_ms;
    return group;
}

const StatsGroup *stats_groups_find(const StatsGroups *groups, const char *key)
{
    size_t index = groups->slot_count > 0 ? *slot_of(groups, key) : 0;
    return index > 0 ? &groups->list[index - 1] : NULL;
}

int64_t stats_group_games(const StatsGroup *group)
{
    return group->won + group->drawn + group->lost;
}

static int by_games(const void *a, const void *b)
{
    int64_t first = stats_group_games(a), second = stats_group_games(b);
    return first != second ? (first < second) - (first > second)
                           : strcmp(((const StatsGroup *)a)->name, ((const StatsGroup *)b)->name);
}

static int by_last_name(const void *a, const void *b)
{
    return strcmp(((const StatsGroup *)b)->name, ((const StatsGroup *)a)->name);
}

void stats_groups_sort(StatsGroups *groups, StatsOrder order)
{
    if (groups->count > 0)
        qsort(groups->list, groups->count, sizeof *groups->list,
              order == STATS_LAST_NAME_FIRST ? by_last_name : by_games);
}
