/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.h - memory for one object, with the caller's Error. */
#pragma once
#include "engine/base/error.h"

#include <stdlib.h>

/* `size` zeroed bytes for the caller to free(). NULL and "no memory for WHAT" where there are none.
 */
static inline void *alloc_zeroed(size_t size, const char *what, Error *err)
{
    void *memory = calloc(1, size);
    if (!memory)
        error_set(err, ERR_MEMORY, "no memory for %s", what);
    return memory;
}
