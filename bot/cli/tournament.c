/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon join or leave an arena tournament, and says what came of it. */
#include "bot/config/arena_spec.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *id, *password, *team; /* NULL: not given */
    int verb;
} TournamentWords;

enum { TOURNAMENT_JOIN = 1, TOURNAMENT_LEAVE };

#define AT(member) .at = offsetof(TournamentWords, member)

static const Option tournament_options[] = {
    { .name = "join", .read = option_choice, AT(verb), .lo = TOURNAMENT_JOIN },
    { .name = "leave",
      .help = "which of both",
      .read = option_choice,
      AT(verb),
      .lo = TOURNAMENT_LEAVE },
    { .name = "ID",
      .help = "the tournament's id, or its address",
      .read = option_text,
      AT(id),
      .count = OPTION_MUST },
    { .name = "--password",
      .value = "WORD",
      .help = "the password of a private tournament",
      .read = option_text,
      AT(password) },
    { .name = "--team",
      .value = "ID",
      .help = "the team to play for in a team battle",
      .read = option_text,
      AT(team) },
    { .name = NULL },
};

/* As in the configuration: "ID password=P team=T". */
static bool write_spec(const TournamentWords *words, Buf *line)
{
    return buf_put_text(line, words->id) &&
           (!words->password || buf_printf(line, " password=%s", words->password)) &&
           (!words->team || buf_printf(line, " team=%s", words->team));
}

static ExitStatus order_daemon(const CommandOptions *options, const char *verb, const char *spec)
{
    char *answer;
    Buf line;
    buf_init(&line, 1000);
    ExitStatus exit = EXIT_FAULT;
    if (buf_printf(&line, "tournament %s %s", verb, spec))
        exit = ask_daemon(options, buf_view(&line), &answer);
    buf_release(&line);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    Text name = jsonread_text(said, "name");
    if (name.len > 0)
        printf("%s: %s\n", strcmp(verb, "join") == 0 ? "joined" : "left", shown(name).text);
    else
        printf("left: %s, which castled had not joined\n", spec);
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}

static ExitStatus cmd_tournament(const CommandOptions *options)
{
    TournamentWords words = { .id = NULL };
    ArenaSpec spec;
    Error err = { 0 };
    Buf line;
    if (!command_read_words(options, (void *[]){ &words }))
        return EXIT_USAGE;
    buf_init(&line, 500);
    bool ok = words.verb != 0 && write_spec(&words, &line);
    if (!ok)
        error_set(&err, ERR_INVALID, "takes join or leave, and a tournament");
    ok = ok && arena_spec_read(&spec, buf_view(&line), &err);
    ExitStatus exit = ok ? order_daemon(options, words.verb == TOURNAMENT_JOIN ? "join" : "leave",
                                        buf_view(&line))
                         : command_misused(options, err.text);
    buf_release(&line);
    return exit;
}

const CliCommand command_tournament = {
    .name = "tournament",
    .run = cmd_tournament,
    .help = "join or leave an arena tournament",
    .forms = { "join ID [--password WORD] [--team ID]", "leave ID" },
    .options = { tournament_options },
    .example = "castled tournament join https://lichess.org/tournament/AbCd1234",
    .example_help = "has the running daemon join this arena",
};
