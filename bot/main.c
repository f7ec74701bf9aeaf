/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/build_facts.h"
#include "bot/cli/commands.h"
#include "bot/cli/instance.h"
#include "bot/ops/name_service.h"
#include "bot/ops/version.h"
#include "bot/source/external_launch.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void print_help(FILE *out)
{
    size_t count;
    const Command *commands = commands_all(&count);
    fputs("usage: castled [--config FILE | --instance NAME] COMMAND\n\nCommands:\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
    fputs("\nOptions:\n"
          "  --config FILE  read FILE instead of $XDG_CONFIG_HOME/castled/castled.conf or\n"
          "                 /etc/castled/castled.conf\n"
          "  --instance NAME\n"
          "                 ask castled@NAME.service, which reads /etc/castled/NAME.conf\n"
          "  --version, -V  print version, build and libraries\n"
          "  --help, -h     print this; behind a command, describe that command alone, as\n"
          "                 castled help COMMAND does\n"
          "\nExit status: 0 fine, 1 not done, 64 wrong usage, 69 server or daemon not reached\n"
          "(not for run), 77 token or account refused, 78 configuration wrong.\n",
          out);
}

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

static ExitStatus run_command(const char *name, const CommandOptions *options)
{
    const Command *command = commands_find(name);
    if (!command)
        return unknown_command(name);
    if (options->word_count > 0 && !command->forms[0])
        return usage_error("unexpected argument:", options->words[0]);
    return command->run(options);
}

static ExitStatus help(const char *name)
{
    const Command *command = name ? commands_find(name) : NULL;
    if (name && !command)
        return unknown_command(name);
    if (command)
        command_print_help(command, stdout);
    else
        print_help(stdout);
    return EXIT_FINE;
}

/* Options that every command has; the others go to the command as they are. Returns how many words
 * of argv belong together, 0: none of ours, -1: its value is missing, -2: wrong, and said so. */
static int global_option(char **argv, int left, CommandOptions *options, ServiceUnit *unit)
{
    static const char with_value[] = "--config=";
    if (strcmp(argv[0], "--config") == 0) {
        if (left < 2)
            return -1;
        options->config_file = argv[1];
        return 2;
    }
    if (strcmp(argv[0], "--instance") == 0)
        return left < 2 ? -1 : instance_choose(options, argv[1], unit) ? 2 : -2;
    if (strncmp(argv[0], with_value, sizeof with_value - 1) == 0) {
        options->config_file = argv[0] + sizeof with_value - 1;
        return 1;
    }
    return 0;
}

static bool is_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0 ||
           strcmp(word, "version") == 0;
}

static ExitStatus carry_out(int argc, char **argv)
{
    CommandOptions options = { 0 };
    const char *command = NULL;
    const char *words[COMMAND_WORDS_MAX];
    ServiceUnit unit;
    options.words = words;
    for (int i = 1; i < argc;) {
        const char *word = argv[i];
        int taken = global_option(&argv[i], argc - i, &options, &unit);
        if (taken < 0)
            return taken == -1 ? usage_error("nothing after", word) : EXIT_USAGE;
        i += taken > 0 ? taken : 1;
        if (taken > 0)
            continue;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
            return help(command);
        if (!command && strcmp(word, "help") == 0)
            return help(i < argc ? argv[i] : NULL);
        if (!command && is_version(word)) {
            printf("castled %s\n", version_text());
            build_facts_print(stdout);
            return EXIT_FINE;
        }
        if (!command && word[0] == '-')
            return usage_error("unknown option", word);
        if (!command)
            command = word;
        else if (options.word_count == COMMAND_WORDS_MAX)
            return usage_error("unexpected argument:", word);
        else
            words[options.word_count++] = word;
    }
    return command ? run_command(command, &options) : usage_error("no command", "");
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
    if (external_launch_is_asked(argc, argv))
        return external_launch(argc, argv);
    name_service_choose();
    return (int)close_output(carry_out(argc, argv));
}
