/* SPDX-License-Identifier: GPL-3.0-or-later */
/* show_config.h - the configuration as it holds, in the file's own form, with where each value
 * comes from behind it: "elo = 0 ; default; changed by [rule beginners]". */
#pragma once
#include "bot/config/config.h"

#include <stdio.h>

/* All lent. */
typedef struct {
    const Config *config;
    const char *path;  /* of its file, */
    const int *lines;  /* and config_load_lines()'s of it */
    const char *token; /* in words where it was found, or why it was not; not the token */
} ConfigView;

/* Passwords are not shown. */
void show_config(FILE *out, const ConfigView *view);
