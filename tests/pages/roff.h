/* SPDX-License-Identifier: GPL-3.0-or-later */
/* roff.h - writes a manual page in mdoc, the language of mandoc(1) and groff: escapes text, and
 * puts each sentence on its own line, which is mdoc's style. Appends to a Buf; false when it is
 * full.
 * After: mdoc(7), mandoc_char(7). */
#pragma once
#include "engine/base/buf.h"

/* A line of macros as it is: ".Sh NAME". */
bool roff_line(Buf *out, const char *line) MUST_CHECK;

/* ".MACRO" with arguments that are text: none of them is read as a macro. NULL ends them. */
bool roff_macro(Buf *out, const char *macro, const char *const *arguments) MUST_CHECK;

/* Running text. */
bool roff_text(Buf *out, const char *text) MUST_CHECK;
