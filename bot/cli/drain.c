/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon take no more games, play its own to the end, and stop. */
#include "bot/cli/ask_daemon.h"
#include "bot/ops/jsonread.h"
#include "engine/base/number.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEADLINE_MOST_S = 7 * 86400 };

static bool read_words(const CommandOptions *options, int64_t *deadline_s)
{
    Error err = { 0 };
    *deadline_s = 0;
    if (options->word_count == 0)
        return true;
    if (options->word_count == 2 && strcmp(options->words[0], "--deadline") == 0 &&
        number_parse(options->words[1], strlen(options->words[1]), 1, DEADLINE_MOST_S, deadline_s,
                     &err))
        return true;
    fprintf(stderr, "castled: drain: --deadline takes seconds, 1..%d; see castled drain --help\n",
            DEADLINE_MOST_S);
    return false;
}

ExitStatus cmd_drain(const CommandOptions *options)
{
    int64_t deadline_s;
    char line[64], *answer;
    if (!read_words(options, &deadline_s))
        return EXIT_USAGE;
    if (deadline_s > 0)
        text_format(line, sizeof line, "drain %" PRId64, deadline_s);
    else
        text_format(line, sizeof line, "drain");
    ExitStatus exit = ask_daemon(options, line, &answer);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    int64_t games = jsonread_int(said, "games", 0, INT64_MAX, 0);
    printf("draining: %" PRId64 " game%s to finish, then castled stops\n", games,
           games == 1 ? "" : "s");
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}
