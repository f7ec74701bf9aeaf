/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/pages.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20 };

static unsigned char *map(size_t bytes)
{
    void *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    (void)madvise(block, bytes, MADV_DONTFORK);
    return block;
}

/* Kernels before 6.7, and later ones for odd sizes, put a mapping at any page. So this maps more,
 * and gives back what lies before and behind. */
static void *map_aligned(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (bytes > SIZE_MAX - HUGE_PAGE - page) {
        errno = ENOMEM;
        return NULL;
    }
    size_t whole = (bytes + page - 1) / page * page;
    unsigned char *mapped = map(whole + HUGE_PAGE);
    if (!mapped)
        return NULL;
    size_t before = (HUGE_PAGE - (uintptr_t)mapped % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(mapped, before);
    munmap(mapped + before + whole, HUGE_PAGE - before);
    /* Many systems give huge pages only to those who ask; a refusal does no harm. */
    (void)madvise(mapped + before, whole, MADV_HUGEPAGE);
    return mapped + before;
}

void *pages_new(size_t bytes)
{
    return bytes < HUGE_PAGE ? map(bytes) : map_aligned(bytes);
}

void pages_free(void *block, size_t bytes)
{
    if (block)
        munmap(block, bytes);
}
