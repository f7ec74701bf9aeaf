/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has the running daemon challenge somebody, and says what came of it. */
#include "bot/control_place.h"
#include "bot/lichess/jsonread.h"
#include "bot/wish.h"
#include "engine/base/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool write_line(const CommandOptions *options, Buf *line)
{
    bool ok = buf_put_text(line, "challenge");
    for (int i = 0; i < options->word_count; i++)
        ok = ok && buf_printf(line, " %s", options->words[i]);
    return ok;
}

ExitStatus cmd_challenge(const CommandOptions *options)
{
    OutgoingWish wish;
    Error err = { 0 };
    Buf line;
    char *answer;
    if (!wish_read(&wish, options->words, options->word_count, &err)) {
        fprintf(stderr, "castled: challenge: %s; see castled --help\n", err.text);
        return EXIT_USAGE;
    }
    buf_init(&line, 1000);
    ExitStatus exit = EXIT_FAULT;
    if (write_line(options, &line))
        exit = control_ask_daemon(options, buf_view(&line), &answer);
    buf_release(&line);
    if (exit != EXIT_FINE)
        return exit;
    struct json_object *said = jsonread_parse(answer, strlen(answer), NULL);
    Text id = jsonread_text(said, "id"), url = jsonread_text(said, "url");
    printf("accepted: %.*s/%.*s\n", TEXT_ARGS(url), TEXT_ARGS(id));
    json_object_put(said);
    free(answer);
    return EXIT_FINE;
}
