/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key.h - a configuration key: where its value lies, what it may be, how it is read and written.
 * The tables of keys are schema.h's, rule.h's and external_config.h's. */
#pragma once
#include "bot/config/settings.h"
#include "engine/base/buf.h"
#include "engine/base/error.h"

#include <stddef.h>

typedef enum {
    KEY_INT,         /* int within lo..hi */
    KEY_INT_AUTO,    /* the same, or "auto" (CONFIG_AUTO) */
    KEY_COUNT,       /* int64_t within lo..hi */
    KEY_BOOL,        /* yes | no */
    KEY_TEXT,        /* char[CONFIG_TEXT_SIZE] */
    KEY_ADDRESS,     /* the same; "off", or where to listen: see address.h */
    KEY_URL,         /* the same; https://host[:port], http:// only for loopback */
    KEY_WEBHOOK,     /* the same with a path, which may be a secret; may be empty */
    KEY_DATABASE,    /* the same; postgresql://, without a password; may be empty */
    KEY_SET,         /* uint32_t, comma-separated words of `words` */
    KEY_CHOICE,      /* an enum (int), one of `words` */
    KEY_SEQUENCE,    /* Sequence, comma-separated words of `words`; may be empty */
    KEY_USERS,       /* UserList; repeatable, entries accumulate */
    KEY_POSITIONS,   /* PositionList, comma-separated; repeatable, entries accumulate */
    KEY_REPLIES,     /* ChatReplyList, one for each time it is given: WORD: TEXT */
    KEY_TOURNAMENTS, /* ArenaSpecList, one for each time it is given */
    KEY_TEAMS,       /* TeamList, comma-separated; repeatable, entries accumulate */
    KEY_URLS,        /* UrlList, comma-separated; repeatable, entries accumulate */
    KEY_CLOCKS,      /* ClockList, comma-separated: 3+2, 10+0..15+10; lo 1: see clocks_exist() */
    KEY_ELO,         /* int, or opponent, opponent+N, opponent-N: ELO_OPPONENT ± N */
    KEY_RANGE,       /* IntRange within lo..hi: 1500..1800, ..1800, 1500.., 1500 */
} KeyKind;

/* For how much a value holds, and from when on. */
typedef enum {
    SCOPE_START, /* for all games, until the next start */
    SCOPE_LIVE,  /* for all games; a reload changes it */
    SCOPE_GAME,  /* a rule may set it for some games; a reload changes it for those that come */
    SCOPE_SEEK,  /* a type of matchmaking may set it; a reload changes it */
} KeyScope;

/* The words of an enum; NULL where a value cannot be configured. */
typedef struct {
    const char *const *words;
    int count;
    uint32_t without; /* bit n: nor can value n */
} WordList;

typedef struct {
    const char *section;
    const char *name;
    KeyKind kind;
    size_t offset; /* in the table's struct, the `object` below */
    KeyScope scope;
    const char *upper; /* the section's key that must not be smaller; NULL: none */
    int64_t lo, hi;
    const WordList *words; /* KEY_SET, KEY_CHOICE, KEY_SEQUENCE */
    const char *standard;  /* the default, as one would write it */
    const char *help;      /* one line */
} KeySpec;

/* What is the same for all keys of a kind. */
typedef struct {
    size_t size;          /* of a value, bytes */
    bool adds_up;         /* may be given more than once */
    bool is_private;      /* names paths or people, or what we say to them: not for strangers */
    bool may_hold_secret; /* a password: never shown */
} KeyTraits;

const KeyTraits *key_traits(const KeySpec *key);

/* Where the key's value lies in `object`. */
static inline const void *key_at(const KeySpec *key, const void *object)
{
    return (const char *)object + key->offset;
}

/* Reads `text` into *value, which has the kind's size, and is all zero before the first time.
 * False, the value untouched and an Error ("not within 1..64") when it is none. */
bool key_read(const KeySpec *key, void *value, const char *text, Error *err) MUST_CHECK;

/* Writes the value as one would write it. False when `out` is full. */
bool key_write(const KeySpec *key, const void *value, Buf *out) MUST_CHECK;

/* Frees what the value holds. */
void key_release(const KeySpec *key, void *value);

/* Puts the value into *to, shallowly: lists stay the property of where it came from. */
void key_lend(const KeySpec *key, void *to, const void *value);

/* As key_read(), to where the value lies in `object`. */
bool key_set(const KeySpec *key, void *object, const char *text, Error *err) MUST_CHECK;

/* Writes what a value may be: " (0..256)", " (some of: human, bot)"; "" where any text may. */
bool key_write_choices(const KeySpec *key, Buf *out) MUST_CHECK;
