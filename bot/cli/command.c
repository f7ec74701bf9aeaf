/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"

#include "bot/cli/shown.h"
#include "bot/config/config_place.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

ExitStatus command_misused(const CommandOptions *options, const char *why)
{
    const char *name = options->command->name;
    fprintf(stderr, "castled: %s: %s; see castled %s --help\n", name, shown(text_of(why)).text,
            name);
    return EXIT_USAGE;
}

bool command_read_words(const CommandOptions *options, void *const targets[])
{
    Error err = { 0 };
    if (options_read(options->command->options, targets, options->words, options->word_count, &err))
        return true;
    command_misused(options, err.text);
    return false;
}

void command_outlive_peers(void)
{
    signal(SIGPIPE, SIG_IGN);
}

bool command_read_config(const CommandOptions *options, Config *config, char path[CONFIG_PATH_SIZE])
{
    Error err = { 0 };
    Buf problems;
    if (!config_place_find(options->config_file, path, CONFIG_PATH_SIZE, &err)) {
        fprintf(stderr, "castled: %s\n", shown_error(&err).text);
        return false;
    }
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_load(config, path, &problems);
    if (!ok)
        fputs(buf_view(&problems), stderr);
    buf_release(&problems);
    return ok;
}

bool command_read_places(const CommandOptions *options, Config *config, char path[CONFIG_PATH_SIZE])
{
    Buf problems;
    if (!config_place_find(options->config_file, path, CONFIG_PATH_SIZE, NULL)) {
        memcpy(path, CONFIG_NO_FILE, sizeof CONFIG_NO_FILE);
    }
    buf_init(&problems, CONFIG_PROBLEMS_MAX);
    bool ok = config_load_lenient(config, path, &problems);
    fputs(buf_view(&problems), stderr);
    if (ok && problems.len > 0)
        fputs("castled: going on without what is wrong in the configuration\n", stderr);
    buf_release(&problems);
    return ok;
}
