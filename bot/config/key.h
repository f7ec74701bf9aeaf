/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key.h - a configuration key: where its value lies, what it may be, how it is read and written.
 * The tables of keys are schema.h's and rule.h's. */
#pragma once
#include "bot/config/config.h"
#include "bot/config/match_values.h"

typedef enum {
    KEY_INT,       /* int within lo..hi */
    KEY_INT_AUTO,  /* the same, or "auto" (CONFIG_AUTO) */
    KEY_COUNT,     /* int64_t within lo..hi */
    KEY_BOOL,      /* yes | no */
    KEY_TEXT,      /* char[CONFIG_TEXT_SIZE] */
    KEY_ADDRESS,   /* the same; "off", or where to listen: see address.h */
    KEY_URL,       /* the same; https://host[:port], http:// only for loopback */
    KEY_SET,       /* uint32_t, comma-separated words of `words` */
    KEY_CHOICE,    /* an enum (int), one of `words` */
    KEY_SEQUENCE,  /* Sequence, comma-separated words of `words`; may be empty */
    KEY_USERS,     /* UserList; may be given more than once, and adds up; so the next */
    KEY_POSITIONS, /* PositionList, comma-separated */
    KEY_REPLIES,   /* ChatReplyList, one for each time it is given: WORD: TEXT */
    KEY_ARENAS,    /* TournamentSpecList, one for each time it is given */
    KEY_LINKS,     /* UrlList, comma-separated; may be given more than once, and adds up */
    KEY_CLOCKS,    /* ClockList, comma-separated: 3+2, 0.5+0, 10+0..15+10 */
    KEY_RANGE,     /* IntRange within lo..hi: 1500..1800, ..1800, 1500.., 1500 */
} KeyKind;

/* Whether it is one for all games, or a rule may set it for some. */
typedef enum {
    SCOPE_DAEMON,
    SCOPE_GAME,
    SCOPE_SEEK, /* a type of matchmaking may set it */
} KeyScope;

/* The words of an enum: word(n) for 0 <= n < count, NULL where value n cannot be configured. */
typedef struct {
    const char *(*word)(int value);
    int count;
} WordList;

typedef struct {
    const char *section;
    const char *name;
    KeyKind kind;
    size_t offset; /* in the table's struct, the `object` below */
    KeyScope scope;
    int64_t lo, hi;
    const WordList *words; /* KEY_SET, KEY_CHOICE, KEY_SEQUENCE */
    const char *standard;  /* the default, as one would write it */
    const char *help;      /* one line */
} KeySpec;

/* Puts `value` where `key` says. False, `object` untouched and an Error ("… is not within 1..64")
 * when it is no such value. */
bool key_set(const KeySpec *key, void *object, const char *value, Error *err) MUST_CHECK;

/* The value as one would write it. False when `out` is full. */
bool key_write(const KeySpec *key, const void *object, Buf *out) MUST_CHECK;

/* True if it may be given more than once, and then adds up. */
bool key_adds_up(const KeySpec *key);

/* Copies the value. RemoteLists stay the property of `from`. */
void key_copy(const KeySpec *key, void *to, const void *from);

/* What a value may be: " (0..256)", " (of: human, bot)". */
bool key_write_choices(const KeySpec *key, Buf *out) MUST_CHECK;
