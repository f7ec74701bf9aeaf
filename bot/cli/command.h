/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what the operator's commands have in common: their arguments, how they end, and what
 * most of them begin with. One file for each, with the table of its words; commands.h lists them.
 */
#pragma once
#include "bot/cli/option.h"
#include "bot/config/config.h"
#include "bot/config/token.h"
#include "bot/ops/exit_status.h"

enum { CONFIG_PATH_SIZE = 4096, COMMAND_WORDS_MAX = 256, COMMAND_FORMS_MAX = 3 };

typedef struct CliCommand CliCommand;

typedef struct {
    const CliCommand *command;
    const char *config_file;  /* --config; NULL: the usual places */
    const char *const *words; /* what else stands behind the command's name, options included */
    int word_count;
} CommandOptions;

struct CliCommand {
    const char *name;
    ExitStatus (*run)(const CommandOptions *options);
    const char *help;                         /* one line in the imperative, without a full stop */
    const char *forms[COMMAND_FORMS_MAX];     /* what follows the name; none: nothing may follow */
    const char *text;                         /* more sentences about it; may be NULL */
    const Option *options[OPTION_GROUPS_MAX]; /* what `run` reads by command_read_words() */
    const char *example;                      /* a whole command line */
    const char *example_help;                 /* what that does */
};

extern const CliCommand command_abort, command_analyse, command_challenge, command_check,
    command_drain, command_draw, command_engine, command_engine_log, command_explain, command_games,
    command_gauntlet, command_human, command_init, command_log_level, command_login, command_pgn,
    command_reload, command_replay, command_report, command_resign, command_resume, command_run,
    command_say, command_stats, command_status, command_tournament, command_upgrade, command_watch,
    command_why;

/* Reads what stands behind the command's name by its tables, each into the target of the same
 * index. A mistake is printed: the command then ends with EXIT_USAGE. */
bool command_read_words(const CommandOptions *options, void *const targets[]) MUST_CHECK;

/* Prints what else is wrong with the words, and where help is. Returns EXIT_USAGE. */
ExitStatus command_misused(const CommandOptions *options, const char *why);

/* From now on a peer that has gone is an error code, not our end: for commands that talk to others
 * than who reads their output. */
void command_outlive_peers(void);

/* Finds and reads the configuration, which the caller releases; `path` says where it was. Prints
 * everything that is wrong with it to stderr and returns false. */
bool command_read_config(const CommandOptions *options, Config *config,
                         char path[CONFIG_PATH_SIZE]) MUST_CHECK;

/* The same for a command to the running daemon or about its archive, which needs the configuration
 * only to find them: a mistake in a file that is being edited must not take it away. What is wrong
 * is printed and left out; where there is no file, the defaults hold. False, with a message, where
 * a file that is there or was asked for cannot be read. */
bool command_read_places(const CommandOptions *options, Config *config,
                         char path[CONFIG_PATH_SIZE]) MUST_CHECK;
