/* SPDX-License-Identifier: GPL-3.0-or-later */
/* schema.h - the one table of configuration keys: parser, defaults, range checks, the example file
 * and `castled check` walk it. */
#pragma once
#include "bot/config/config.h"

typedef enum {
    KEY_INT,      /* int within lo..hi */
    KEY_INT_AUTO, /* the same, or "auto" (CONFIG_AUTO) */
    KEY_COUNT,    /* int64_t within lo..hi */
    KEY_BOOL,     /* yes | no */
    KEY_TEXT,     /* char[CONFIG_TEXT_SIZE] */
    KEY_URL,      /* the same; https://host[:port], http:// only for loopback */
    KEY_SET,      /* uint32_t, comma-separated words of `words` */
    KEY_CHOICE,   /* an enum (int), one of `words` */
    KEY_USERS,    /* UserList; may be given more than once, and adds up */
} KeyKind;

/* The words of an enum: word(n) for 0 <= n < count, NULL where value n cannot be configured. */
typedef struct {
    const char *(*word)(int value);
    int count;
} WordList;

typedef struct {
    const char *section;
    const char *name;
    KeyKind kind;
    size_t offset; /* in Config */
    int64_t lo, hi;
    const WordList *words; /* KEY_SET, KEY_CHOICE */
    const char *standard;  /* the default, as one would write it */
    const char *help;      /* one line */
} KeySpec;

/* All keys, those of a section together, in the example's order. */
const KeySpec *schema_keys(size_t *count);

/* The row, or NULL. `section` and `name` as in the file: case counts. */
const KeySpec *schema_find(const char *section, const char *name);

/* Puts `value` where `key` says. False, `config` untouched and an Error ("… is not within 1..64")
 * when it is no such value. */
bool schema_set(const KeySpec *key, Config *config, const char *value, Error *err) MUST_CHECK;

/* The value as one would write it. False when `out` is full. */
bool schema_write_value(const KeySpec *key, const Config *config, Buf *out) MUST_CHECK;

/* The example file: every key with its help, range and default, commented out. */
bool schema_write_example(Buf *out) MUST_CHECK;
