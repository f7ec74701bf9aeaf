/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown.h - what others wrote, on the operator's terminal: answers of the control socket, words of
 * the server, names in the archive, messages of libraries. Only through here does it get there
 * (tests/checks/terminal.py); printable.h says what becomes of it. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdio.h>

enum { SHOWN_SIZE = 1024 };

/* Cut where it is longer. */
typedef struct {
    char text[SHOWN_SIZE];
} Shown;

/* To be printed at once: printf("%s", shown(name).text). */
Shown shown(Text text);
Shown shown_error(const Error *err);

/* A line of JSON and its newline. What it means stays as it is: what must not reach a terminal is
 * escaped as JSON does. */
void shown_json(FILE *out, const char *json);
