/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mapped_file.h - a whole file as read-only memory. The file must not be shortened meanwhile: reads
 * beyond its new end would end the process. Any thread may read. */
#pragma once
#include "engine/base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *bytes; /* NULL when nothing is mapped */
    size_t size;
} MappedFile;

/* Maps a regular file that is not empty. The Error names the path. The caller releases. */
bool mapped_file_init(MappedFile *file, const char *path, Error *err) MUST_CHECK;

/* Unmaps; harmless where nothing is mapped. */
void mapped_file_release(MappedFile *file);

/* Reads will be scattered: the system should not read ahead. */
void mapped_file_expect_scattered(const MappedFile *file);
