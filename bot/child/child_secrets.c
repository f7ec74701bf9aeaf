/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/child/child_secrets.h"

#include "engine/base/text_format.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path that is too long can't be opened by anyone. */
static void add_path(ChildSecrets *secrets, const char *path)
{
    size_t len = path ? strlen(path) : 0;
    if (len == 0 || len >= sizeof secrets->paths[0])
        return;
    memcpy(secrets->paths[secrets->count], path, len + 1);
    if (!realpath(path, secrets->reals[secrets->count]))
        secrets->reals[secrets->count][0] = '\0';
    secrets->count++;
}

static void add_at_home(ChildSecrets *secrets, const char *variable, const char *name)
{
    const char *value = variable ? getenv(variable) : NULL, *home = getenv("HOME");
    char path[PATH_MAX];
    bool fits = text_format_fits(path, sizeof path, "%s/%s", home ? home : "", name);
    add_path(secrets, value ? value : fits ? path : NULL);
}

/* Up to the next parameter, with each %HH of a URL as its byte. */
static void add_value(ChildSecrets *secrets, const char *value)
{
    static const char digits[] = "0123456789abcdef";
    const char *end = *value == '\'' ? "'" : "& ";
    char path[PATH_MAX];
    size_t len = 0;
    for (value += *value == '\''; *value && !strchr(end, *value) && len < sizeof path - 1; len++) {
        const char *high = value[1] ? strchr(digits, tolower((unsigned char)value[1])) : NULL;
        const char *low =
            high && value[2] ? strchr(digits, tolower((unsigned char)value[2])) : NULL;
        bool is_escape = *value == '%' && low;
        path[len] = is_escape ? (char)((high - digits) * 16 + (low - digits)) : *value;
        value += is_escape ? 3 : 1;
    }
    path[len] = '\0';
    add_path(secrets, path);
}

static void add_named(ChildSecrets *secrets, const char *database)
{
    static const char *const parameters[] = { "passfile=", "sslkey=", "servicefile=" };
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++) {
        const char *at = strstr(database, parameters[i]);
        if (at)
            add_value(secrets, at + strlen(parameters[i]));
    }
}

void child_secrets_init(ChildSecrets *out, const char *config_file, const char *token_file,
                        const char *database)
{
    out->count = 0;
    add_path(out, config_file);
    add_path(out, token_file);
    add_path(out, getenv("CREDENTIALS_DIRECTORY"));
    if (geteuid() == 0)
        add_path(out, "/run/credentials"); /* of all services, the daemon's among them */
    add_at_home(out, "PGPASSFILE", ".pgpass");
    add_at_home(out, "PGSERVICEFILE", ".pg_service.conf");
    add_at_home(out, NULL, ".postgresql/postgresql.key");
    add_path(out, getenv("PGSSLKEY"));
    add_named(out, database ? database : "");
}
