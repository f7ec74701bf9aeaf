/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_parts.h"
#include "bot/ops/sandbox.h"
#include "bot/source/external_check.h"

static void say_engine(void *user, bool is_fault, const char *words)
{
    const ExternalConfig *config = user;
    char line[500];
    int len = snprintf(line, sizeof line, "%s: %s", config->name, words);
    (void)len; /* what is too long is cut */
    check_say(stdout, is_fault ? CHECK_WRONG : CHECK_OK, "engine", line);
}

/* Each is started once. True if all are fit to play. */
static bool check_engines(const Config *config, const char *config_file)
{
    ExternalSecrets secrets;
    bool ok = true;
    external_secrets_init(&secrets, config_file, config->account.token_file);
    if (config->external_count > 0 && !sandbox_is_available())
        check_say(stdout, CHECK_WARNING, "engine",
                  "this kernel has no Landlock: external engines can read the token's file");
    for (size_t i = 0; i < config->external_count; i++)
        ok = external_check(&config->externals[i], &secrets, say_engine, &config->externals[i]) &&
             ok;
    return ok;
}

static bool find_archive(const Config *config)
{
    ArchivePlace place;
    Error err = { 0 };
    if (archive_place_find(&place, config, &err))
        return check_archive(stdout, &place);
    check_say(stdout, CHECK_WRONG, "archive", err.text);
    return false;
}

ExitStatus cmd_check(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    if (!command_read_config(options, &config, path)) {
        check_say(stdout, CHECK_WRONG, "configuration", "see above; the other checks are skipped");
        return EXIT_CONFIG;
    }
    check_say(stdout, CHECK_OK, "configuration", path);
    ExitStatus status = EXIT_REFUSED;
    /* First of all: it closes our memory and environment to the engines that are started below. */
    bool has_token = token_load(&token, config.account.token_file, &err);
    bool is_fit = check_parts(stdout, &config);
    is_fit = find_archive(&config) && is_fit;
    is_fit = check_engines(&config, path) && is_fit;
    if (has_token) {
        check_say(stdout, CHECK_OK, "token", token.source);
        status = check_server(stdout, &config, token.text);
        token_erase(&token);
    } else {
        check_say(stdout, CHECK_WRONG, "token", err.text);
    }
    config_release(&config);
    return status == EXIT_FINE && !is_fit ? EXIT_CONFIG : status;
}
