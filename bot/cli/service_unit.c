/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/service_unit.h"

#include "engine/base/text_format.h"

#include <string.h>

#define FOLDER "/etc/castled/"
static const char own_name[] = "castled"; /* of castled.conf, which is no instance's */

/* What can follow the @ in a unit's name without being escaped. */
static bool is_instance(const char *name)
{
    static const char may[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    size_t len = strlen(name);
    return len > 0 && len <= INSTANCE_NAME_MAX && name[0] != '.' && name[0] != '-' &&
           strspn(name, may) == len && strcmp(name, own_name) != 0;
}

static void put(char *out, size_t size, const char *before, const char *between, const char *name,
                const char *after)
{
    text_format(out, size, "%s%s%s%s", before, name[0] ? between : "", name, after);
}

/* `name` "": castled.service. */
static void describe(ServiceUnit *out, const char *name)
{
    put(out->instance, sizeof out->instance, "", "", name, "");
    put(out->name, sizeof out->name, "castled", "@", name, "");
    put(out->config_file, sizeof out->config_file, FOLDER, "", name[0] ? name : own_name, ".conf");
    put(out->token_file, sizeof out->token_file, FOLDER, "", name, name[0] ? ".token" : "token");
    put(out->state_folder, sizeof out->state_folder, "/var/lib/castled", "-", name, "");
    put(out->runtime_folder, sizeof out->runtime_folder, "/run/castled", "-", name, "");
}

bool service_unit_of_instance(ServiceUnit *out, const char *name)
{
    if (!is_instance(name))
        return false;
    describe(out, name);
    return true;
}

/* What stands between the folder and `suffix`. */
static bool cut_name(char out[INSTANCE_NAME_MAX + 1], const char *path, const char *suffix)
{
    size_t folder = sizeof FOLDER - 1, len = strlen(path), tail = strlen(suffix);
    if (strncmp(path, FOLDER, folder) != 0 || len <= folder + tail ||
        len > folder + tail + INSTANCE_NAME_MAX || strcmp(path + len - tail, suffix) != 0)
        return false;
    memcpy(out, path + folder, len - folder - tail);
    out[len - folder - tail] = '\0';
    return true;
}

bool service_unit_of_config(ServiceUnit *out, const char *config_file)
{
    char name[INSTANCE_NAME_MAX + 1];
    if (!cut_name(name, config_file, ".conf"))
        return false;
    if (strcmp(name, own_name) != 0)
        return service_unit_of_instance(out, name);
    describe(out, "");
    return true;
}

bool service_unit_of_token(ServiceUnit *out, const char *token_file)
{
    char name[INSTANCE_NAME_MAX + 1];
    if (cut_name(name, token_file, ".token"))
        return service_unit_of_instance(out, name);
    if (strcmp(token_file, FOLDER "token") != 0)
        return false;
    describe(out, "");
    return true;
}
