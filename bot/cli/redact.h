/* SPDX-License-Identifier: GPL-3.0-or-later */
/* redact.h - text made fit for strangers' eyes: what `castled report` writes passes through here.
 * Pure: any thread. */
#pragma once
#include "engine/base/text.h"

#include <stdio.h>

/* What must not be seen, each NULL or "" where there is none. Lent. */
typedef struct {
    const char *token; /* replaced wherever it stands */
    const char *home;  /* the operator's home directory, for it may hold a name: becomes ~ */
    const char *host;  /* the machine's name; replaced where it stands as a word */
} Secrets;

/* Writes the text line by line, printable (see printable.h) and without secrets, nor anything that
 * looks like a token of Lichess's. A line of more than REDACT_LINE_MAX bytes is cut at a blank. */
enum { REDACT_LINE_MAX = 4000 };
void redact_text(FILE *out, const Secrets *secrets, Text text);
