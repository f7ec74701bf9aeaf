/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/failing_memory.h"

#if REPLACED

    #include "tests/support/unit.h"

    #include <errno.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void __libc_free(void *memory);

    /* Else the libraries would not see ours. */
    #define EXPORTED __attribute__((visibility("default")))

atomic_bool is_counting;
atomic_long allocations, fail_at, live;
static bool is_spared; /* strdup() succeeds */

/* Whether this allocation fails: number `fail_at` and all after it. */
static bool fails(void)
{
    bool failing = is_counting && fail_at > 0 && ++allocations >= fail_at;
    if (failing)
        errno = ENOMEM;
    return failing;
}

void memory_is_back(void)
{
    fail_at = 0;
}

static void *counted(void *memory)
{
    live += is_counting && memory;
    return memory;
}

EXPORTED void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

EXPORTED void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

EXPORTED void *realloc(void *memory, size_t size)
{
    if (fails())
        return NULL;
    void *moved = __libc_realloc(memory, size);
    return memory ? moved : counted(moved);
}

EXPORTED void free(void *memory)
{
    live -= is_counting && memory;
    __libc_free(memory);
}

/* The library's own two would go past malloc() above. */
EXPORTED char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = is_spared ? counted(__libc_malloc(size)) : malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}

EXPORTED char *strndup(const char *text, size_t most)
{
    size_t len = strnlen(text, most);
    char *copy = malloc(len + 1);
    if (copy) {
        memcpy(copy, text, len);
        copy[len] = '\0';
    }
    return copy;
}

EXPORTED int posix_memalign(void **memory, size_t alignment, size_t size)
{
    extern void *__libc_memalign(size_t, size_t);
    void *got = fails() ? NULL : counted(__libc_memalign(alignment, size));
    if (got)
        *memory = got;
    return got ? 0 : ENOMEM;
}

EXPORTED void *aligned_alloc(size_t alignment, size_t size)
{
    void *got = NULL;
    return posix_memalign(&got, alignment, size) == 0 ? got : NULL;
}

void fail_each(bool (*parse)(const char *text), const char *text, Library library)
{
    fail_at = 0;
    is_spared = library == WITH_JSONC;
    parse(text); /* what libraries make once and keep */
    for (long at = 1;; at++) {
        allocations = live = 0;
        fail_at = at;
        is_counting = true;
        bool ok = parse(text);
        is_counting = false;
        bool has_failed = allocations >= at;
        if (live != 0 && !(library == WITH_JSONC && has_failed && live > 0))
            fail_msg("%ld blocks leaked when allocation %ld fails: %s", (long)live, at, text);
        if (!has_failed) {
            assert_true(ok);
            return;
        }
        assert_true(at < 10000);
    }
}

void fail_each_allocation(bool (*parse)(const char *text), const char *text)
{
    fail_each(parse, text, WITHOUT_JSONC);
}

#endif
