/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/perft_parallel.h"

#include "engine/core/movegen.h"
#include "engine/core/perft.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* `count` holds the depth in its upper byte. */
typedef struct {
    _Atomic uint64_t count;
    _Atomic uint64_t key_xor_count;
} Entry;

enum { DEPTH_SHIFT = 56 };

/* A piece of work: the tree below two moves from the root. */
typedef struct {
    Move moves[2];
} Branch;

typedef struct {
    const Position *root;
    int depth; /* below the branches */
    Entry *table;
    uint64_t mask; /* entries - 1 */
    Branch *branches;
    size_t branch_count;
    atomic_size_t next_branch;
    _Atomic uint64_t leaves;
} Count;

static bool find(const Count *c, uint64_t key, int depth, uint64_t *leaves)
{
    const Entry *entry = &c->table[key & c->mask];
    uint64_t count = atomic_load_explicit(&entry->count, memory_order_relaxed);
    uint64_t mixed = atomic_load_explicit(&entry->key_xor_count, memory_order_relaxed);
    if ((mixed ^ count) != key || count >> DEPTH_SHIFT != (uint64_t)depth)
        return false;
    *leaves = count & ((1ULL << DEPTH_SHIFT) - 1);
    return true;
}

static void keep(const Count *c, uint64_t key, int depth, uint64_t leaves)
{
    if (leaves >> DEPTH_SHIFT)
        return;
    Entry *entry = &c->table[key & c->mask];
    uint64_t count = (uint64_t)depth << DEPTH_SHIFT | leaves;
    atomic_store_explicit(&entry->count, count, memory_order_relaxed);
    atomic_store_explicit(&entry->key_xor_count, key ^ count, memory_order_relaxed);
}

static uint64_t count_below(const Count *c, Position *pos, int depth)
{
    uint64_t leaves = 0;
    if (depth <= 1 || !c->table)
        return perft(pos, depth);
    if (find(c, pos->key, depth, &leaves))
        return leaves;
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        Undo undo;
        position_make(pos, list.moves[i], &undo);
        leaves += count_below(c, pos, depth - 1);
        position_unmake(pos, list.moves[i], &undo);
    }
    keep(c, pos->key, depth, leaves);
    return leaves;
}

static void *work(void *argument)
{
    Count *c = argument;
    Position pos = *c->root;
    uint64_t leaves = 0;
    for (;;) {
        size_t i = atomic_fetch_add(&c->next_branch, 1);
        if (i >= c->branch_count)
            break;
        const Move *moves = c->branches[i].moves;
        Undo undos[2];
        position_make(&pos, moves[0], &undos[0]);
        position_make(&pos, moves[1], &undos[1]);
        leaves += count_below(c, &pos, c->depth);
        position_unmake(&pos, moves[1], &undos[1]);
        position_unmake(&pos, moves[0], &undos[0]);
    }
    atomic_fetch_add(&c->leaves, leaves);
    return NULL;
}

/* Room for all pairs of moves is small and bounded: MAX_MOVES squared, 1 MiB. */
static bool list_branches(Count *c)
{
    c->branches = malloc(sizeof(Branch) * MAX_MOVES * MAX_MOVES);
    if (!c->branches)
        return false;
    Position pos = *c->root;
    MoveList first, second;
    movegen_legal(&pos, &first);
    for (int i = 0; i < first.count; i++) {
        Undo undo;
        position_make(&pos, first.moves[i], &undo);
        movegen_legal(&pos, &second);
        for (int k = 0; k < second.count; k++)
            c->branches[c->branch_count++] = (Branch){ { first.moves[i], second.moves[k] } };
        position_unmake(&pos, first.moves[i], &undo);
    }
    return true;
}

static bool allocate_table(Count *c, int hash_mib)
{
    if (hash_mib == 0)
        return true;
    uint64_t entries = 1;
    while (entries * 2 * sizeof(Entry) <= (uint64_t)hash_mib << 20)
        entries *= 2;
    c->table = calloc(entries, sizeof(Entry));
    c->mask = entries - 1;
    return c->table != NULL;
}

static bool run_threads(Count *c, int threads, Error *err)
{
    pthread_t others[PERFT_MAX_THREADS];
    int started = 0, failed = 0;
    while (started < threads - 1 && !failed) {
        failed = pthread_create(&others[started], NULL, work, c);
        started += !failed;
    }
    if (failed)
        error_set(err, ERR_MEMORY, "cannot start thread %d: %s", started + 2, strerror(failed));
    else
        work(c);
    while (started > 0)
        pthread_join(others[--started], NULL);
    return !failed;
}

bool perft_parallel(const Position *pos, int depth, const PerftOptions *options, uint64_t *leaves,
                    Error *err)
{
    assert(options->threads >= 1 && options->threads <= PERFT_MAX_THREADS);
    if (depth <= 2) {
        Position copy = *pos;
        *leaves = perft(&copy, depth);
        return true;
    }
    Count c = { .root = pos, .depth = depth - 2 };
    bool ok = list_branches(&c) && allocate_table(&c, options->hash_mib);
    if (!ok)
        error_set(err, ERR_MEMORY, "no memory for %d MiB of hash", options->hash_mib);
    ok = ok && run_threads(&c, options->threads, err);
    if (ok)
        *leaves = c.leaves;
    free(c.table);
    free(c.branches);
    return ok;
}
