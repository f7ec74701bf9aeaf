/* SPDX-License-Identifier: GPL-3.0-or-later */
/* printable.h - what strangers wrote, made fit to be shown: in a log, on a terminal, in a report.
 *
 * Any bytes may come. Text in UTF-8 (RFC 3629) stays as it is, except what acts on the terminal or
 * the layout: controls, line and paragraph separators, and marks that turn, join or hide text
 * (bidirectional controls, zero widths, tags). Those become \n or \uHHHH, and bytes that are no
 * text \xHH. Pure: any thread. */
#pragma once
#include "engine/base/text.h"

#include <stdio.h>

enum { PRINTABLE_CHAR_SIZE = 12 };

typedef struct {
    char text[PRINTABLE_CHAR_SIZE]; /* what to show, without a NUL */
    size_t len;
    bool is_escaped; /* it is not what stood in the text */
} PrintableChar;

/* Takes the first character off a text that is not empty. */
PrintableChar printable_next(Text *text);

/* As many whole characters as fit, as a C string. */
void printable_copy(char *out, size_t size, Text text);

void printable_print(FILE *out, Text text);
