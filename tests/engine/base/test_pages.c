/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/pages.h"

#include "tests/support/unit.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCK_BYTES = 8 << 20 };

TEST(block_is_zeroed_and_aligned_to_a_page)
{
    unsigned char *block = pages_new(BLOCK_BYTES);
    assert_non_null(block);
    assert_int_equal((uintptr_t)block % (uintptr_t)sysconf(_SC_PAGESIZE), 0);
    for (size_t i = 0; i < BLOCK_BYTES; i += 997)
        assert_int_equal(block[i], 0);
    pages_free(block, BLOCK_BYTES);
}

/* The size of this process's address space. */
static long mapped_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld", &pages), 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

TEST(large_blocks_are_aligned_to_huge_pages_and_freed_whole)
{
    enum { BLOCKS = 8, HUGE_PAGE = 2 << 20 };
    static const size_t sizes[] = { HUGE_PAGE, HUGE_PAGE + 1, BLOCK_BYTES, BLOCK_BYTES + 4097 };
    long before = mapped_bytes();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *blocks[BLOCKS];
        for (int n = 0; n < BLOCKS; n++) {
            blocks[n] = pages_new(sizes[i]);
            assert_non_null(blocks[n]);
            assert_int_equal((uintptr_t)blocks[n] % HUGE_PAGE, 0);
            blocks[n][0] = blocks[n][sizes[i] - 1] = (unsigned char)(n + 1);
        }
        for (int n = 0; n < BLOCKS; n++) {
            assert_int_equal(blocks[n][0], n + 1);
            assert_int_equal(blocks[n][sizes[i] - 1], n + 1);
            pages_free(blocks[n], sizes[i]);
        }
    }
    assert_true(mapped_bytes() - before < HUGE_PAGE);
}

/* Has the mapping that holds `block` asked for huge pages? */
static bool asks_for_huge_pages(const void *block)
{
    char line[512];
    unsigned long at = (unsigned long)(uintptr_t)block, begin, end;
    bool here = false, found = false, asks = false;
    FILE *file = fopen("/proc/self/smaps", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lx-%lx", &begin, &end) == 2)
            here = begin <= at && at < end;
        else if (here && strncmp(line, "VmFlags:", 8) == 0) {
            found = true;
            asks = strstr(line, " hg") != NULL;
        }
    }
    fclose(file);
    assert_true(found);
    return asks;
}

TEST(large_blocks_ask_for_huge_pages)
{
    if (access("/sys/kernel/mm/transparent_hugepage", F_OK) != 0)
        skip();
    unsigned char *large = pages_new(BLOCK_BYTES), *small = pages_new(4096);
    assert_true(asks_for_huge_pages(large));
    assert_false(asks_for_huge_pages(small));
    pages_free(small, 4096);
    pages_free(large, BLOCK_BYTES);
}

TEST(pages_cost_memory_only_once_written)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *block = pages_new(BLOCK_BYTES);
    unsigned char *resident = malloc(BLOCK_BYTES / page);
    assert_non_null(block);
    assert_non_null(resident);
    madvise(block, BLOCK_BYTES, MADV_NOHUGEPAGE); /* where the machine gives them unasked */
    block[5 * page] = block[7 * page + 1] = 1;
    assert_int_equal(mincore(block, BLOCK_BYTES, resident), 0);
    int count = 0;
    for (size_t i = 0; i < BLOCK_BYTES / page; i++)
        count += resident[i] & 1;
    assert_int_equal(count, 2);
    free(resident);
    pages_free(block, BLOCK_BYTES);
}

/* Where it did, an engine that is started in mid-game would hold up all games. */
TEST(a_child_does_not_inherit_the_block)
{
    static const size_t sizes[] = { 4096, BLOCK_BYTES };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char in_memory, *block = pages_new(sizes[i]);
        assert_non_null(block);
        block[0] = block[sizes[i] - 1] = 1;
        int status = -1;
        pid_t child = fork();
        if (child == 0)
            _exit(mincore(block, 1, &in_memory) == -1 && errno == ENOMEM ? 0 : 1);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        pages_free(block, sizes[i]);
    }
}

TEST(more_than_there_can_be_is_refused)
{
    assert_null(pages_new(SIZE_MAX / 2));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(pages_new(SIZE_MAX));
    assert_int_equal(errno, ENOMEM);
    pages_free(NULL, BLOCK_BYTES);
}
