/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_command.h - "PROGRAM ARGS…" of the configuration as an argument vector. No shell: blanks
 * part words; "double quotes" keep blanks in one, and inside them \" and \\ stand for themselves.
 * Nothing else is special. */
#pragma once
#include "engine/base/error.h"

#include <limits.h>
#include <stdbool.h>

enum { EXTERNAL_ARGS_MAX = 32, EXTERNAL_COMMAND_SIZE = 200 };

typedef struct {
    char text[EXTERNAL_COMMAND_SIZE];  /* the words, each with its NUL */
    char *argv[EXTERNAL_ARGS_MAX + 1]; /* into `text`; ends with NULL */
    char program[PATH_MAX];            /* where argv[0] was found */
    int held;                          /* lent, run in place of `program`; -1: nothing */
    const char *directory;             /* that it runs in, lent; NULL or "": ours */
    bool has_variables;                /* all of our environment that is no secret of ours */
    bool as_nobody;                    /* where we are root, it runs as nobody */
} ExternalCommand;

/* Takes the words apart; the rest is empty. False and an Error (no program, no closing quote, too
 * long). */
bool external_command_parse(ExternalCommand *out, const char *command, Error *err) MUST_CHECK;

/* Finds the program, whatever `directory` is: a path made absolute, a name along $PATH and then
 * where Debian puts games. Of a folder it is the newest program in it, but for those that look
 * unfinished (".tmp", ".part", hidden). False and an Error ("stockfish: not found in …", "…: not
 * executable"). */
bool external_command_find(ExternalCommand *command, Error *err) MUST_CHECK;
