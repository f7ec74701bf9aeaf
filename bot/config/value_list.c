/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/value_list.h"

#include "engine/base/check.h"

#include <string.h>

enum { LONGEST = 4096 };

/* Any list, with room for one item more. */
typedef union {
    int count;
    char bytes[LONGEST];
} AnyList;

/* The place of the item in the list: of an equal one, else behind the last. */
static int place_of(const ListKind *kind, const AnyList *list, const void *item)
{
    int at = 0;
    while (at < list->count &&
           !(kind->equal &&
             kind->equal(list->bytes + kind->item_at + (size_t)at * kind->item_size, item)))
        at++;
    return at;
}

bool value_list_read(const ListKind *kind, void *list, const char *text, Error *err)
{
    AnyList longer;
    const char *blanks = kind->between[0] == ',' ? LIST_BLANKS : " \t";
    if (text[strspn(text, blanks)] == '\0' && kind->need == LIST_NEEDS_ONE) {
        error_set(err, ERR_INVALID, "an empty list");
        return false;
    }
    CHECK(kind->size + kind->item_size <= sizeof longer);
    memcpy(&longer, list, kind->size);
    while (*(text += strspn(text, blanks))) {
        char *items = longer.bytes + kind->item_at;
        char *item = items + (size_t)longer.count * kind->item_size;
        memset(item, 0, kind->item_size);
        size_t len = kind->parse(item, text, err);
        if (len == 0)
            return false;
        int at = place_of(kind, &longer, item);
        if (at == kind->most) {
            error_set(err, ERR_RANGE, "more than %d %s", kind->most, kind->items);
            return false;
        }
        memmove(items + (size_t)at * kind->item_size, item, kind->item_size);
        longer.count += at == longer.count;
        text += len;
    }
    memcpy(list, &longer, kind->size);
    return true;
}

bool value_list_write(const ListKind *kind, const void *list, Buf *out)
{
    const char *item = (const char *)list + kind->item_at;
    for (int i = 0; i < *(const int *)list; i++, item += kind->item_size)
        if (!buf_put_text(out, i ? kind->between : "") || !kind->write(item, out))
            return false;
    return true;
}

bool value_list_write_text(const void *item, Buf *out)
{
    return buf_put_text(out, item);
}
