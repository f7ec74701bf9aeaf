/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remote_lists.h - lists of users on the web: whom to block, whom to allow.
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

bool remote_lists_block(const RemoteLists *lists, Text id);

/* Are there lists of those allowed, and are they on one? A list that was never read is an empty
 * one.
 */
bool remote_lists_restrict(const RemoteLists *lists);
bool remote_lists_allow(const RemoteLists *lists, Text id);
