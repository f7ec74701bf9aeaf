/* SPDX-License-Identifier: GPL-3.0-or-later */
/* value_list.h - lists of the configuration that are plain values: { int count; ITEM at[N]; }. All
 * are read and written in the same way; a ListKind says what the items are. */
#pragma once
#include "engine/base/buf.h"
#include "engine/base/error.h"

#include <stddef.h>

/* What a text must hold. */
typedef enum { LIST_MAY_BE_EMPTY, LIST_NEEDS_ONE } ListNeed;

typedef struct {
    size_t size, item_at, item_size; /* of the list; LIST_OF() fills these in */
    int most;                        /* items */
    const char *items;               /* "teams", for messages */
    const char *between;             /* two items: ", ", or " | " where a text holds one only */
    ListNeed need;
    /* Reads the item at the beginning of the text into *item, all zero before. Returns its length;
     * 0 and an Error when it is none. */
    size_t (*parse)(void *item, const char *text, Error *err);
    bool (*write)(const void *item, Buf *out);
    /* Does the one take the other's place? NULL: each has its own. */
    bool (*equal)(const void *a, const void *b);
} ListKind;

#define LIST_OF(List)                                                                              \
    sizeof(List), offsetof(List, at), sizeof *((List *)0)->at,                                     \
        (int)(sizeof((List *)0)->at / sizeof *((List *)0)->at)

/* What may stand between the items of a text. */
#define LIST_BLANKS ", \t"

/* Adds the items of the text. False, an Error and the list untouched when one is none, or there is
 * no room for it. */
bool value_list_read(const ListKind *kind, void *list, const char *text, Error *err) MUST_CHECK;

/* False when `out` is full. */
bool value_list_write(const ListKind *kind, const void *list, Buf *out) MUST_CHECK;

/* ListKind.write of items that are text. */
bool value_list_write_text(const void *item, Buf *out);
