/* SPDX-License-Identifier: GPL-3.0-or-later */
/* facts.h - what must outlive a restart besides games: short texts under keys, each until a time.
 * "declined/alba/blitz" → "tooFast" until tomorrow. Held in memory, so that reading one costs
 * nothing; archive.h writes them down. Bounded: when full, the one that expires first gives way.
 * Pure; Unix milliseconds come in. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>

enum {
    FACTS_MAX = 4096,
    FACT_KEY_SIZE = 256,
    FACT_VALUE_SIZE = 512,    /* what all but lists of names keep to */
    FACT_VALUE_MAX = 1 << 20, /* bytes of a value, its NUL included */
};

typedef struct {
    char *key, *value;
    int64_t expires_ms; /* INT64_MAX: never */
} Fact;

typedef struct {
    Fact *list; /* sorted by key */
    size_t count, capacity;
} Facts;

void facts_init(Facts *facts);
void facts_release(Facts *facts);

/* The value, lent until the next change; NULL: there is none, or it has expired. */
const char *facts_get(const Facts *facts, const char *key, int64_t now_ms);

/* Is there one, also if it has expired? */
bool facts_has(const Facts *facts, const char *key);

/* Puts, replaces, or (value "") takes out. False for a key or value that is too long, or without
 * memory; then nothing has changed. */
bool facts_put(Facts *facts, const char *key, const char *value, int64_t expires_ms,
               Error *err) MUST_CHECK;

/* Calls for each living fact whose key begins with `prefix`, in the order of keys. */
void facts_each(const Facts *facts, const char *prefix, int64_t now_ms,
                void (*on_fact)(void *user, const Fact *fact), void *user);
