/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks one running game for something: abort, resign, draw, say. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "VERB WORD WORD …" to the daemon. *said is dropped by the caller; only EXIT_FINE sets it. */
static ExitStatus ask(const CommandOptions *options, const char *verb, struct json_object **said)
{
    Buf line;
    char *answer;
    buf_init(&line, CONTROL_LINE_MAX - 2);
    bool ok = buf_put_text(&line, verb);
    for (int i = 0; i < options->word_count && ok; i++)
        ok = buf_printf(&line, " %s", options->words[i]);
    ExitStatus exit = EXIT_USAGE;
    if (ok)
        exit = ask_daemon(options, buf_view(&line), &answer);
    else
        fprintf(stderr, "castled: %s: more than %zu bytes\n", verb, line.max);
    buf_release(&line);
    if (exit != EXIT_FINE)
        return exit;
    *said = jsonread_parse(answer, strlen(answer), NULL);
    free(answer);
    return EXIT_FINE;
}

static void print_opponent(const struct json_object *said)
{
    printf("%s against %s", shown(jsonread_text(said, "id")).text,
           shown(jsonread_text(said, "opponent")).text);
}

static ExitStatus usage(const char *verb, const char *takes)
{
    fprintf(stderr, "castled: %s: takes %s; see castled %s --help\n", verb, takes, verb);
    return EXIT_USAGE;
}

static ExitStatus end_game(const CommandOptions *options, const char *verb)
{
    struct json_object *said;
    if (options->word_count > 1)
        return usage(verb, "one game");
    ExitStatus exit = ask(options, verb, &said);
    if (exit != EXIT_FINE)
        return exit;
    print_opponent(said);
    printf(" is over: %s %s\n", shown(jsonread_text(said, "result")).text,
           shown(jsonread_text(said, "status")).text);
    json_object_put(said);
    return EXIT_FINE;
}

ExitStatus cmd_abort(const CommandOptions *options)
{
    return end_game(options, "abort");
}

ExitStatus cmd_resign(const CommandOptions *options)
{
    return end_game(options, "resign");
}

ExitStatus cmd_draw(const CommandOptions *options)
{
    struct json_object *said;
    if (options->word_count > 1)
        return usage("draw", "one game");
    ExitStatus exit = ask(options, "draw", &said);
    if (exit != EXIT_FINE)
        return exit;
    print_opponent(said);
    puts(": our next move offers a draw, or accepts one");
    json_object_put(said);
    return EXIT_FINE;
}

ExitStatus cmd_say(const CommandOptions *options)
{
    struct json_object *said;
    if (options->word_count < 2)
        return usage("say", "a game and what to say there");
    ExitStatus exit = ask(options, "say", &said);
    if (exit != EXIT_FINE)
        return exit;
    puts("said");
    json_object_put(said);
    return EXIT_FINE;
}
