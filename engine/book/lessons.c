/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/lessons.h"

#include <stdlib.h>

enum {
    CAPACITY_LEAST = 256, /* a power of 2, as all capacities are */
    RESULTS_WEIGHED = 1024,
};

void lessons_init(Lessons *lessons)
{
    *lessons = (Lessons){ 0 };
}

void lessons_release(Lessons *lessons)
{
    free(lessons->places);
    lessons_init(lessons);
}

/* Keys are as good as random, unless somebody made the file. */
static size_t home_of(uint64_t key, size_t capacity)
{
    return (size_t)(key >> 32 ^ key) & (capacity - 1);
}

/* Where the move is, or belongs. There is always a free place. */
static Lesson *place_of(Lesson *places, size_t capacity, uint64_t key, Move move)
{
    size_t at = home_of(key, capacity);
    while (places[at].move != MOVE_NONE && (places[at].key != key || places[at].move != move))
        at = (at + 1) & (capacity - 1);
    return &places[at];
}

static bool grow(Lessons *lessons)
{
    if (2 * lessons->count < lessons->capacity)
        return true;
    size_t capacity = lessons->capacity > 0 ? 2 * lessons->capacity : CAPACITY_LEAST;
    Lesson *places = calloc(capacity, sizeof *places);
    if (!places)
        return false;
    for (size_t i = 0; i < lessons->capacity; i++) {
        const Lesson *old = &lessons->places[i];
        if (old->move != MOVE_NONE)
            *place_of(places, capacity, old->key, old->move) = *old;
    }
    free(lessons->places);
    lessons->places = places;
    lessons->capacity = capacity;
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

bool lessons_add(Lessons *lessons, uint64_t key, Move move, const Results *results)
{
    if (move == MOVE_NONE || !grow(lessons))
        return false;
    Lesson *lesson = place_of(lessons->places, lessons->capacity, key, move);
    if (lesson->move == MOVE_NONE) {
        if (lessons->count == LESSONS_MAX)
            return false;
        *lesson = (Lesson){ .key = key, .move = move };
        lessons->count++;
    }
    results_add(&lesson->results, results);
    return true;
}

Results lessons_of(const Lessons *lessons, uint64_t key, Move move)
{
    if (lessons->count == 0)
        return (Results){ 0 };
    return place_of(lessons->places, lessons->capacity, key, move)->results;
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
uint32_t lesson_factor(const Results *move, const Results *all)
{
    enum { PRIOR = 2 * LESSON_PRIOR, SHRINK = 2 * PRIOR };
    uint64_t all_for = 2 * (uint64_t)all->won + all->drawn + PRIOR;
    uint64_t all_against = 2 * (uint64_t)all->lost + all->drawn + PRIOR;
    uint64_t sum = all_for + all_against;
    uint64_t for_it = (2 * (uint64_t)move->won + move->drawn) * sum + SHRINK * all_for;
    uint64_t against_it = (2 * (uint64_t)move->lost + move->drawn) * sum + SHRINK * all_against;
    uint64_t factor = for_it * all_against * BOOK_FACTOR_ONE / (against_it * all_for);
    return factor > LESSON_FACTOR_MOST    ? LESSON_FACTOR_MOST
           : factor < LESSON_FACTOR_LEAST ? LESSON_FACTOR_LEAST
                                          : (uint32_t)factor;
}

void lessons_weigh(const Lessons *lessons, uint64_t key, BookMoves *moves)
{
    Results each[MAX_MOVES], all = { 0 };
    for (int i = 0; i < moves->count; i++) {
        each[i] = shrunken(lessons_of(lessons, key, moves->moves[i].move));
        results_add(&all, &each[i]);
    }
    for (int i = 0; i < moves->count; i++)
        moves->moves[i].factor = lesson_factor(&each[i], &all);
}
