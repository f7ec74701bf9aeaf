/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/command.h"
#include "bot/daemon.h"

#include <stdio.h>
#include <unistd.h>

ExitStatus cmd_run(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    Log log;
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    log_init(&log, STDERR_FILENO, config.log.level, log_form_for(STDERR_FILENO));
    log_info(&log, "daemon", "configured file=%s", path);
    ExitStatus status = EXIT_REFUSED;
    if (token_load(&token, config.account.token_file, &err))
        status = daemon_run(&config, &token, &log);
    else
        log_error(&log, "account", "no-token why=%s", err.text);
    config_release(&config);
    return status;
}
