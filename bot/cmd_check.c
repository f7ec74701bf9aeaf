/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/check.h"

ExitStatus cmd_check(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    if (!command_read_config(options, &config, path)) {
        check_say(stdout, CHECK_WRONG, "configuration",
                  "as said above; the rest is checked when that is right");
        return EXIT_CONFIG;
    }
    check_say(stdout, CHECK_OK, "configuration", path);
    ExitStatus status = EXIT_REFUSED;
    if (token_load(&token, config.account.token_file, &err)) {
        check_say(stdout, CHECK_OK, "token", token.source);
        status = check_server(stdout, &config, token.text);
        token_erase(&token);
    } else {
        check_say(stdout, CHECK_WRONG, "token", err.text);
    }
    config_release(&config);
    return status;
}
