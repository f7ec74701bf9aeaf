/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of engines' names and what a stranger says, with a NUL between: a name of printable ASCII,
 * or none. */
#include "bot/policy/engine_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_name(const char *name, bool is_found)
{
    size_t len = strlen(name);
    if (is_found == (len == 0) || len >= ENGINE_NAME_SIZE)
        abort();
    for (size_t i = 0; i < len; i++)
        if (!isprint((unsigned char)name[i]) || isupper((unsigned char)name[i]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static EngineNames names;
    const char *text = (const char *)data;
    const char *end = size > 0 ? memchr(text, '\0', size) : NULL;
    Text list = { text, end ? (size_t)(end - text) : 0 };
    Text said = { end ? end + 1 : text, size - list.len - (end != NULL) };
    char name[ENGINE_NAME_SIZE];
    Error err = { 0 };
    if (!end || list.len == 0) {
        if (!engine_names_parse(&names, engine_names_asset("engines.txt"), NULL))
            abort();
    } else if (!engine_names_parse(&names, list, &err)) {
        if (!error_is_set(&err) || names.count != 0)
            abort();
        return 0;
    }
    bool is_found = engine_names_find(&names, said, name);
    check_name(name, is_found);
    return 0;
}
