/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon log more, or less. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/log_level.h"
#include "engine/base/text_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const WordList levels = { log_level_names, LEVEL_COUNT, 0 };

static const Option log_level_options[] = {
    { .name = "LEVEL",
      .help = "error, warning, info or debug",
      .read = option_word,
      .words = &levels,
      .count = OPTION_MUST },
    { .name = NULL },
};

static ExitStatus cmd_log_level(const CommandOptions *options)
{
    char line[40], *answer;
    int level = 0;
    if (!command_read_words(options, (void *[]){ &level }))
        return EXIT_USAGE;
    text_format(line, sizeof line, "log-level %s", log_level_names[level]);
    ExitStatus exit = ask_daemon(options, line, &answer);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    printf("log level %s, was %s; a reload or restart goes back to the configuration's\n",
           shown(jsonread_text(said, "to")).text, shown(jsonread_text(said, "from")).text);
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}

const CliCommand command_log_level = {
    .name = "log-level",
    .run = cmd_log_level,
    .help = "have the running daemon log more or less, until the next reload",
    .forms = { "LEVEL" },
    .options = { log_level_options },
    .example = "castled log-level debug",
    .example_help = "logs everything from now on",
};
