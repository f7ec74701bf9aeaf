/* SPDX-License-Identifier: GPL-3.0-or-later */
/* forwarder.h - brings finished games from the archive's file to the server that has the archive of
 * many hosts, and takes them out of the file when the server has them.
 *
 * So the file is the queue: what the server does not take, because it is away or because of what
 * stands in a game, survives our end and waits there. A job on libuv's pool of threads, one at a
 * time, with connections of its own, moves what the file holds. While that fails it is tried again
 * every FORWARDER_RETRY_MS. What the server refuses as it is, it is asked again in an hour, or by
 * the next process. Loop thread only. */
#pragma once
#include "bot/archive/stats.h"
#include "bot/archive/store.h"

#include <uv.h>

typedef struct Forwarder Forwarder;

enum { FORWARDER_RETRY_MS = 15000 };

/* What came of a job. Lent for the call. */
typedef struct {
    int64_t moved;   /* games that the server has now */
    int64_t waiting; /* games in the file; -1: not known */
    int64_t refused; /* of these: what the server will not take as it is; */
    Error refusal;   /* of one of them */
    Error why;       /* ERR_NONE: all is well */
    bool has_results;
    StatsRow results[AGAINST_COUNT]; /* of our account's games on the server */
    const BookStats *book_stats;     /* the same, before these were moved; NULL but once */
} ForwarderResult;

typedef void ForwarderOnResult(void *user, const ForwarderResult *result);

/* `file`, of a store that is written elsewhere, and `address` are copied. */
bool forwarder_new(Forwarder **out, uv_loop_t *loop, const char *file, const char *address,
                   ForwarderOnResult *on_result, void *user, Error *err) MUST_CHECK;

/* Who we are. Nothing is moved before that. */
void forwarder_set_account(Forwarder *forwarder, const char *account);

/* There may be something in the file. */
void forwarder_begin(Forwarder *forwarder);

/* Stops what is under way; nothing is called any more. The memory goes when it has stopped. NULL is
 * fine. */
void forwarder_close(Forwarder *forwarder);
