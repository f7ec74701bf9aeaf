/* SPDX-License-Identifier: GPL-3.0-or-later */
/* archive_queue.h - games and facts that wait to be written, in the order in which they came. */
#pragma once
#include "bot/model/record.h"

typedef struct ArchiveEntry {
    struct ArchiveEntry *next;
    bool is_game;
    GameRecord game;
    char *key, *value; /* of a fact */
    int64_t expires_ms;
} ArchiveEntry;

/* Copies of what is given, owned by the caller; NULL: no memory. */
ArchiveEntry *archive_entry_of_game(const GameRecord *record);
ArchiveEntry *archive_entry_of_fact(const char *key, const char *value, int64_t expires_ms);
void archive_entry_free(ArchiveEntry *entry); /* NULL is fine */

/* It owns its entries. Not to be copied: move them with archive_queue_append(). */
typedef struct {
    ArchiveEntry *first, **last;
    int games, facts;
} ArchiveQueue;

void archive_queue_init(ArchiveQueue *queue);
void archive_queue_release(ArchiveQueue *queue); /* leaves it empty */

/* Takes the entry over. */
void archive_queue_put(ArchiveQueue *queue, ArchiveEntry *entry);

/* Moves all of `from` to the end of `to`. */
void archive_queue_append(ArchiveQueue *to, ArchiveQueue *from);

/* The rest keeps its order. False: there is no game. */
bool archive_queue_drop_oldest_game(ArchiveQueue *queue);
