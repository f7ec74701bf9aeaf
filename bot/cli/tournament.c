/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon join or leave an arena tournament, and says what came of it. */
#include "bot/config/tournament_spec.h"
#include "bot/cli/ask_daemon.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "--password P" becomes "password=P", as in the configuration. */
static bool write_option(Buf *line, const char *word, const char *value)
{
    static const char *const options[] = { "password", "team" };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (strncmp(word, "--", 2) == 0 && strcmp(word + 2, options[i]) == 0)
            return buf_printf(line, " %s=%s", options[i], value);
    return false;
}

static bool write_spec(const CommandOptions *options, Buf *line)
{
    bool ok = options->word_count >= 2 && buf_put_text(line, options->words[1]);
    for (int i = 2; i < options->word_count && ok; i += 2)
        ok = i + 1 < options->word_count &&
             write_option(line, options->words[i], options->words[i + 1]);
    return ok;
}

static ExitStatus ask(const CommandOptions *options, const char *verb, const char *spec)
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

ExitStatus cmd_tournament(const CommandOptions *options)
{
    const char *verb = options->word_count > 0 ? options->words[0] : "";
    bool is_verb = strcmp(verb, "join") == 0 || strcmp(verb, "leave") == 0;
    TournamentSpec spec;
    Error err = { 0 };
    Buf words;
    buf_init(&words, 500);
    bool ok = is_verb && write_spec(options, &words);
    if (!ok)
        error_set(&err, ERR_INVALID, "takes join or leave, and a tournament");
    ok = ok && tournament_spec_read(&spec, buf_view(&words), &err);
    ExitStatus exit = EXIT_USAGE;
    if (ok)
        exit = ask(options, verb, buf_view(&words));
    else
        fprintf(stderr, "castled: tournament: %s; see castled tournament --help\n",
                shown_error(&err).text);
    buf_release(&words);
    return exit;
}
