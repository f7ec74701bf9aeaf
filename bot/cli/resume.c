/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ends a drain: games begin again. */
#include "bot/cli/ask_daemon.h"

#include <stdio.h>
#include <stdlib.h>

static ExitStatus cmd_resume(const CommandOptions *options)
{
    char *answer;
    ExitStatus exit = ask_daemon(options, "resume", &answer);
    if (exit != EXIT_FINE)
        return exit;
    puts("resumed: games begin again");
    free(answer);
    return EXIT_FINE;
}

const CliCommand command_resume = {
    .name = "resume",
    .run = cmd_resume,
    .help = "take a drain back: accept and begin games again",
    .example = "castled resume",
    .example_help = "goes on as before castled drain",
};
