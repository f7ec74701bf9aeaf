/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/source/external_secrets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path that is too long can't be opened by anyone. */
static void add(ExternalSecrets *secrets, const char *path)
{
    size_t len = path ? strlen(path) : 0;
    if (len == 0 || len >= sizeof secrets->paths[0])
        return;
    memcpy(secrets->paths[secrets->count], path, len + 1);
    if (!realpath(path, secrets->reals[secrets->count]))
        secrets->reals[secrets->count][0] = '\0';
    secrets->count++;
}

void external_secrets_init(ExternalSecrets *out, const char *config_file, const char *token_file)
{
    out->count = 0;
    add(out, config_file);
    add(out, token_file);
    add(out, getenv("CREDENTIALS_DIRECTORY"));
    if (geteuid() == 0)
        add(out, "/run/credentials"); /* of all services, the daemon's among them */
    const char *passwords = getenv("PGPASSFILE"), *home = getenv("HOME");
    char of_home[PATH_MAX];
    int len = snprintf(of_home, sizeof of_home, "%s/.pgpass", home ? home : "");
    add(out, passwords ? passwords : len > 0 && (size_t)len < sizeof of_home ? of_home : NULL);
}
