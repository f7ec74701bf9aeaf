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

enum { WORDS_MAX = CONTROL_LINE_MAX - 10 /* of the verb, a blank and the end of the line */ };

static const Option game_options[] = {
    { .name = "GAME",
      .help = "its id, how that begins, or latest for the game that began last; default: the only "
              "one",
      .read = option_text,
      .words = &option_latest },
    { .name = NULL },
};

/* "VERB WORDS" to the daemon. *said is dropped by the caller; only EXIT_FINE sets it. */
static ExitStatus order_daemon(const CommandOptions *options, const char *verb, const char *words,
                               struct json_object **said)
{
    char line[CONTROL_LINE_MAX], *answer;
    int len = snprintf(line, sizeof line, "%s%s%s", verb, words ? " " : "", words ? words : "");
    if (len < 0 || len >= CONTROL_LINE_MAX - 1)
        return command_misused(options, "the game's id is too long");
    ExitStatus exit = ask_daemon(options, line, &answer);
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

static ExitStatus end_game(const CommandOptions *options, const char *verb, const char *game)
{
    struct json_object *said;
    ExitStatus exit = order_daemon(options, verb, game, &said);
    if (exit != EXIT_FINE)
        return exit;
    print_opponent(said);
    printf(" is over: %s %s\n", shown(jsonread_text(said, "result")).text,
           shown(jsonread_text(said, "status")).text);
    json_object_put(said);
    return EXIT_FINE;
}

static ExitStatus cmd_abort(const CommandOptions *options)
{
    const char *game = NULL;
    if (!command_read_words(options, (void *[]){ &game }))
        return EXIT_USAGE;
    return end_game(options, "abort", game);
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

static ExitStatus cmd_resign(const CommandOptions *options)
{
    struct json_object *status;
    const char *game = NULL;
    if (!command_read_words(options, (void *[]){ &game }))
        return EXIT_USAGE;
    if (game || !isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return end_game(options, "resign", game);
    ExitStatus exit = order_daemon(options, "status", NULL, &status);
    if (exit != EXIT_FINE)
        return exit;
    bool is_meant = means_the_only_game(status);
    json_object_put(status);
    if (is_meant)
        return end_game(options, "resign", NULL);
    fputs("castled: nothing was resigned\n", stderr);
    return EXIT_FAULT;
}

static ExitStatus cmd_draw(const CommandOptions *options)
{
    struct json_object *said;
    const char *game = NULL;
    if (!command_read_words(options, (void *[]){ &game }))
        return EXIT_USAGE;
    ExitStatus exit = order_daemon(options, "draw", game, &said);
    if (exit != EXIT_FINE)
        return exit;
    print_opponent(said);
    puts(": our next move offers a draw, or accepts one");
    json_object_put(said);
    return EXIT_FINE;
}

static bool take_word(const Option *option, void *at, const char *value, Error *err)
{
    Buf *words = at;
    (void)option;
    if (buf_printf(words, "%s%s", words->len > 0 ? " " : "", value))
        return true;
    error_set(err, ERR_RANGE, "more than %zu bytes", words->max);
    return false;
}

static const Option say_options[] = {
    { .name = "GAME",
      .help = "its id, how that begins, or latest for the game that began last",
      .read = take_word,
      .words = &option_latest,
      .count = OPTION_MUST },
    { .name = "TEXT", .help = "at most 140 characters", .read = take_word, .count = OPTION_REST },
    { .name = NULL },
};

static ExitStatus cmd_say(const CommandOptions *options)
{
    struct json_object *said;
    Buf words;
    buf_init(&words, WORDS_MAX);
    ExitStatus exit = EXIT_USAGE;
    if (command_read_words(options, (void *[]){ &words }))
        exit = strchr(buf_view(&words), ' ')
                   ? order_daemon(options, "say", buf_view(&words), &said)
                   : command_misused(options, "TEXT is missing: what to say there");
    buf_release(&words);
    if (exit != EXIT_FINE)
        return exit;
    puts("said");
    json_object_put(said);
    return EXIT_FINE;
}

const CliCommand command_abort = {
    .name = "abort",
    .run = cmd_abort,
    .help = "abort a game in which not both sides have moved",
    .forms = { "[GAME]" },
    .options = { game_options },
    .example = "castled abort latest",
    .example_help = "aborts the game that has just begun",
};

const CliCommand command_resign = {
    .name = "resign",
    .run = cmd_resign,
    .help = "resign a game that is being played",
    .forms = { "[GAME]" },
    .text = "Lichess aborts a game in which not both sides have moved. Without GAME, and on a "
            "terminal, it asks first.",
    .options = { game_options },
    .example = "castled resign Qw8rTy2u",
    .example_help = "resigns this game, and waits until it is over",
};

const CliCommand command_draw = {
    .name = "draw",
    .run = cmd_draw,
    .help = "offer a draw with our next move, or accept the opponent's",
    .forms = { "[GAME]" },
    .options = { game_options },
    .example = "castled draw Qw8r",
    .example_help = "offers a draw in the game whose id begins so",
};

const CliCommand command_say = {
    .name = "say",
    .run = cmd_say,
    .help = "say something to the opponent in a game's chat",
    .forms = { "GAME TEXT" },
    .options = { say_options },
    .example = "castled say latest 'We have to stop in ten minutes, sorry.'",
    .example_help = "says this in the game that began last",
};
