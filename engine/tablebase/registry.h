/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.h - which table files there are, and each of them mapped when first asked for.
 * See tablebase.h for what is shared and what a damaged file does. */
#pragma once
#include "engine/tablebase/table.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum { FILE_UNTRIED, FILE_READY, FILE_REFUSED } FileState;

/* `table` is written before `state` says FILE_READY; neither changes after that. */
typedef struct {
    char *path; /* NULL: not there */
    Table *table;
    _Atomic FileState state;
} RegistryFile;

typedef struct {
    MaterialKey key;
    RegistryFile files[2]; /* by TableKind */
} RegistryEntry;

/* Where an entry is, under its own key and under that with the colours exchanged. */
typedef struct {
    MaterialKey key; /* 0: free, since no table has kings alone */
    uint32_t entry;
    bool swap;
} RegistrySlot;

typedef struct {
    EncodingTables encodings;
    RegistryEntry *entries;
    size_t count;
    size_t capacity;
    RegistrySlot *slots; /* 1 << slot_bits, at most half of them used */
    unsigned slot_bits;
    int files[2];         /* by TableKind */
    int max_men;          /* of WDL tables */
    char *misfit;         /* the first file that was left out for its size, or NULL */
    pthread_mutex_t lock; /* held while a file is being mapped */
} Registry;

/* As tablebase_open(), in the caller's storage. */
bool registry_init(Registry *registry, const char *directories, Error *err) MUST_CHECK;
void registry_release(Registry *registry);

/* The table for a material, lent until release, or NULL; with *swap the table's White is the
 * material's Black. Any thread. */
const Table *registry_find(Registry *registry, MaterialKey key, TableKind kind, bool *swap);

/* As tablebase_verify(). */
bool registry_verify(Registry *registry, Error *err) MUST_CHECK;
