/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"
#include "bot/daemon/daemon.h"

#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

/* GameSet come and go for months, and what they took is to be there for the next ones or go back to
 * the system: threads share one heap, and large blocks stay out of it. */
static void keep_memory_small(void)
{
    enum { LARGE = 128 << 10 };
    (void)mallopt(M_ARENA_MAX, 1);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
    (void)mallopt(M_TRIM_THRESHOLD, 2 * LARGE);
}

ExitStatus cmd_run(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    Log log;
    keep_memory_small();
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    if (!log_open(&log, STDERR_FILENO, config.log.level, config.log.format, LOG_JOURNAL_SOCKET,
                  &err))
        log_warning(&log, "log", "no-journal", FIELDS(F("why", err.text)));
    err = (Error){ 0 };
    log_info(&log, "daemon", "configured", FIELDS(F("file", path)));
    ExitStatus status = EXIT_REFUSED;
    if (token_load(&token, config.account.token_file, &err))
        status = daemon_run(&config, path, &token, &log);
    else
        log_error(&log, "account", "no-token", FIELDS(F("why", err.text)));
    log_close(&log);
    config_release(&config);
    return status;
}
