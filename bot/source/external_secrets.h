/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_secrets.h - the files that an external engine may not read: where the token lies, the
 * configuration, which says where the token goes, and PostgreSQL's passwords. A plain value. */
#pragma once
#include <limits.h>
#include <stddef.h>

enum { EXTERNAL_SECRETS_MAX = 5 };

typedef struct {
    char paths[EXTERNAL_SECRETS_MAX][PATH_MAX];
    char reals[EXTERNAL_SECRETS_MAX][PATH_MAX]; /* of each; "": it was not there, see sandbox.h */
    size_t count;
} ExternalSecrets;

/* Both files, either of which may be NULL or "", and systemd's credentials, where it keeps some for
 * us (for root: all), and the file in which libpq looks for passwords. Whether they are there does
 * not matter; where they are is noted. */
void external_secrets_init(ExternalSecrets *out, const char *config_file, const char *token_file);
