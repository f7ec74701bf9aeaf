/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/facts.h"

#include <stdlib.h>
#include <string.h>

void facts_init(Facts *facts)
{
    *facts = (Facts){ 0 };
}

static void fact_release(Fact *fact)
{
    free(fact->key);
    free(fact->value);
}

void facts_release(Facts *facts)
{
    for (size_t i = 0; i < facts->count; i++)
        fact_release(&facts->list[i]);
    free(facts->list);
    facts_init(facts);
}

/* Where `key` is, or belongs. */
static size_t place_of(const Facts *facts, const char *key, bool *is_there)
{
    size_t low = 0, high = facts->count;
    *is_there = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(facts->list[middle].key, key);
        if (order == 0) {
            *is_there = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *facts_get(const Facts *facts, const char *key, int64_t now_ms)
{
    bool is_there;
    size_t at = place_of(facts, key, &is_there);
    return is_there && facts->list[at].expires_ms > now_ms ? facts->list[at].value : NULL;
}

bool facts_has(const Facts *facts, const char *key)
{
    bool is_there;
    (void)place_of(facts, key, &is_there);
    return is_there;
}

static void take_out(Facts *facts, size_t at)
{
    fact_release(&facts->list[at]);
    facts->count--;
    memmove(&facts->list[at], &facts->list[at + 1], (facts->count - at) * sizeof *facts->list);
}

static void make_room(Facts *facts)
{
    size_t first = 0;
    if (facts->count < FACTS_MAX)
        return;
    for (size_t i = 1; i < facts->count; i++)
        if (facts->list[i].expires_ms < facts->list[first].expires_ms)
            first = i;
    take_out(facts, first);
}

static bool grow(Facts *facts)
{
    if (facts->count < facts->capacity)
        return true;
    size_t capacity = facts->capacity > 0 ? facts->capacity * 2 : 16;
    Fact *list = realloc(facts->list, capacity * sizeof *list);
    if (!list)
        return false;
    facts->list = list;
    facts->capacity = capacity;
    return true;
}

static bool insert(Facts *facts, const char *key, char *value, int64_t expires_ms)
{
    bool is_there;
    char *copy = strdup(key);
    make_room(facts);
    if (!copy || !grow(facts)) {
        free(copy);
        return false;
    }
    size_t at = place_of(facts, key, &is_there);
    memmove(&facts->list[at + 1], &facts->list[at], (facts->count - at) * sizeof *facts->list);
    facts->list[at] = (Fact){ copy, value, expires_ms };
    facts->count++;
    return true;
}

bool facts_put(Facts *facts, const char *key, const char *value, int64_t expires_ms, Error *err)
{
    bool is_there;
    if (key[0] == '\0' || strlen(key) >= FACT_KEY_SIZE || strlen(value) >= FACT_VALUE_MAX) {
        error_set(err, ERR_RANGE, "a fact's key or value is too long");
        return false;
    }
    size_t at = place_of(facts, key, &is_there);
    if (value[0] == '\0') {
        if (is_there)
            take_out(facts, at);
        return true;
    }
    char *copy = strdup(value);
    bool ok = copy && (is_there || insert(facts, key, copy, expires_ms));
    if (!ok) {
        free(copy);
        error_set(err, ERR_MEMORY, "no memory");
    } else if (is_there) {
        free(facts->list[at].value);
        facts->list[at].value = copy;
        facts->list[at].expires_ms = expires_ms;
    }
    return ok;
}

void facts_each(const Facts *facts, const char *prefix, int64_t now_ms,
                void (*on_fact)(void *user, const Fact *fact), void *user)
{
    bool is_there;
    size_t len = strlen(prefix);
    for (size_t at = place_of(facts, prefix, &is_there);
         at < facts->count && strncmp(facts->list[at].key, prefix, len) == 0; at++)
        if (facts->list[at].expires_ms > now_ms)
            on_fact(user, &facts->list[at]);
}
