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

static bool is_level(const char *word)
{
    for (int level = 0; level < LEVEL_COUNT; level++)
        if (strcmp(word, log_level_names[level]) == 0)
            return true;
    return false;
}

ExitStatus cmd_log_level(const CommandOptions *options)
{
    char line[40], *answer;
    if (options->word_count != 1 || !is_level(options->words[0])) {
        fputs("castled: log-level: takes error, warning, info or debug; see castled log-level "
              "--help\n",
              stderr);
        return EXIT_USAGE;
    }
    text_format(line, sizeof line, "log-level %s", options->words[0]);
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
