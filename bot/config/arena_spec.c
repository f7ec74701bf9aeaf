/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/arena_spec.h"

#include <ctype.h>
#include <string.h>

static const char blanks[] = " \t";

/* "AbCd1234", or an address whose last part that is. */
static bool read_id(ArenaSpec *out, const char *word, size_t len)
{
    static const char before[] = "/tournament/";
    size_t skip = 0;
    for (size_t i = 0; i + sizeof before - 1 <= len; i++)
        if (memcmp(word + i, before, sizeof before - 1) == 0)
            skip = i + sizeof before - 1;
    Text id = { word + skip, len - skip };
    return game_id_is_valid(id) && text_copy(out->id, sizeof out->id, id);
}

/* True if the word begins with `name`; *fits says whether the rest could be kept. */
static bool read_named(char out[ARENA_WORD_SIZE], const char *name, const char *word, size_t len,
                       bool *fits)
{
    size_t name_len = strlen(name);
    if (len < name_len || strncmp(word, name, name_len) != 0)
        return false;
    len -= name_len;
    *fits = len > 0 && len < ARENA_WORD_SIZE;
    if (*fits) {
        memcpy(out, word + name_len, len);
        out[len] = '\0';
    }
    return true;
}

bool arena_spec_read(ArenaSpec *out, const char *words, Error *err)
{
    ArenaSpec spec = { .id = "" };
    words += strspn(words, blanks);
    size_t len = strcspn(words, blanks);
    if (!read_id(&spec, words, len)) {
        error_set(err, ERR_INVALID, "\"%.*s\" is no tournament's id or address", (int)len, words);
        return false;
    }
    while (*(words += len + strspn(words + len, blanks))) {
        bool fits = false;
        len = strcspn(words, blanks);
        bool is_password = read_named(spec.password, "password=", words, len, &fits);
        if (!is_password && !read_named(spec.team, "team=", words, len, &fits)) {
            error_set(err, ERR_INVALID, "a word that is neither password=WORD nor team=ID");
            return false;
        }
        if (!fits) {
            error_set(err, ERR_RANGE, "%s that is empty or too long",
                      is_password ? "a password" : "a team");
            return false;
        }
    }
    *out = spec;
    return true;
}

static size_t parse_spec(void *item, const char *text, Error *err)
{
    return arena_spec_read(item, text, err) ? strlen(text) : 0;
}

static bool write_spec(const void *item, Buf *out)
{
    const ArenaSpec *spec = item;
    return buf_printf(out, "%s%s%s%s", spec->id, spec->password[0] ? " password=***" : "",
                      spec->team[0] ? " team=" : "", spec->team);
}

static bool is_same_arena(const void *a, const void *b)
{
    const ArenaSpec *one = a, *other = b;
    return strcmp(one->id, other->id) == 0;
}

const ListKind arena_specs_kind = { LIST_OF(ArenaSpecList), "tournaments", " | ",
                                    LIST_MAY_BE_EMPTY,      parse_spec,    write_spec,
                                    is_same_arena };

const ArenaSpec *arena_specs_find(const ArenaSpecList *list, const char *id)
{
    for (int i = 0; i < list->count; i++)
        if (strcmp(list->at[i].id, id) == 0)
            return &list->at[i];
    return NULL;
}
