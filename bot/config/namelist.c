/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/namelist.h"

#include "bot/model/ids.h"
#include "bot/ops/jsonread.h"

#include <string.h>

/* The name that a line holds; empty for none at all. */
static Text name_in(Text line)
{
    const char *comment = line.len > 0 ? memchr(line.at, '#', line.len) : NULL;
    if (comment)
        line.len = (size_t)(comment - line.at);
    line = text_trimmed(line, " \t\r");
    if (line.len > 2 && line.at[0] == '-' && line.at[1] == ' ')
        line = (Text){ line.at + 2, line.len - 2 };
    return text_trimmed(line, " \t,\"'");
}

static bool is_object(Text line)
{
    Text words = text_trimmed(line, " \t\r");
    return words.len > 0 && words.at[0] == '{';
}

bool namelist_parse(UserList *out, const char *text, size_t len, Error *err)
{
    UserList list = { 0 };
    size_t at = 0;
    int number = 0;
    bool ok = true;
    while (at < len && ok) {
        const char *end = memchr(text + at, '\n', len - at);
        Text line = { text + at, end ? (size_t)(end - text) - at : len - at };
        struct json_object *user = is_object(line) ? jsonread_parse(line.at, line.len, NULL) : NULL;
        Text name = user ? jsonread_text(user, "id") : name_in(line);
        at += line.len + 1;
        number++;
        if (name.len == 0 && !user)
            continue;
        if (!user_name_is_valid(name)) {
            error_set(err, ERR_INVALID, "line %d is no name", number);
            ok = false;
        } else {
            ok = user_list_add(&list, name, err);
        }
        json_object_put(user);
    }
    if (!ok) {
        user_list_release(&list);
        return false;
    }
    user_list_sort(&list);
    *out = list;
    return true;
}
