/* SPDX-License-Identifier: GPL-3.0-or-later */
/* user_list.h - a set of Lichess users, by their ids: lower case, sorted. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

enum { USER_LIST_MAX = 10000 };

typedef struct {
    char **ids;
    size_t count;
} UserList;

void user_list_release(UserList *list);

/* Adds a user, to be followed by user_list_sort(). False and an Error when the list is full or
 * there is no memory. */
bool user_list_add(UserList *list, Text name, Error *err) MUST_CHECK;

/* Puts the ids in order, each once. */
void user_list_sort(UserList *list);

/* True if `id` (lower case) is in the list. */
bool user_list_has(const UserList *list, Text id);
