/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon use one of its external engines. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/config/external_config.h"
#include "bot/ops/jsonread.h"
#include "engine/base/text_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name;
    int verb;
} EngineWords;

static const Option engine_options[] = {
    { .name = "use",
      .help = "the one thing to be done with engines",
      .read = option_choice,
      .at = offsetof(EngineWords, verb),
      .lo = 1,
      .count = OPTION_MUST },
    { .name = "NAME",
      .help = "an [engine.external NAME] of the configuration; all: as the configuration says",
      .read = option_text,
      .at = offsetof(EngineWords, name),
      .count = OPTION_MUST },
    { .name = NULL },
};

static ExitStatus cmd_engine(const CommandOptions *options)
{
    EngineWords words = { .name = NULL };
    char line[INI_SECTION_LONGEST + 20], *answer;
    if (!command_read_words(options, (void *[]){ &words }))
        return EXIT_USAGE;
    if (!text_format_fits(line, sizeof line, "engine-use %s", words.name))
        return command_misused(options, "no engine has so long a name");
    ExitStatus exit = ask_daemon(options, line, &answer);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    Text name = jsonread_text(said, "engine");
    if (text_is(name, EXTERNAL_ALL))
        puts("games that begin from now on have the engines of the configuration");
    else
        printf("games that begin from now on have the engine %s, until castled engine use all\n",
               shown(name).text);
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}

const CliCommand command_engine = {
    .name = "engine",
    .run = cmd_engine,
    .help = "choose the external engine for the games that begin from now on",
    .forms = { "use NAME" },
    .text = "It plays wherever the configuration has an external engine play and it knows the "
            "variant, whatever shares and rules say. The daemon remembers it across restarts. "
            "Games that run keep their engine.",
    .options = { engine_options },
    .example = "castled engine use stable",
    .example_help = "goes back to the engine of [engine.external stable]",
};
