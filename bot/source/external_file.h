/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_file.h - the file that an external engine's command means, and what tells it from
 * another. Blocks; any thread. */
#pragma once
#include "bot/config/external_config.h"

#include <limits.h>
#include <sys/stat.h>

enum { EXTERNAL_HASH_SIZE = 13 /* twelve digits of a SHA-256 */ };

typedef struct {
    char program[PATH_MAX]; /* "": there is none */
    dev_t device;
    ino_t inode;
    off_t size;
    struct timespec changed;
    char hash[EXTERNAL_HASH_SIZE]; /* "": not read, or not for us to read */
} ExternalFile;

/* Which file it is now, without its hash. */
void external_file_look(ExternalFile *out, const ExternalConfig *config);

/* Reads it for its hash. Gives a descriptor by which just this file can be run whatever becomes of
 * its name, the caller's to close; -1: there is none. Of a small script that is a copy: scripts are
 * written over in place, which the kernel refuses for programs that run. */
int external_file_hold(ExternalFile *file);

/* The same file, and not written since? */
bool external_file_is_same(const ExternalFile *a, const ExternalFile *b);

/* Is it still what its name means? */
bool external_file_is_in_place(const ExternalFile *file);
