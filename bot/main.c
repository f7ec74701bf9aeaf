/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/command.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    ExitStatus (*run)(const CommandOptions *options);
    const char *help;
} commands[] = {
    { "run", cmd_run, "play on Lichess until told to stop (SIGTERM or Ctrl-C)" },
    { "check", cmd_check, "say what is right and wrong with configuration, token and account" },
};

static void print_help(FILE *out)
{
    fputs("usage: castled [--config FILE] COMMAND\n\nCommands:\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].help);
    fputs("\nOptions:\n"
          "  --config FILE  read FILE instead of $XDG_CONFIG_HOME/castled/castled.conf or\n"
          "                 /etc/castled/castled.conf\n"
          "  --version      print the version\n"
          "  --help         print this\n"
          "\nExit status: 0 fine, 64 wrong usage, 69 server unreachable (check only),\n"
          "77 token or account refused, 78 configuration wrong.\n",
          out);
}

static ExitStatus usage_error(const char *what, const char *word)
{
    fprintf(stderr, "castled: %s%s%s; see castled --help\n", what, word[0] ? " " : "", word);
    return EXIT_USAGE;
}

static ExitStatus run_command(const char *name, const CommandOptions *options)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(options);
    }
    return usage_error("unknown command", name);
}

int main(int argc, char **argv)
{
    CommandOptions options = { 0 };
    const char *command = NULL;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--version") == 0) {
            puts("castled " CASTLED_VERSION);
            return EXIT_FINE;
        }
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(stdout);
            return EXIT_FINE;
        }
        if (strcmp(word, "--config") == 0) {
            if (++i == argc)
                return (int)usage_error("no file after", word);
            options.config_file = argv[i];
        } else if (strncmp(word, "--config=", strlen("--config=")) == 0) {
            options.config_file = word + strlen("--config=");
        } else if (word[0] == '-') {
            return (int)usage_error("unknown option", word);
        } else if (command) {
            return (int)usage_error("one word too many:", word);
        } else {
            command = word;
        }
    }
    if (!command)
        return (int)usage_error("no command", "");
    return (int)run_command(command, &options);
}
