/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.h - the files that a trainer writes for a prefix, and how its manifest names those that it
 * has read. */
#pragma once
#include "engine/base/mapped_file.h"

#include <stdio.h>

enum { OUTPUT_PATH_SIZE = 4096, OUTPUT_HASH_SIZE = 32 /* SHA-256 */ };

/* PREFIX and the suffix; false when that is too long. */
bool output_path(char path[OUTPUT_PATH_SIZE], const char *prefix, const char *suffix,
                 Error *err) MUST_CHECK;

/* Writes the file anew. */
bool output_write(const char *prefix, const char *suffix, const void *bytes, size_t size,
                  Error *err) MUST_CHECK;

bool output_hash(uint8_t hash[OUTPUT_HASH_SIZE], const void *bytes, size_t size,
                 Error *err) MUST_CHECK;

/* Writes it in hexadecimal. */
void output_hash_print(FILE *out, const uint8_t hash[OUTPUT_HASH_SIZE]);

/* Ends a line of a manifest with ", SHA-256 …". */
bool output_hash_line(FILE *out, const MappedFile *file, Error *err) MUST_CHECK;

/* A line "what: PATH, SHA-256 …". */
bool output_name_file(FILE *out, const char *what, const char *path, Error *err) MUST_CHECK;
