/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.h - assertions that release builds keep: those that prevent access beyond our memory, or to
 * a closed handle. The process ends with a line on standard error; the next start resumes its
 * games. Everything else is assert()'s. */
#pragma once
#include <stdio.h>
#include <stdlib.h>

__attribute__((noreturn, cold)) static inline void check_failed(const char *file, int line,
                                                                const char *condition)
{
    fprintf(stderr, "castled: fault at %s:%d: %s does not hold\n", file, line, condition);
    abort();
}

#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))
