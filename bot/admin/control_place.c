/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/admin/control_place.h"

#include "bot/archive/state_dir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char socket_name[] = "castled.sock";

bool control_place_try(const Config *config, int number, char out[CONTROL_PLACE_SIZE])
{
    static const char *const variables[] = { "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR" };
    int len = -1;
    if (config->status.socket[0] != '\0') {
        if (number == 0)
            len = snprintf(out, CONTROL_PLACE_SIZE, "%s", config->status.socket);
    } else if (number < 2) {
        const char *folder = getenv(variables[number]);
        if (folder && folder[0] == '/')
            len = number == 0
                      ? snprintf(out, CONTROL_PLACE_SIZE, "%.*s/%s", (int)strcspn(folder, ":"),
                                 folder, socket_name)
                      : snprintf(out, CONTROL_PLACE_SIZE, "%s/castled/%s", folder, socket_name);
    } else if (number == 2) {
        return state_dir_path(out, CONTROL_PLACE_SIZE, socket_name, NULL);
    } else {
        len = snprintf(out, CONTROL_PLACE_SIZE, "/run/castled/%s", socket_name);
    }
    return len > 0 && len < CONTROL_PLACE_SIZE;
}

bool control_place(const Config *config, char *out, size_t size, Error *err)
{
    char path[CONTROL_PLACE_SIZE];
    if (strcmp(config->status.socket, "off") == 0)
        return false;
    for (int i = 0; i < CONTROL_PLACES - 1; i++) {
        if (!control_place_try(config, i, path))
            continue;
        if (strlen(path) >= size)
            break;
        memcpy(out, path, strlen(path) + 1);
        return state_dir_make(out, err);
    }
    error_set(err, ERR_IO, "no place for it");
    return false;
}
