/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ini_reader.h - INI text in, (line, section, key, value) out.
 *
 * A line is "[section]", "key = value", or empty. "; comment" and "# comment" are lines; " ;"
 * begins a comment behind something else. Blanks around names and values do not count, and an
 * indented line is a line of its own, never a continuation. Pure. */
#pragma once
#include <stddef.h>

enum { INI_LINE_LONGEST = 4000, INI_SECTION_LONGEST = 100 }; /* bytes */

/* Stands for the section after a [section] line that could not be read: its keys still come. */
#define INI_SECTION_BROKEN "?"

/* Texts are lent for the call. Lines count from 1. */
typedef struct {
    void (*on_section)(void *user, int line, const char *section);
    void (*on_key)(void *user, int line, const char *section, const char *key, const char *value);
    void (*on_problem)(void *user, int line, const char *message);
    void *user;
} IniCallbacks;

/* Reads all of text[0..len). Lines with problems are reported and skipped. */
void ini_read(const char *text, size_t len, const IniCallbacks *callbacks);
