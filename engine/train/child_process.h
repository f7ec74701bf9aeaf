/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_process.h - a program of somebody else's that is asked and answers in lines of text,
 * through pipes. Calls block; owner's thread only. The child has a process group of its own, so
 * that Ctrl-C in a terminal reaches us alone; it sees the end of its input when we are gone.
 *
 * Time counts only while the child can run: nobody is given up for having been stopped (SIGSTOP)
 * for minutes, the child or we. */
#pragma once
#include "engine/base/text.h"
#include "engine/base/error.h"

typedef struct ChildProcess ChildProcess;

enum {
    CHILD_LINE_MAX = 16384, /* bytes */
    CHILD_ARGS_MAX = 8,
};

typedef enum {
    CHILD_STDOUT, /* what it writes to standard output is read; the other is dropped */
    CHILD_STDERR,
} ChildOutput;

/* Starts args[0] (searched in PATH) with the arguments up to a NULL, at most CHILD_ARGS_MAX. It may
 * keep us waiting `silence_s` seconds. */
bool child_process_new(ChildProcess **out, const char *const *args, ChildOutput output,
                       int silence_s, Error *err) MUST_CHECK;

/* Kills the child, if it still runs, and waits for its end. NULL is fine. */
void child_process_free(ChildProcess *child);

/* Writes all bytes. False and an Error when the child is gone or takes nothing. */
bool child_process_write(ChildProcess *child, Text bytes, Error *err) MUST_CHECK;

typedef enum {
    CHILD_LINE,
    CHILD_END,    /* it closed its output */
    CHILD_FAILED, /* silent for too long, a line without end; the Error says which */
} ChildStep;

/* The next line without its end, lent until the next call. */
ChildStep child_process_read(ChildProcess *child, Text *line, Error *err) MUST_CHECK;
