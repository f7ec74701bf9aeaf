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
        is_same = strcmp(a->ids[i], b->ids[i]) == 0;
    return is_same;
}

bool team_list_has(const TeamList *list, const char *id)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->ids[i], id) == 0)
            return true;
    return false;
}

bool team_list_read(TeamList *list, const char *value, Error *err)
{
    TeamList longer = *list;
    Text rest = text_of(value), word;
    while ((word = text_next_word(&rest, ", \t")).len > 0) {
        Text id = id_of(word);
        char name[TEAM_ID_SIZE] = "";
        if (!team_id_is_valid(id)) {
            error_set(err, ERR_INVALID, "\"%.*s\" is no team's id or address", TEXT_ARGS(word));
            return false;
        }
        for (size_t i = 0; i < id.len; i++)
            name[i] = (char)tolower((unsigned char)id.at[i]);
        if (team_list_has(&longer, name))
            continue;
        if (longer.count == TEAMS_MAX) {
            error_set(err, ERR_RANGE, "more than %d teams", TEAMS_MAX);
            return false;
        }
        memcpy(longer.ids[longer.count++], name, sizeof name);
    }
    *list = longer;
    return true;
}

bool team_list_write(const TeamList *list, Buf *out)
{
    for (int i = 0; i < list->count; i++)
        if (!buf_printf(out, "%s%s", i ? ", " : "", list->ids[i]))
            return false;
    return true;
}
