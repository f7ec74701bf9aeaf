/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/tt.h"

#include "engine/base/pages.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKET_SLOTS = 3, GENERATIONS = 32, DEPTH_OFFSET = 1 };

typedef struct {
    _Atomic uint64_t data[BUCKET_SLOTS];
    _Atomic uint16_t check[BUCKET_SLOTS];
    uint16_t unused;
} Bucket;

static_assert(sizeof(Bucket) == 32, "two buckets share a cache line");

struct Tt {
    Bucket *buckets;
    uint64_t bucket_count;
    _Atomic unsigned generation; /* 0..GENERATIONS - 1 */
};

/* An entry's word: move | score | eval | depth | bound, tt_pv, generation. Bound 0 is an empty
 * slot. */
typedef struct {
    Move move;
    int16_t score, eval;
    uint8_t depth;      /* + DEPTH_OFFSET */
    uint8_t bound;      /* 1 + ScoreBound */
    uint8_t tt_pv;      /* 0, 1 */
    uint8_t generation; /* of the search that stored it */
} Slot;

static uint64_t slot_pack(Slot slot)
{
    return slot.move | (uint64_t)(uint16_t)slot.score << 16 | (uint64_t)(uint16_t)slot.eval << 32 |
           (uint64_t)slot.depth << 48 | (uint64_t)slot.bound << 56 | (uint64_t)slot.tt_pv << 58 |
           (uint64_t)slot.generation << 59;
}

static Slot slot_unpack(uint64_t data)
{
    return (Slot){
        .move = (Move)data,
        .score = (int16_t)(data >> 16),
        .eval = (int16_t)(data >> 32),
        .depth = (uint8_t)(data >> 48),
        .bound = (data >> 56) & 3,
        .tt_pv = (data >> 58) & 1,
        .generation = (uint8_t)(data >> 59),
    };
}

static uint16_t check_of(uint64_t key, uint64_t data)
{
    uint64_t folded = data ^ data >> 32;
    return (uint16_t)(key ^ folded ^ folded >> 16);
}

static Bucket *bucket_of(const Tt *tt, uint64_t key)
{
    /* The high half of key * count spreads keys evenly over any count; the low bits of the key
     * are left for the check. */
    __extension__ typedef unsigned __int128 Wide;
    return &tt->buckets[(uint64_t)((Wide)key * tt->bucket_count >> 64)];
}

/* Mate and tablebase scores count plies from the root in the search, from the position itself in
 * the transposition table. */
static int score_to_tt(int score, int ply)
{
    if (score == SCORE_NONE)
        return score;
    return score >= SCORE_TABLEBASE_BOUND    ? score + ply
           : score <= -SCORE_TABLEBASE_BOUND ? score - ply
                                             : score;
}

static int score_from_tt(int score, int ply)
{
    if (score == SCORE_NONE)
        return score;
    return score >= SCORE_TABLEBASE_BOUND    ? score - ply
           : score <= -SCORE_TABLEBASE_BOUND ? score + ply
                                             : score;
}

static unsigned generation_of(const Tt *tt)
{
    return atomic_load_explicit(&tt->generation, memory_order_relaxed);
}

/* How many searches ago the slot was written. */
static int slot_age(const Tt *tt, Slot slot)
{
    return (int)((generation_of(tt) + GENERATIONS - slot.generation) % GENERATIONS);
}

bool tt_new(Tt **out, int mib, Error *err)
{
    size_t bytes = (size_t)mib << 20;
    Tt *tt = calloc(1, sizeof *tt);
    if (!tt) {
        error_set(err, ERR_MEMORY, "no memory for the hash table");
        return false;
    }
    void *memory = pages_new(bytes);
    if (!memory) {
        error_set(err, ERR_MEMORY, "no memory for a hash table of %d MiB: %s", mib,
                  strerror(errno));
        free(tt);
        return false;
    }
    tt->buckets = memory;
    tt->bucket_count = bytes / sizeof(Bucket);
    *out = tt;
    return true;
}

void tt_free(Tt *tt)
{
    if (!tt)
        return;
    pages_free(tt->buckets, tt->bucket_count * sizeof(Bucket));
    free(tt);
}

void tt_clear(Tt *tt)
{
    tt_clear_share(tt, 0, 1);
}

