/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/command.h"
#include "bot/cli/game_filter.h"
#include "bot/source/external_launch.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    ExitStatus (*run)(const CommandOptions *options);
    const char *words; /* that may follow, for the help; NULL: none */
    const char *help;
} commands[] = {
    { "run", cmd_run, NULL, "play on Lichess until told to stop (SIGTERM or Ctrl-C)" },
    { "check", cmd_check, NULL,
      "say what is right and wrong with configuration, token and account" },
    { "login", cmd_login, "[--token-file FILE] [--port PORT] [--timeout SECONDS]",
      "get a token by your consent in a browser, and keep it in a file" },
    { "upgrade", cmd_upgrade, "[--yes]",
      "make the token's account a BOT account, which cannot be undone" },
    { "explain", cmd_explain, "FILE: a challenge as the event stream tells it; -: standard input",
      "say which rules hold for a challenge, what they change, and what comes of it" },
    { "status", cmd_status, "[--json]", "say how the running daemon is doing" },
    { "drain", cmd_drain, "[--deadline SECONDS]",
      "have the running daemon play its games to the end, take no more, and stop" },
    { "challenge", cmd_challenge,
      "USER CLOCK [rated|casual] [VARIANT] [white|black] [--fen FEN] [--games N]\n"
      "               [--at 2026-11-22T18:00Z | +MINUTES], such as: maia1 3+2; or --again [USER]\n"
      "               like the latest game, the colours changed over; or --cancel NUMBER",
      "have the running daemon challenge somebody, or play a match, and say what came of it" },
    { "tournament", cmd_tournament,
      "join ID [--password WORD] [--team ID] | leave ID, its address does as well",
      "have the running daemon join or leave an arena tournament" },
    { "games", cmd_games, GAME_FILTER_HELP " [--json]", "list finished games, the latest first" },
    { "pgn", cmd_pgn, "[ID…] " GAME_FILTER_HELP, "print finished games as PGN" },
    { "stats", cmd_stats,
      "[--by all|colour|speed|clock|variant|opponent|opening|reason|book]\n"
      "               " GAME_FILTER_HELP " [--json]",
      "how we did in finished games: by opponent, opening and so on; --limit: of lines" },
    { "report", cmd_report, "[--log FILE]: add its last lines; -: standard input",
      "write a file that helps others to help you, without secrets" },
};

static void print_help(FILE *out)
{
    fputs("usage: castled [--config FILE] COMMAND\n\nCommands:\n", out);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
        if (commands[i].words)
            fprintf(out, "  %-10s   %s\n", "", commands[i].words);
    }
    fputs("\nOptions:\n"
          "  --config FILE  read FILE instead of $XDG_CONFIG_HOME/castled/castled.conf or\n"
          "                 /etc/castled/castled.conf\n"
          "  --version      print the version\n"
          "  --help         print this\n"
          "\nExit status: 0 fine, 64 wrong usage, 69 server or daemon not reached (not for run),\n"
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
        if (strcmp(commands[i].name, name) != 0)
            continue;
        if (options->word_count > 0 && !commands[i].words)
            return usage_error("one word too many:", options->words[0]);
        return commands[i].run(options);
    }
    return usage_error("unknown command", name);
}

/* Options that every command has; the others go to the command as they are. Returns how many words
 * of argv belong together, 0: none of ours, -1: usage error. */
static int global_option(char **argv, int left, CommandOptions *options)
{
    static const char with_value[] = "--config=";
    if (strcmp(argv[0], "--config") == 0) {
        if (left < 2)
            return -1;
        options->config_file = argv[1];
        return 2;
    }
    if (strncmp(argv[0], with_value, sizeof with_value - 1) == 0) {
        options->config_file = argv[0] + sizeof with_value - 1;
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (external_launch_is_asked(argc, argv))
        return external_launch(argc, argv);
    CommandOptions options = { 0 };
    const char *command = NULL;
    const char *words[COMMAND_WORDS_MAX];
    options.words = words;
    for (int i = 1; i < argc;) {
        const char *word = argv[i];
        int taken = global_option(&argv[i], argc - i, &options);
        if (taken < 0)
            return (int)usage_error("no file after", word);
        i += taken > 0 ? taken : 1;
        if (taken > 0)
            continue;
        if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(stdout);
            return EXIT_FINE;
        }
        if (!command && strcmp(word, "--version") == 0) {
            puts("castled " CASTLED_VERSION);
            return EXIT_FINE;
        }
        if (!command && word[0] == '-')
            return (int)usage_error("unknown option", word);
        if (!command)
            command = word;
        else if (options.word_count == COMMAND_WORDS_MAX)
            return (int)usage_error("one word too many:", word);
        else
            words[options.word_count++] = word;
    }
    if (!command)
        return (int)usage_error("no command", "");
    return (int)run_command(command, &options);
}
