/* SPDX-License-Identifier: GPL-3.0-or-later */
/* syzygy_files.h - which table files there are; each is mapped at its first use. See tablebase.h
 * for what is shared and what a damaged file does. */
#pragma once
#include "engine/tablebase/syzygy_table.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum { FILE_UNTRIED, FILE_READY, FILE_REFUSED } FileState;

/* `table` is written before `state` says FILE_READY; neither changes after that. */
typedef struct {
    char *path; /* NULL: not there */
    SyzygyTable *table;
    _Atomic FileState state;
} SyzygyFile;

typedef struct {
    MaterialKey key;
    SyzygyFile files[2]; /* by SyzygyKind */
} SyzygyEntry;

/* Where an entry is, under its own key and under that with the colours exchanged. */
typedef struct {
    MaterialKey key; /* 0: free, since no table has kings alone */
    uint32_t entry;
    bool swap;
} SyzygySlot;

typedef struct {
    EncodingLookup encodings;
    SyzygyEntry *entries;
    size_t count;
    size_t capacity;
    SyzygySlot *slots; /* 1 << slot_bits, at most half of them used */
    unsigned slot_bits;
    int counts[2];        /* by SyzygyKind */
    int max_pieces;       /* of WDL tables */
    char *misfit;         /* the first file that was left out for its size, or NULL */
    pthread_mutex_t lock; /* held while a file is being mapped */
} SyzygyFiles;

/* As tablebase_open(), in the caller's storage. */
bool syzygy_files_init(SyzygyFiles *files, const char *directories, Error *err) MUST_CHECK;
void syzygy_files_release(SyzygyFiles *files);

/* The table for a material, lent until release, or NULL; with *swap the table's White is the
 * material's Black. Any thread. */
const SyzygyTable *syzygy_files_find(SyzygyFiles *files, MaterialKey key, SyzygyKind kind,
                                     bool *swap);

/* As tablebase_verify(). */
bool syzygy_files_verify(SyzygyFiles *files, Error *err) MUST_CHECK;
