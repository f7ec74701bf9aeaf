/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - large blocks of zeroed memory straight from the operating system. A page costs memory
 * only once it is written, so a table sized for the worst case costs what is used of it. Freeing
 * the block returns all of it. Any thread. */
#pragma once
#include <stddef.h>

/* A zeroed block of `bytes` > 0, aligned to a page. NULL, and errno says why, without memory. */
void *pages_new(size_t bytes);

/* `bytes` as in pages_new(). NULL is fine. */
void pages_free(void *block, size_t bytes);
