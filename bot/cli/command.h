/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what the operator's commands have in common: their arguments, how they end, and what
 * most of them begin with. One file for each; commands.h has the table. */
#pragma once
#include "bot/config/config.h"
#include "bot/config/token.h"
#include "bot/ops/exit_status.h"

enum { CONFIG_PATH_SIZE = 4096, COMMAND_WORDS_MAX = 256 };

typedef struct {
    const char *config_file;  /* --config; NULL: the usual places */
    const char *const *words; /* what else stands behind the command's name, options included */
    int word_count;
} CommandOptions;

ExitStatus cmd_abort(const CommandOptions *options);
ExitStatus cmd_analyse(const CommandOptions *options);
ExitStatus cmd_challenge(const CommandOptions *options);
ExitStatus cmd_check(const CommandOptions *options);
ExitStatus cmd_drain(const CommandOptions *options);
ExitStatus cmd_draw(const CommandOptions *options);
ExitStatus cmd_engine_log(const CommandOptions *options);
ExitStatus cmd_explain(const CommandOptions *options);
ExitStatus cmd_games(const CommandOptions *options);
ExitStatus cmd_human(const CommandOptions *options);
ExitStatus cmd_init(const CommandOptions *options);
ExitStatus cmd_log_level(const CommandOptions *options);
ExitStatus cmd_login(const CommandOptions *options);
ExitStatus cmd_pgn(const CommandOptions *options);
ExitStatus cmd_reload(const CommandOptions *options);
ExitStatus cmd_replay(const CommandOptions *options);
ExitStatus cmd_report(const CommandOptions *options);
ExitStatus cmd_resign(const CommandOptions *options);
ExitStatus cmd_resume(const CommandOptions *options);
ExitStatus cmd_run(const CommandOptions *options);
ExitStatus cmd_say(const CommandOptions *options);
ExitStatus cmd_stats(const CommandOptions *options);
ExitStatus cmd_status(const CommandOptions *options);
ExitStatus cmd_tournament(const CommandOptions *options);
ExitStatus cmd_upgrade(const CommandOptions *options);
ExitStatus cmd_watch(const CommandOptions *options);
ExitStatus cmd_why(const CommandOptions *options);

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
