/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - large blocks of zeroed memory straight from the operating system. A page costs memory
 * only once it is written, so a table sized for the worst case costs what is used of it. A block
 * of 2 MiB or more asks for huge pages: a table that is read all over needs fewer and shorter walks
 * of page tables with them. Freeing the block returns all of it. A child process does not inherit
 * it: to fork with 4 GiB of it would take a tenth of a second, for copies that nobody uses. Any
 * thread. */
#pragma once
#include <stddef.h>

/* A zeroed block of `bytes` > 0, aligned to a page; one of 2 MiB or more to 2 MiB, so that huge
 * pages can hold it from its first byte. NULL, and errno says why, without memory. */
void *pages_new(size_t bytes);

/* `bytes` as in pages_new(). NULL is fine. */
void pages_free(void *block, size_t bytes);
