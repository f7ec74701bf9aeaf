/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - large blocks of zeroed memory straight from the operating system. A page costs memory
 * only once it is written, so tables that are large for the worst case cost what is used of them,
 * and all goes back when the block is freed. Any thread. */
#pragma once
#include <stddef.h>

/* A zeroed block of `bytes` > 0, aligned to a page. NULL, and errno says why, without memory. */
void *pages_new(size_t bytes);

/* `bytes` as they were asked for. NULL is fine. */
void pages_free(void *block, size_t bytes);
