/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stats_groups.h - games that are put together by a key and summed up. Pure. */
#pragma once
#include "bot/review/analysis.h"
#include "bot/review/time_use.h"

#include <stddef.h>

/* What the kept analyses say of a group's games. */
typedef struct {
    int64_t games;                /* of which one is kept, */
    int64_t accurate;             /* and of these, those with an accuracy, */
    double ours, theirs;          /* … summed up, in percent; */
    double lost[CAUSE_COUNT];     /* our winning chances by what took them, summed up, in percent */
    int64_t lost_by[CAUSE_COUNT]; /* games that we lost */
} LossSum;

typedef struct {
    char *key, *name;
    int64_t named_ms; /* the end of the game that `name` is from */
    int64_t won, drawn, lost;
    int64_t rated;  /* opponents whose rating is known, */
    double ratings; /* and the sum */
    int64_t in_book;
    double book_plies;
    int64_t exits;
    double exit_cp;
    TimeUse time;
    LossSum losses;
    int64_t on_time, strikes; /* as in a StatsRow */
} StatsGroup;

typedef struct {
    StatsGroup *list;
    size_t count, capacity;
    size_t *slots; /* a hash table of indices into the list, from 1 on; 0: free */
    size_t slot_count;
} StatsGroups; /* empty: all zero */

void stats_groups_release(StatsGroups *groups);

/* The group of that key, which is made where it is missing; lent until the next call. Its name is
 * that of the game that ended last. NULL without memory. */
StatsGroup *stats_groups_at(StatsGroups *groups, const char *key, const char *name,
                            int64_t ended_ms);

/* The group of that key; NULL: there is none. */
const StatsGroup *stats_groups_find(const StatsGroups *groups, const char *key);

/* Won, drawn and lost. */
int64_t stats_group_games(const StatsGroup *group);

typedef enum {
    STATS_MOST_GAMES_FIRST, /* then by name */
    STATS_LAST_NAME_FIRST,  /* the latest, where names are dates */
} StatsOrder;

/* Nothing can be found any more. */
void stats_groups_sort(StatsGroups *groups, StatsOrder order);
