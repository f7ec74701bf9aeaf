/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/ask_daemon.h"

#include "bot/admin/control_place.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ASK_TIMEOUT_MS = 65000 };

/* True if the daemon took the request; prints why where it did not. */
static bool is_taken(const char *answer)
{
    Error err = { 0 };
    struct json_object *object = jsonread_parse(answer, strlen(answer), &err);
    Text refusal = jsonread_text(object, "error");
    if (!object)
        fprintf(stderr, "castled: the daemon's answer makes no sense: %s\n", err.text);
    else if (refusal.len > 0)
        fprintf(stderr, "castled: %.*s\n", TEXT_ARGS(refusal));
    bool is_fine = object && refusal.len == 0;
    json_object_put(object);
    return is_fine;
}

bool ask_daemon_quietly(const Config *config, const char *line, int timeout_ms, char **answer,
                        Error *err)
{
    char tried[CONTROL_PLACE_SIZE];
    Error why = { 0 };
    bool is_answered = false;
    if (strcmp(config->status.socket, "off") == 0) {
        error_set(err, ERR_IO, "the control socket is off");
        return false;
    }
    for (int i = 0; i < CONTROL_PLACES && !is_answered && why.code != ERR_REFUSED; i++)
        if (control_place_try(config, i, tried))
            is_answered = control_ask(tried, line, timeout_ms, answer, &why);
    if (!is_answered)
        error_set(err, why.code, "%s", why.text);
    return is_answered;
}

ExitStatus ask_daemon(const CommandOptions *options, const char *line, char **answer)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Error err = { 0 };
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    bool is_answered = ask_daemon_quietly(&config, line, ASK_TIMEOUT_MS, answer, &err);
    config_release(&config);
    if (!is_answered) {
        fprintf(stderr, "castled: no daemon answers: %s\n", err.text);
        return EXIT_UNREACHABLE;
    }
    if (is_taken(*answer))
        return EXIT_FINE;
    free(*answer);
    return EXIT_FAULT;
}
