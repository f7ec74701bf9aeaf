/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks one running game for something: abort, resign, draw, say. */
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Without a game's name the only one is meant, which may be another one than the operator thinks:
 * who sits at a terminal is asked. True where there is nothing to ask, or the answer is yes. */
static bool means_the_only_game(const struct json_object *status)
{
    struct json_object *games = jsonread_array(status, "games");
    if (!games || json_object_array_length(games) != 1)
        return true;
    const struct json_object *game = json_object_array_get_idx(games, 0);
    bool is_white = text_is(jsonread_text(game, "us"), "white");
    const struct json_object *opponent = jsonread_object(game, is_white ? "black" : "white");
    char answer[8] = "";
    printf("resign %s against %s? [y/N] ", shown(jsonread_text(game, "id")).text,
           shown(jsonread_text(opponent, "name")).text);
    fflush(stdout);
    return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

ExitStatus cmd_resign(const CommandOptions *options)
{
    struct json_object *status;
    if (options->word_count > 0 || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return end_game(options, "resign");
    ExitStatus exit = ask(options, "status", &status);
    if (exit != EXIT_FINE)
        return exit;
    bool is_meant = means_the_only_game(status);
    json_object_put(status);
    if (is_meant)
        return end_game(options, "resign");
    fputs("castled: nothing was resigned\n", stderr);
    return EXIT_FAULT;
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
