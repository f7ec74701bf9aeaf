/* SPDX-License-Identifier: GPL-3.0-or-later */
/* token.h - the secret that lets us play, from where the operator put it: the file `token` in
 * $CREDENTIALS_DIRECTORY (systemd) unless it is a blank, else $CASTLED_TOKEN, else the configured
 * file. Never put it into a log, an Error or an argument list; erase it as soon as it was handed
 * on. */
#pragma once
#include "engine/base/error.h"

enum { TOKEN_SIZE = 1025 }; /* with its NUL; Lichess promises less than 512 characters */

typedef struct {
    char text[TOKEN_SIZE]; /* [A-Za-z0-9_]+ */
    char source[200];      /* in words, for the log */
} Token;

/* `token_file` may be NULL or "". A file that group or others can read is refused. The variable
 * CASTLED_TOKEN is erased from our environment, used or not, and the process is guarded as by
 * token_guard_process(). */
bool token_load(Token *out, const char *token_file, Error *err) MUST_CHECK;

/* Writes it to a file that we alone can read, in place of what was there: `path` holds the old
 * token or the new one, whatever happens. The folder must be there. */
bool token_save(const char *path, const char *text, Error *err) MUST_CHECK;

void token_erase(Token *token);

/* From now on this process leaves no core dump, and only root reads its memory and environment: the
 * HTTP library's buffers hold copies of the token that cannot be erased. For callers that get a
 * token without token_load(). Programs that we start are not affected. */
void token_guard_process(void);

/* True if a token of Lichess's (lip_…, lio_…) stands in the text. */
bool token_is_in(const char *text);

/* Overwrites all such tokens with asterisks. */
void token_mask(char *text);
