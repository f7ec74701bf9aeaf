/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/ask_daemon.h"

#include "bot/admin/control_place.h"
#include "bot/cli/shown.h"
#include "bot/ops/jsonread.h"
#include "bot/ops/control.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ASK_TIMEOUT_MS = 65000 };

/* True if the daemon took the request; prints why where it did not. */
static bool is_taken(const char *answer)
{
    Error err = { 0 };
    struct json_object *object = jsonread_parse(answer, strlen(answer), &err);
    Text refusal = jsonread_text(object, "error");
    if (!object)
        fprintf(stderr, "castled: the daemon's answer makes no sense: %s\n",
                shown_error(&err).text);
    else if (refusal.len > 0)
        fprintf(stderr, "castled: %s\n", shown(refusal).text);
    bool is_fine = object && refusal.len == 0;
    json_object_put(object);
    return is_fine;
}

/* Why nobody answered at the places tried so far: the first that is there tells most. */
typedef struct {
    Error why;
    bool is_there;
} Search;

static bool try_place(Search *search, const char *path, const char *line, int timeout_ms,
                      char **answer)
{
    Error here = { 0 };
    if (control_ask(path, line, timeout_ms, answer, &here))
        return true;
    int seen = faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0 ? 0 : errno;
    bool is_there = seen != ENOENT && seen != ENOTDIR;
    if (seen == EACCES) {
        here = (Error){ 0 };
        error_set(&here, ERR_IO, "%s: you may not ask it: run this command with sudo", path);
    }
    if (!error_is_set(&search->why) || here.code == ERR_REFUSED || (is_there && !search->is_there))
        search->why = here;
    search->is_there = search->is_there || is_there;
    return false;
}

bool ask_daemon_quietly(const Config *config, const char *line, int timeout_ms, char **answer,
                        Error *err)
{
    char path[CONTROL_PLACE_SIZE];
    Search search = { .is_there = false };
    if (strcmp(config->status.socket, "off") == 0) {
        error_set(err, ERR_IO, "the control socket is off");
        return false;
    }
    for (int i = 0; i < CONTROL_PLACES && search.why.code != ERR_REFUSED; i++)
        if (control_place_try(config, i, path) &&
            try_place(&search, path, line, timeout_ms, answer))
            return true;
    error_set(err, search.why.code, "%s", search.why.text);
    return false;
}

ExitStatus ask_daemon(const CommandOptions *options, const char *line, char **answer)
{
    Config config;
    char path[CONFIG_PATH_SIZE];
    Error err = { 0 };
    if (!command_read_places(options, &config, path))
        return EXIT_CONFIG;
    bool is_answered = ask_daemon_quietly(&config, line, ASK_TIMEOUT_MS, answer, &err);
    config_release(&config);
    if (!is_answered) {
        fprintf(stderr, "castled: no daemon answers: %s\n", shown_error(&err).text);
        return EXIT_UNREACHABLE;
    }
    if (is_taken(*answer))
        return EXIT_FINE;
    free(*answer);
    return EXIT_FAULT;
}
