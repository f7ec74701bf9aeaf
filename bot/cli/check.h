/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - what can be said about an installation without playing, in plain words: a line for each
 * thing looked at. For `castled check` and `castled report`. */
#pragma once
#include "bot/cli/command.h"

#include <stdio.h>

typedef enum { CHECK_OK, CHECK_WARNING /* soon wrong */, CHECK_WRONG } CheckMark;

/* One line: "ok     token          CASTLED_TOKEN". `words` may come from strangers. */
void check_say(FILE *out, CheckMark mark, const char *what, const char *words);

/* Asks the configured server who the token's owner is; says whether the server answers and whether
 * that account may play. Takes as long as that takes: up to the request's timeout. */
ExitStatus check_server(FILE *out, const Config *config, const char *token);
