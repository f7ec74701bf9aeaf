/* SPDX-License-Identifier: GPL-3.0-or-later */
/* commands.h - the list of the operator's commands: main() runs them by it, help,
 * castled(1) and the shells' completion are written from it. */
#pragma once
#include "bot/cli/command.h"

#include "bot/cli/service_unit.h"

#include <stddef.h>
#include <stdio.h>

/* What castled itself takes, before and behind a command's name. */
typedef struct {
    CommandOptions options;
    ServiceUnit unit; /* from which --instance borrows the options' file */
    bool wants_help, wants_version;
} CastledWords;

/* The options of CastledWords. */
extern const Option castled_options[];

/* All commands, in the order of the help. */
const CliCommand *const *commands_all(size_t *count);

/* NULL: there is no such command. */
const CliCommand *commands_find(const char *name);

/* The name that was meant by one that is none; NULL: none is near enough. */
const char *commands_nearest(const char *name);

/* What `castled COMMAND --help` prints. */
void command_print_help(const CliCommand *command, FILE *out);

/* What `castled --help` prints. */
void commands_print_help(FILE *out);

/* Option::name with what follows it, and those of the rows before that share its help: "--since
 * DATE, --until DATE". `*row` is the first of them, and becomes the last. */
enum { OPTION_TITLE_SIZE = 100 };
void option_title(const Option **row, char out[OPTION_TITLE_SIZE]);
