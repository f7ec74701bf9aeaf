/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon take no more games, play its own to the end, and stop. */
#include "bot/cli/ask_daemon.h"
#include "bot/ops/jsonread.h"
#include "engine/base/text_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEADLINE_MOST_S = 7 * 86400 };

static const Option drain_options[] = {
    { .name = "--deadline",
      .value = "SECONDS",
      .help = "stop after this time even if games still run",
      .read = option_number,
      .lo = 1,
      .hi = DEADLINE_MOST_S },
    { .name = NULL },
};

static ExitStatus cmd_drain(const CommandOptions *options)
{
    int64_t deadline_s = 0;
    char line[64], *answer;
    if (!command_read_words(options, (void *[]){ &deadline_s }))
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

const CliCommand command_drain = {
    .name = "drain",
    .run = cmd_drain,
    .help = "finish the games, accept no more, then stop the daemon",
    .forms = { "[--deadline SECONDS]" },
    .options = { drain_options },
    .example = "castled drain --deadline 3600",
    .example_help = "stops after the games, within an hour",
};
