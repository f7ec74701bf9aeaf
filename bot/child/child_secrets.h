/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_secrets.h - the files that a program of ours may not read: where the token lies, the
 * configuration, which says where the token goes, and PostgreSQL's passwords and keys. A plain
 * value. */
#pragma once
#include <limits.h>
#include <stddef.h>

enum { CHILD_SECRETS_MAX = 12 };

typedef struct {
    char paths[CHILD_SECRETS_MAX][PATH_MAX];
    char reals[CHILD_SECRETS_MAX][PATH_MAX]; /* of each; "": it was not there, see sandbox.h */
    size_t count;
} ChildSecrets;

/* Notes where they are: both files, and systemd's credentials, where it keeps some for us (for
 * root: all). Then the files in which libpq looks for passwords and keys, those among them that
 * `database` names, the archive's address. Each may be NULL or "", and need not be there. */
void child_secrets_init(ChildSecrets *out, const char *config_file, const char *token_file,
                        const char *database);
