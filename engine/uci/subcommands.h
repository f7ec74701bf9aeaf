/* SPDX-License-Identifier: GPL-3.0-or-later */
/* subcommands.h - what `castled-uci WORD …` does besides speaking UCI: one table for main(), help
 * and castled-uci(1). */
#pragma once
#include <stddef.h>

typedef struct {
    const char *name;
    int (*run)(int argc, char **argv); /* arguments after the name; returns the exit status */
    const char *words;                 /* that follow the name */
    const char *help;                  /* one line, without a full stop */
} Subcommand;

const Subcommand *subcommands_all(size_t *count);
