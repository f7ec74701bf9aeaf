/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/pages.h"

#include <sys/mman.h>

void *pages_new(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

void pages_free(void *block, size_t bytes)
{
    if (block)
        munmap(block, bytes);
}
