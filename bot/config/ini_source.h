/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ini_source.h - INI text in, (line, section, key, value) out: inih behind a reader that counts
 * lines and refuses what inih 55 would mangle without a word: lines beyond 198 bytes, section names
 * beyond 49, bytes that no text has. Leading blanks are taken off, so that an indented line is a
 * line of its own and never a continuation. "; comment" and "# comment" lines; " ;" begins a
 * comment in a line. */
#pragma once
#include <stddef.h>

enum { INI_LINE_LONGEST = 198, INI_SECTION_LONGEST = 49 };

/* Stands for the section after a [section] line that could not be read: its keys still come. */
#define INI_SECTION_BROKEN "?"

typedef struct {
    void (*on_section)(void *user, int line, const char *section);
    void (*on_key)(void *user, int line, const char *section, const char *key, const char *value);
    void (*on_problem)(void *user, int line, const char *message);
    void *user;
} IniCallbacks;

/* Reads all of text[0..len). Lines with problems are reported and skipped. */
void ini_read(const char *text, size_t len, const IniCallbacks *callbacks);
