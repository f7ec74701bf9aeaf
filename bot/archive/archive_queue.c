/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/archive_queue.h"

#include <stdlib.h>
#include <string.h>

ArchiveEntry *archive_entry_of_game(const GameRecord *record)
{
    ArchiveEntry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    entry->is_game = true;
    if (!record_copy(&entry->game, record)) {
        archive_entry_free(entry);
        return NULL;
    }
    return entry;
}

ArchiveEntry *archive_entry_of_fact(const char *key, const char *value, int64_t expires_ms)
{
    ArchiveEntry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return NULL;
    record_init(&entry->game);
    entry->key = strdup(key);
    entry->value = strdup(value);
    entry->expires_ms = expires_ms;
    if (!entry->key || !entry->value) {
        archive_entry_free(entry);
        return NULL;
    }
    return entry;
}

void archive_entry_free(ArchiveEntry *entry)
{
    if (!entry)
        return;
    record_release(&entry->game);
    free(entry->key);
    free(entry->value);
    free(entry);
}

void archive_queue_init(ArchiveQueue *queue)
{
    *queue = (ArchiveQueue){ .last = &queue->first };
}

void archive_queue_put(ArchiveQueue *queue, ArchiveEntry *entry)
{
    entry->next = NULL;
    *queue->last = entry;
    queue->last = &entry->next;
    queue->games += entry->is_game;
    queue->facts += !entry->is_game;
}

static ArchiveEntry *take_first(ArchiveQueue *queue)
{
    ArchiveEntry *entry = queue->first;
    if (!entry)
        return NULL;
    queue->first = entry->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->games -= entry->is_game;
    queue->facts -= !entry->is_game;
    return entry;
}

void archive_queue_append(ArchiveQueue *to, ArchiveQueue *from)
{
    for (ArchiveEntry *entry = take_first(from); entry; entry = take_first(from))
        archive_queue_put(to, entry);
}

void archive_queue_release(ArchiveQueue *queue)
{
    for (ArchiveEntry *entry = take_first(queue); entry; entry = take_first(queue))
        archive_entry_free(entry);
}

bool archive_queue_drop_oldest_game(ArchiveQueue *queue)
{
    ArchiveQueue kept;
    bool is_dropped = false;
    archive_queue_init(&kept);
    for (ArchiveEntry *entry = take_first(queue); entry; entry = take_first(queue)) {
        if (!is_dropped && entry->is_game) {
            is_dropped = true;
            archive_entry_free(entry);
        } else {
            archive_queue_put(&kept, entry);
        }
    }
    archive_queue_append(queue, &kept);
    return is_dropped;
}
