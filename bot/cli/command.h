/* SPDX-License-Identifier: GPL-3.0-or-later */
/* command.h - what the operator's commands have in common: their arguments, how they end, and what
 * most of them begin with. One cmd_NAME.c for each; main.c has the table. */
#pragma once
#include "bot/config/config.h"
#include "bot/config/token.h"

/* After sysexits.h. systemd does not restart on the last two and on usage: only a human can help.
 */
typedef enum {
    EXIT_FINE = 0,
    EXIT_FAULT = 1, /* ours: no memory, no threads */
    EXIT_USAGE = 64,
    EXIT_UNREACHABLE = 69, /* one-shot commands only: the daemon goes on trying */
    EXIT_REFUSED = 77,     /* token or account */
    EXIT_CONFIG = 78,
} ExitStatus;

enum { CONFIG_PATH_SIZE = 4096, COMMAND_WORDS_MAX = 256 };

typedef struct {
    const char *config_file;  /* --config; NULL: the usual places */
    const char *const *words; /* what else stands behind the command's name, options included */
    int word_count;
} CommandOptions;

ExitStatus cmd_challenge(const CommandOptions *options);
ExitStatus cmd_check(const CommandOptions *options);
ExitStatus cmd_drain(const CommandOptions *options);
ExitStatus cmd_explain(const CommandOptions *options);
ExitStatus cmd_games(const CommandOptions *options);
ExitStatus cmd_login(const CommandOptions *options);
ExitStatus cmd_pgn(const CommandOptions *options);
ExitStatus cmd_report(const CommandOptions *options);
ExitStatus cmd_run(const CommandOptions *options);
ExitStatus cmd_stats(const CommandOptions *options);
ExitStatus cmd_status(const CommandOptions *options);
ExitStatus cmd_tournament(const CommandOptions *options);
ExitStatus cmd_upgrade(const CommandOptions *options);

/* Finds and reads the configuration, which the caller releases; `path` says where it was. Prints
 * everything that is wrong with it to stderr and returns false. */
bool command_read_config(const CommandOptions *options, Config *config,
                         char path[CONFIG_PATH_SIZE]) MUST_CHECK;
