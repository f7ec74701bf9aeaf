/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What can follow the @ in a unit's name without being escaped. */
static bool is_name(const char *name)
{
    static const char may[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    size_t len = strlen(name);
    return len > 0 && len <= INSTANCE_NAME_MAX && name[0] != '.' && strspn(name, may) == len;
}

static bool point_to(const char *variable, const char *folder, const char *name)
{
    char path[CONFIG_PATH_SIZE];
    int len = snprintf(path, sizeof path, "%s/castled-%s", folder, name);
    return len > 0 && (size_t)len < sizeof path && setenv(variable, path, 1) == 0;
}

bool instance_choose(CommandOptions *options, const char *name, char path[CONFIG_PATH_SIZE])
{
    if (!is_name(name)) {
        fprintf(stderr, "castled: --instance %s: not letters, digits, _ and .\n", name);
        return false;
    }
    int len = snprintf(path, CONFIG_PATH_SIZE, "/etc/castled/%s.conf", name);
    if (len < 0 || len >= CONFIG_PATH_SIZE || !point_to("STATE_DIRECTORY", "/var/lib", name) ||
        !point_to("RUNTIME_DIRECTORY", "/run", name)) {
        fprintf(stderr, "castled: no memory\n");
        return false;
    }
    options->config_file = path;
    return true;
}
