/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - the one table of the operator's commands: main() runs them by it, help and
 * castled(1) are written from it. */
#pragma once
#include "bot/cli/command.h"

#include <stddef.h>
#include <stdio.h>

/* A word that a command takes, as one writes it, and what it does: "--games N". */
typedef struct {
    const char *word;
    const char *help;
} CommandWord;

enum { COMMAND_FORMS_MAX = 3, COMMAND_WORD_GROUPS_MAX = 3 };

typedef struct {
    const char *name;
    ExitStatus (*run)(const CommandOptions *options);
    const char *help;                     /* one line in the imperative, without a full stop */
    const char *forms[COMMAND_FORMS_MAX]; /* what follows the name; none: nothing may follow */
    const char *text;                     /* more sentences about it; may be NULL */
    const CommandWord *words[COMMAND_WORD_GROUPS_MAX]; /* each ends with a NULL word */
    const char *example;                               /* a whole command line */
    const char *example_help;                          /* what that does */
} Command;

/* All commands, in the order of the help. */
const Command *commands_all(size_t *count);

/* NULL: there is no such command. */
const Command *commands_find(const char *name);

/* The name that was meant by one that is none; NULL: none is near enough. */
const char *commands_nearest(const char *name);

/* What `castled COMMAND --help` prints. */
void command_print_help(const Command *command, FILE *out);
