/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/team_list.h"

#include <ctype.h>
#include <string.h>

/* What follows "/team/", or all of the word. */
static Text id_of(Text word)
{
    static const char before[] = "/team/";
    const size_t len = sizeof before - 1;
    for (size_t i = 0; i + len <= word.len; i++)
        if (memcmp(word.at + i, before, len) == 0)
            return (Text){ word.at + i + len, word.len - i - len };
    return word;
}

bool team_list_is_same(const TeamList *a, const TeamList *b)
{
    bool is_same = a->count == b->count;
    for (int i = 0; is_same && i < a->count; i++)
        is_same = strcmp(a->at[i], b->at[i]) == 0;
    return is_same;
}

bool team_list_has(const TeamList *list, const char *id)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->at[i], id) == 0)
            return true;
    return false;
}

static size_t parse_id(void *item, const char *text, Error *err)
{
    const Text word = { text, strcspn(text, LIST_BLANKS) }, id = id_of(word);
    char *out = item;
    if (!team_id_is_valid(id)) {
        error_set(err, ERR_INVALID, "\"%.*s\" is no team's id or address", TEXT_ARGS(word));
        return 0;
    }
    for (size_t i = 0; i < id.len; i++)
        out[i] = (char)tolower((unsigned char)id.at[i]);
    return word.len;
}

static bool is_same_id(const void *a, const void *b)
{
    return strcmp(a, b) == 0;
}

const ListKind team_list_kind = { LIST_OF(TeamList), "teams",  ", ",
                                  LIST_MAY_BE_EMPTY, parse_id, value_list_write_text,
                                  is_same_id };
