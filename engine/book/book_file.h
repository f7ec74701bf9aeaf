/* SPDX-License-Identifier: GPL-3.0-or-later */
/* book_file.h - the bytes of a book. A file is read and never mapped: a mapped one that its owner
 * copies over, or whose disk fails, ends the process at the next look. A small file is read once
 * and then lies in memory; of a large one, what is asked for is read each time. Any number of
 * threads may read. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { BOOK_FILE_IN_MEMORY_MAX = 64 << 20 };

typedef struct {
    const uint8_t *bytes; /* all of them, or NULL: they stay in the file */
    size_t size;
    uint8_t *copy; /* to be freed */
    int fd;        /* -1: none is open */
} BookFile;

/* Opens a regular file that is not empty. The Error names no path. The caller releases. */
bool book_file_init(BookFile *file, const char *path, Error *err) MUST_CHECK;

/* The same of bytes that the caller keeps until the release. */
BookFile book_file_view(const uint8_t *bytes, size_t size);

/* `size` bytes from `at`, both within the file: in memory, or put into `room`. NULL with an Error
 * when they can't be read any more. */
const uint8_t *book_file_read(const BookFile *file, size_t at, size_t size, uint8_t *room,
                              Error *err);

void book_file_release(BookFile *file);
