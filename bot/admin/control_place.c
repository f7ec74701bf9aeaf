/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/control_place.h"

#include "bot/archive/state_dir.h"
#include "bot/lichess/jsonread.h"
#include "bot/ops/control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 4, PLACE_SIZE = 256, ASK_MS = 65000 };

static const char socket_name[] = "castled.sock";

/* The `number`th place where it may be; false: there is no such place here. */
static bool place(const Config *config, int number, char out[PLACE_SIZE])
{
    static const char *const variables[] = { "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR" };
    int len = -1;
    if (config->status.socket[0] != '\0') {
        if (number == 0)
            len = snprintf(out, PLACE_SIZE, "%s", config->status.socket);
    } else if (number < 2) {
        const char *folder = getenv(variables[number]);
        if (folder && folder[0] == '/')
            len = number == 0 ? snprintf(out, PLACE_SIZE, "%.*s/%s", (int)strcspn(folder, ":"),
                                         folder, socket_name)
                              : snprintf(out, PLACE_SIZE, "%s/castled/%s", folder, socket_name);
    } else if (number == 2) {
        return state_dir_path(out, PLACE_SIZE, socket_name, NULL);
    } else {
        len = snprintf(out, PLACE_SIZE, "/run/castled/%s", socket_name);
    }
    return len > 0 && len < PLACE_SIZE;
}

bool control_place(const Config *config, char *out, size_t size, Error *err)
{
    char path[PLACE_SIZE];
    if (strcmp(config->status.socket, "off") == 0)
        return false;
    for (int i = 0; i < PLACES - 1; i++) {
        if (!place(config, i, path))
            continue;
        if (strlen(path) >= size)
            break;
        memcpy(out, path, strlen(path) + 1);
        return state_dir_make(out, err);
    }
    error_set(err, ERR_IO, "no place for it");
    return false;
}

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

ExitStatus control_ask_daemon(const CommandOptions *options, const char *line, char **answer)
{
    Config config;
    char path[CONFIG_PATH_SIZE], tried[PLACE_SIZE];
    Error err = { 0 };
    bool is_answered = false;
    if (!command_read_config(options, &config, path))
        return EXIT_CONFIG;
    bool is_off = strcmp(config.status.socket, "off") == 0;
    if (is_off)
        error_set(&err, ERR_IO, "%s: the control socket is off", path);
    for (int i = 0; i < PLACES && !is_off && !is_answered && err.code != ERR_REFUSED; i++) {
        if (!place(&config, i, tried))
            continue;
        is_answered = control_ask(tried, line, ASK_MS, answer, &err);
    }
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
