/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_file.h - the files that an external engine's command means, and what tells them from
 * others: its program, and each argument that names a file, as in "python3 engine.py". Blocks; any
 * thread. */
#pragma once
#include "bot/config/external_config.h"
#include "bot/child/child_command.h"

#include <limits.h>
#include <sys/stat.h>

enum { EXTERNAL_HASH_SIZE = 13 /* twelve digits of a SHA-256 */ };

typedef struct {
    dev_t device;
    ino_t inode; /* 0: there is no such file */
    off_t size;
    struct timespec changed;
} ExternalFileFacts;

typedef struct {
    char program[PATH_MAX];                  /* "": there is none */
    ExternalFileFacts facts[CHILD_ARGS_MAX]; /* by words of the command, the program's first */
    uint32_t left_out;             /* bit n: the nth word, an argument, is not looked at */
    char hash[EXTERNAL_HASH_SIZE]; /* of all of them; "": not read, or not for us to read */
} ExternalFile;

/* Which files they are now, without their hash. `left_out`: see above. */
void external_file_look(ExternalFile *out, const ExternalConfig *config, uint32_t left_out);

/* Reads them for their hash: of the program, and then of the arguments' files. Gives a descriptor
 * by which just this program can be run whatever becomes of its name, the caller's to close; -1:
 * there is none. Of a small script that is a copy: scripts are written over in place, which the
 * kernel refuses for programs that run. */
int external_file_hold(ExternalFile *file, const ExternalConfig *config);

/* Bit n: the nth word means another file, or one that was written since. What either leaves out is
 * alike. */
uint32_t external_file_differing(const ExternalFile *a, const ExternalFile *b);

/* The same files, and not written since? */
bool external_file_is_same(const ExternalFile *a, const ExternalFile *b);

/* Is the program still what its name means? */
bool external_file_is_in_place(const ExternalFile *file);
