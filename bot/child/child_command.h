/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_command.h - "PROGRAM ARGS…" of the configuration as an argument vector. No shell: blanks
 * part words; "double quotes" keep blanks in one, and inside them \" and \\ stand for themselves.
 * Nothing else is special. */
#pragma once
#include "engine/base/error.h"

#include <limits.h>
#include <stdbool.h>

enum { CHILD_ARGS_MAX = 32, CHILD_COMMAND_SIZE = 200 };

typedef struct {
    char text[CHILD_COMMAND_SIZE];  /* the words, each with its NUL */
    char *argv[CHILD_ARGS_MAX + 1]; /* into `text`; ends with NULL */
    char program[PATH_MAX];         /* where argv[0] was found */
    int held;                       /* lent, run in place of `program`; -1: nothing */
    const char *directory;          /* that it runs in, lent; NULL or "": ours */
    bool has_variables;             /* all of our environment that is no secret of ours */
    bool as_nobody;                 /* where we are root, it runs as nobody */
} ChildCommand;

/* Takes the words apart; the rest is empty. False and an Error (no program, no closing quote, too
 * long). */
bool child_command_parse(ChildCommand *out, const char *command, Error *err) MUST_CHECK;

/* Finds the program, whatever `directory` is: a path made absolute, a name along $PATH and then
 * where Debian puts games. Of a folder it is the newest program in it, but for those that look
 * unfinished (".tmp", ".part", hidden). False and an Error ("stockfish: not found in …", "…: not
 * executable"). */
bool child_command_find(ChildCommand *command, Error *err) MUST_CHECK;
