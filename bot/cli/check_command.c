/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_certificates.h"
#include "bot/cli/check_notify.h"
#include "bot/cli/check_page.h"
#include "bot/cli/check_parts.h"
#include "bot/cli/check_service.h"
#include "bot/cli/check_settings.h"
#include "bot/cli/show_config.h"
#include "bot/cli/shown.h"
#include "bot/ops/process_guard.h"
#include "bot/ops/sandbox.h"
#include "bot/source/external_check.h"
#include "engine/base/text_format.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void say_engine(void *user, bool is_fault, const char *words)
{
    const ExternalConfig *config = user;
    char line[800];
    text_format_cut(line, sizeof line, "%s: %s", config->name, words);
    check_say(stdout, is_fault ? CHECK_WRONG : CHECK_OK, "engine", line);
}

/* Each is started once. True if all are fit to play. */
static bool check_engines(const Config *config, const char *config_file)
{
    ExternalSecrets secrets;
    bool ok = true;
    external_secrets_init(&secrets, config_file, config->account.token_file,
                          config->archive.database);
    if (config->external_count > 0 && !sandbox_is_available())
        check_say(stdout, CHECK_WARNING, "engine",
                  "this kernel has no Landlock: external engines can read the token's file");
    if (config->external_count > 0 && !process_guard_is_available())
        check_say(stdout, CHECK_WARNING, "engine",
                  "this kernel has no seccomp: external engines can change castled's priority");
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

/* check --show. Once more from the file, for the lines. */
static ExitStatus show(const char *path)
{
    Config config;
    int lines[CONFIG_KEYS_MAX];
    Token token;
    Buf problems;
    Error err = { 0 };
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_load_lines(&config, path, lines, &problems);
    if (ok) {
        bool has_token = token_load(&token, config.account.token_file, &err);
        const ConfigView view = { .config = &config,
                                  .path = path,
                                  .lines = lines,
                                  .token = has_token ? token.source : err.text };
        show_config(stdout, &view);
        if (has_token)
            token_erase(&token);
        config_release(&config);
    } else {
        fputs(buf_view(&problems), stderr);
    }
    buf_release(&problems);
    return ok ? EXIT_FINE : EXIT_CONFIG;
}

/* What is not there gets one line, and no place in it. */
static bool find_config(const CommandOptions *options, char path[CONFIG_PATH_SIZE])
{
    Error err = { 0 };
    if (config_find(options->config_file, path, CONFIG_PATH_SIZE, &err) &&
        strcmp(path, CONFIG_NO_FILE) != 0 && access(path, R_OK) != 0)
        error_set(&err, ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (error_is_set(&err))
        check_say(stdout, CHECK_WRONG, "configuration", err.text);
    return !error_is_set(&err);
}

ExitStatus cmd_check(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    const char *word = options->word_count == 1 ? options->words[0] : "";
    bool shows = strcmp(word, "--show") == 0, tries = strcmp(word, "--notify") == 0;
    if (options->word_count > 0 && !shows && !tries) {
        fputs("castled: check: takes --show, --notify or nothing; see castled check --help\n",
              stderr);
        return EXIT_USAGE;
    }
    if (shows) {
        if (config_find(options->config_file, path, sizeof path, &err))
            return show(path);
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
        return EXIT_CONFIG;
    }
    command_outlive_peers();
    if (!find_config(options, path))
        return EXIT_CONFIG;
    if (!command_read_config(options, &config, path)) {
        check_say(stdout, CHECK_WRONG, "configuration", "see above; the other checks are skipped");
        return EXIT_CONFIG;
    }
    check_say(stdout, CHECK_OK, "configuration", config_place(path));
    ExitStatus status = EXIT_REFUSED;
    /* First of all: it closes our memory and environment to the engines that are started below. */
    bool has_token = token_load(&token, config.account.token_file, &err);
    check_settings(stdout, &config, path);
    bool is_fit = check_service(stdout, &config, path);
    is_fit = check_parts(stdout, &config) && is_fit;
    check_page(stdout, &config);
    is_fit = find_archive(&config) && is_fit;
    is_fit = check_engines(&config, path) && is_fit;
    is_fit = check_notify(stdout, &config, path, tries ? NOTIFY_TRY : NOTIFY_LOOK) && is_fit;
    is_fit = check_certificates(stdout, &config) && is_fit;
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