void tt_clear_share(Tt *tt, int share, int of)
{
    size_t each = (tt->bucket_count + (size_t)of - 1) / (size_t)of;
    size_t first = each * (size_t)share;
    if (share == 0)
        atomic_store_explicit(&tt->generation, 0, memory_order_relaxed);
    if (first >= tt->bucket_count)
        return;
    size_t left = tt->bucket_count - first;
    memset(tt->buckets + first, 0, (left < each ? left : each) * sizeof(Bucket));
}

void tt_new_search(Tt *tt)
{
    /* Of two engines that start at once both may write the same number: no harm. */
    unsigned next = (generation_of(tt) + 1) % GENERATIONS;
    atomic_store_explicit(&tt->generation, next, memory_order_relaxed);
}

TtEntry tt_probe(const Tt *tt, uint64_t key, int ply)
{
    const Bucket *bucket = bucket_of(tt, key);
    for (int i = 0; i < BUCKET_SLOTS; i++) {
        uint64_t data = atomic_load_explicit(&bucket->data[i], memory_order_relaxed);
        uint16_t check = atomic_load_explicit(&bucket->check[i], memory_order_relaxed);
        Slot slot = slot_unpack(data);
        if (!slot.bound || check != check_of(key, data))
            continue;
        return (TtEntry){
            .move = slot.move,
            .score = score_from_tt(slot.score, ply),
            .eval = slot.eval,
            .depth = slot.depth - DEPTH_OFFSET,
            .bound = (ScoreBound)(slot.bound - 1),
            .tt_pv = slot.tt_pv,
        };
    }
    return (TtEntry){ .score = SCORE_NONE, .eval = SCORE_NONE, .depth = TT_DEPTH_NONE };
}

void tt_store(Tt *tt, const Params *params, uint64_t key, int ply, const TtEntry *entry)
{
    const Params *p = params_in_use(params);
    Bucket *bucket = bucket_of(tt, key);
    int victim = 0;
    int victim_worth = INT32_MAX;
    Slot old = { 0 };
    bool same = false;
    for (int i = 0; i < BUCKET_SLOTS; i++) {
        uint64_t data = atomic_load_explicit(&bucket->data[i], memory_order_relaxed);
        uint16_t check = atomic_load_explicit(&bucket->check[i], memory_order_relaxed);
        Slot slot = slot_unpack(data);
        if (slot.bound && check == check_of(key, data)) {
            victim = i;
            old = slot;
            same = true;
            break;
        }
        int worth = slot.bound ? slot.depth - p->tt_age_weight * slot_age(tt, slot) : INT32_MIN;
        if (worth < victim_worth) {
            victim = i;
            victim_worth = worth;
        }
    }

    Slot slot = {
        .move = entry->move == MOVE_NONE && same ? old.move : entry->move,
        .score = (int16_t)score_to_tt(entry->score, ply),
        .eval = (int16_t)entry->eval,
        .depth = (uint8_t)(entry->depth + DEPTH_OFFSET),
        .bound = (uint8_t)(entry->bound + 1),
        .tt_pv = entry->tt_pv,
        .generation = (uint8_t)generation_of(tt),
    };
    /* A much deeper result for the same position is kept, unless this one is exact. */
    if (same && entry->bound != BOUND_EXACT && slot_age(tt, old) == 0 &&
        slot.depth + p->tt_keep_deeper + p->tt_keep_deeper_pv * entry->tt_pv <= old.depth) {
        old.move = slot.move; /* the newer move is the better guess all the same */
        slot = old;
    }
    uint64_t data = slot_pack(slot);
    atomic_store_explicit(&bucket->data[victim], data, memory_order_relaxed);
    atomic_store_explicit(&bucket->check[victim], check_of(key, data), memory_order_relaxed);
}

void tt_prefetch(const Tt *tt, uint64_t key)
{
    __builtin_prefetch(bucket_of(tt, key));
    /* Without effects that gcc knows of, its link-time optimisation takes callers for pure, and
     * drops the calls. */
    __asm__ volatile("");
}

int tt_hashfull(const Tt *tt)
{
    enum { SAMPLE = 1000 };
    int used = 0;
    for (int i = 0; i < SAMPLE; i++) {
        const Bucket *bucket = &tt->buckets[i / BUCKET_SLOTS];
        Slot slot = slot_unpack(
            atomic_load_explicit(&bucket->data[i % BUCKET_SLOTS], memory_order_relaxed));
        used += slot.bound && slot_age(tt, slot) == 0;
    }
    return used;
}
