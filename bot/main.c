/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/build_facts.h"
#include "bot/cli/commands.h"
#include "bot/ops/name_service.h"
#include "bot/ops/version.h"
#include "bot/child/child_launch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static ExitStatus usage_error(const char *what, const char *word)
{
    fprintf(stderr, "castled: %s%s%s; see castled --help\n", what, word[0] ? " " : "", word);
    return EXIT_USAGE;
}

static ExitStatus unknown_command(const char *name)
{
    const char *meant = commands_nearest(name);
    if (!meant)
        return usage_error("unknown command", name);
    fprintf(stderr, "castled: unknown command %s; did you mean %s?\n", name, meant);
    return EXIT_USAGE;
}

static ExitStatus run_command(const char *name, CommandOptions *options)
{
    options->command = commands_find(name);
    if (!options->command)
        return unknown_command(name);
    if (!options->command->options[0] && !command_read_words(options, NULL))
        return EXIT_USAGE;
    return options->command->run(options);
}

static ExitStatus help(const char *name)
{
    const CliCommand *command = name ? commands_find(name) : NULL;
    if (name && !command)
        return unknown_command(name);
    if (command)
        command_print_help(command, stdout);
    else
        commands_print_help(stdout);
    return EXIT_FINE;
}

static ExitStatus print_version(void)
{
    printf("castled %s\n", version_text());
    build_facts_print(stdout);
    return EXIT_FINE;
}

/* What to do without a command, or before it: -1: nothing. */
static int without_command(const char *word, const char *next)
{
    if (strcmp(word, "help") == 0)
        return (int)help(next);
    if (strcmp(word, "version") == 0)
        return (int)print_version();
    return word[0] == '-' ? (int)usage_error("unknown option", word) : -1;
}

/* castled's own options stand anywhere, but behind "--"; all else is the command's. */
static ExitStatus carry_out(int argc, char **argv)
{
    const char *command = NULL, *words[COMMAND_WORDS_MAX];
    CastledWords asked = { .options.words = words };
    bool has_ended = false;
    Error err = { 0 };
    for (int i = 1; i < argc;) {
        int taken = has_ended ? 0
                              : option_try(castled_options, &asked, (const char *const *)&argv[i],
                                           argc - i, &err);
        if (taken < 0)
            return usage_error(err.text, "");
        if (asked.wants_help || asked.wants_version)
            return asked.wants_help ? help(command) : print_version();
        const char *word = argv[i];
        i += taken > 0 ? taken : 1;
        if (taken > 0)
            continue;
        int done = command ? -1 : without_command(word, i < argc ? argv[i] : NULL);
        if (done >= 0)
            return (ExitStatus)done;
        has_ended = has_ended || strcmp(word, "--") == 0;
        if (!command)
            command = word;
        else if (asked.options.word_count == COMMAND_WORDS_MAX)
            return usage_error("unexpected argument:", word);
        else
            words[asked.options.word_count++] = word;
    }
    return command ? run_command(command, &asked.options) : usage_error("no command", "");
}

/* What was written may still be on its way, to a disk that is full. A standard output that was
 * closed before is no fault where nothing was to be written. */
static ExitStatus close_output(ExitStatus status)
{
    bool is_lost = ferror(stdout) != 0;
    is_lost = fflush(stdout) != 0 || is_lost;
    is_lost = (fclose(stdout) != 0 && errno != EBADF) || is_lost;
    if (!is_lost)
        return status;
    fputs("castled: the output could not be written\n", stderr);
    return status == EXIT_FINE ? EXIT_FAULT : status;
}

int main(int argc, char **argv)
{
    if (child_launch_is_asked(argc, argv))
        return child_launch(argc, argv);
    name_service_choose();
    return (int)close_output(carry_out(argc, argv));
}
