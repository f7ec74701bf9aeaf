/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book_stats.h"

#include <stdlib.h>

enum {
    CAPACITY_MIN = 256, /* a power of 2, as all capacities are */
    RESULTS_WEIGHED = 1024,
};

void book_stats_init(BookStats *stats)
{
    *stats = (BookStats){ 0 };
}

void book_stats_release(BookStats *stats)
{
    free(stats->slots);
    book_stats_init(stats);
}

/* Keys are as good as random, unless the file is forged. */
static size_t home_of(uint64_t key, size_t capacity)
{
    return (size_t)(key >> 32 ^ key) & (capacity - 1);
}

/* Where the move is, or belongs. There is always a free place. */
static BookMoveStats *slot_of(BookMoveStats *slots, size_t capacity, uint64_t key, Move move)
{
    size_t at = home_of(key, capacity);
    while (slots[at].move != MOVE_NONE && (slots[at].key != key || slots[at].move != move))
        at = (at + 1) & (capacity - 1);
    return &slots[at];
}

static bool grow(BookStats *stats)
{
    if (2 * stats->count < stats->capacity)
        return true;
    size_t capacity = stats->capacity > 0 ? 2 * stats->capacity : CAPACITY_MIN;
    BookMoveStats *slots = calloc(capacity, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < stats->capacity; i++) {
        const BookMoveStats *old = &stats->slots[i];
        if (old->move != MOVE_NONE)
            *slot_of(slots, capacity, old->key, old->move) = *old;
    }
    free(stats->slots);
    stats->slots = slots;
    stats->capacity = capacity;
    return true;
}

static void add_up(uint32_t *to, uint32_t more)
{
    *to += more < UINT32_MAX - *to ? more : UINT32_MAX - *to;
}

static void results_add(Results *to, const Results *more)
{
    add_up(&to->won, more->won);
    add_up(&to->drawn, more->drawn);
    add_up(&to->lost, more->lost);
}

bool book_stats_add(BookStats *stats, uint64_t key, Move move, const Results *results)
{
    if (move == MOVE_NONE || !grow(stats))
        return false;
    BookMoveStats *entry = slot_of(stats->slots, stats->capacity, key, move);
    if (entry->move == MOVE_NONE) {
        if (stats->count == BOOK_STATS_MAX)
            return false;
        *entry = (BookMoveStats){ .key = key, .move = move };
        stats->count++;
    }
    results_add(&entry->results, results);
    return true;
}

Results book_stats_of(const BookStats *stats, uint64_t key, Move move)
{
    if (stats->count == 0)
        return (Results){ 0 };
    return slot_of(stats->slots, stats->capacity, key, move)->results;
}

static uint64_t games_of(const Results *results)
{
    return (uint64_t)results->won + results->drawn + results->lost;
}

/* So few that the products below fit; what the games say stays the same. */
static Results shrunken(Results results)
{
    while (games_of(&results) > RESULTS_WEIGHED) {
        results.won /= 2;
        results.drawn /= 2;
        results.lost /= 2;
    }
    return results;
}

/* In half points. All of a position may be as many as RESULTS_WEIGHED * MAX_MOVES games: below 2^20
 * half points, so that no product here reaches 2^64. */
uint32_t book_stats_factor(const Results *move, const Results *all)
{
    enum { PRIOR = 2 * BOOK_STATS_PRIOR, SHRINK = 2 * PRIOR };
    uint64_t all_for = 2 * (uint64_t)all->won + all->drawn + PRIOR;
    uint64_t all_against = 2 * (uint64_t)all->lost + all->drawn + PRIOR;
    uint64_t sum = all_for + all_against;
    uint64_t for_it = (2 * (uint64_t)move->won + move->drawn) * sum + SHRINK * all_for;
    uint64_t against_it = (2 * (uint64_t)move->lost + move->drawn) * sum + SHRINK * all_against;
    uint64_t factor = for_it * all_against * BOOK_FACTOR_ONE / (against_it * all_for);
    return factor > BOOK_STATS_FACTOR_MAX   ? BOOK_STATS_FACTOR_MAX
           : factor < BOOK_STATS_FACTOR_MIN ? BOOK_STATS_FACTOR_MIN
                                            : (uint32_t)factor;
}

void book_stats_weigh(const BookStats *stats, uint64_t key, BookMoves *moves)
{
    Results each[MAX_MOVES], all = { 0 };
    for (int i = 0; i < moves->count; i++) {
        each[i] = shrunken(book_stats_of(stats, key, moves->moves[i].move));
        results_add(&all, &each[i]);
    }
    for (int i = 0; i < moves->count; i++)
        moves->moves[i].factor = book_stats_factor(&each[i], &all);
}
