/* SPDX-License-Identifier: GPL-3.0-or-later */
/* failing_memory.h - allocations that fail when a test wants it, in libraries as well.
 *
 * malloc() and its like are replaced. That works with glibc and without sanitizers: else REPLACED
 * is 0 and nothing below exists. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    #define REPLACED 0
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
        #define REPLACED 0
    #endif
#endif
#ifndef REPLACED
    #define REPLACED 1
#endif

/* Engines allocate in their threads, too. */
extern atomic_bool is_counting;
/* Allocations since somebody set it to 0; the first that fails, and all after it, or 0 for none;
 * blocks allocated less those freed. They change only while `is_counting`. */
extern atomic_long allocations, fail_at, live;

/* For what follows to succeed, and its releases to be counted all the same. */
void memory_is_back(void);

/* Without memory json-c 0.16 leaks the value of a member that it cannot add, and reads through NULL
 * when it cannot copy a member's name. That is left out. */
typedef enum { WITHOUT_JSONC, WITH_JSONC } Library;

/* Runs `parse` with its first, second, … allocation failing until none fails. `parse` says whether
 * it succeeded, and has released what it made. Ends the test where something leaks. */
void fail_each(bool (*parse)(const char *text), const char *text, Library library);
void fail_each_allocation(bool (*parse)(const char *text), const char *text);
