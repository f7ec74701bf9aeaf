/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_lists.h - lists of users on the web and in files: whom to block, whom to allow, and whom
 * alone to challenge, those of teams among these.
 *
 * Each is first read from its last good copy in the archive, then fetched in the background from
 * time to time, by its ETag. A slow or broken server changes nothing but a line in the log. The
 * token is never sent. Loop thread only. */
#pragma once
#include "bot/account/context.h"

/* Reads the copies, and fetches the lists as the loop begins to run. `context` is lent and outlives
 * them. */
bool remote_lists_new(RemoteLists **out, const BotContext *context, Error *err) MUST_CHECK;

/* The archive's facts were read late: lists without names take those of their copies. */
void remote_lists_recall(RemoteLists *lists);

/* The memory goes in close callbacks (I8). NULL is fine. */
void remote_lists_close(RemoteLists *lists);

typedef enum { LIST_BLOCK, LIST_ALLOW, LIST_ONLY, LIST_USE_COUNT } ListUse;

/* Are there lists for that, and is this user on one? A list that was never read is an empty one. */
bool remote_lists_any(const RemoteLists *lists, ListUse use);
bool remote_lists_has(const RemoteLists *lists, ListUse use, Text id);
