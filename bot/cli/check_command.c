/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/check_certificates.h"
#include "bot/cli/check_notify.h"
#include "bot/cli/check_page.h"
#include "bot/cli/check_parts.h"
#include "bot/cli/check_service.h"
#include "bot/cli/check_settings.h"
#include "bot/cli/show_config.h"
#include "bot/cli/shown.h"
#include "bot/child/process_guard.h"
#include "bot/child/sandbox.h"
#include "bot/source/external_check.h"
#include "bot/config/config_place.h"
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
    ChildSecrets secrets;
    bool ok = true;
    child_secrets_init(&secrets, config_file, config->account.token_file, config->archive.database);
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
    if (config_place_find(options->config_file, path, CONFIG_PATH_SIZE, &err) &&
        strcmp(path, CONFIG_NO_FILE) != 0 && access(path, R_OK) != 0)
        error_set(&err, ERR_IO, "%s: cannot open: %s", path, strerror(errno));
    if (error_is_set(&err))
        check_say(stdout, CHECK_WRONG, "configuration", err.text);
    return !error_is_set(&err);
}

typedef enum { CHECK_ALL, CHECK_SHOW, CHECK_NOTIFY } CheckWhat;

static const Option check_options[] = {
    { .name = "--notify",
      .help = "also send a trial alert by the ways of [notify]",
      .read = option_choice,
      .lo = CHECK_NOTIFY },
    { .name = "--show",
      .help = "only print the configuration as it holds, each value with where it comes from: "
              "the file's line, a default, the environment, a rule. Without token and passwords",
      .read = option_choice,
      .lo = CHECK_SHOW },
    { .name = NULL },
};

static ExitStatus cmd_check(const CommandOptions *options)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Token token;
    Error err = { 0 };
    int what = CHECK_ALL;
    if (!command_read_words(options, (void *[]){ &what }))
        return EXIT_USAGE;
    if (what == CHECK_SHOW) {
        if (config_place_find(options->config_file, path, sizeof path, &err))
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
    check_say(stdout, CHECK_OK, "configuration", config_place_text(path));
    ExitStatus status = EXIT_REFUSED;
    /* First of all: it closes our memory and environment to the engines that are started below. */
    bool has_token = token_load(&token, config.account.token_file, &err);
    check_settings(stdout, &config, path);
    bool is_fit = check_service(stdout, &config, path);
    is_fit = check_parts(stdout, &config) && is_fit;
    check_page(stdout, &config);
    is_fit = find_archive(&config) && is_fit;
    is_fit = check_engines(&config, path) && is_fit;
    is_fit = check_notify(stdout, &config, path, what == CHECK_NOTIFY ? NOTIFY_TRY : NOTIFY_LOOK) &&
             is_fit;
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

const CliCommand command_check = {
    .name = "check",
    .run = cmd_check,
    .help = "check configuration, engines, archive, token and account",
    .forms = { "[--show | --notify]" },
    .text = "One line for each, with what to do about what is wrong. External engines are "
            "started, by root as nobody, and must be ready. The archive's line says whose it is: "
            "the running daemon's, the user's own or the service's. With systemd it says what the "
            "service would miss that this user has. A warning leaves the exit status as it is.",
    .options = { check_options },
    .example = "castled check",
    .example_help = "shows whether castled run would work",
};
