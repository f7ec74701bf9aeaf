/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list of users from the web: sorted names without repetitions, or refused. */
#include "bot/config/namelist.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    UserList list;
    Error err = { 0 };
    if (!namelist_parse(&list, (const char *)data, size, &err)) {
        if (!error_is_set(&err))
            abort();
        return 0;
    }
    for (size_t i = 0; i < list.count; i++) {
        if (i > 0 && strcmp(list.ids[i - 1], list.ids[i]) >= 0)
            abort();
        if (!user_list_has(&list, text_of(list.ids[i])))
            abort();
    }
    user_list_release(&list);
    return 0;
}
