/* SPDX-License-Identifier: GPL-3.0-or-later */
/* child_process.h - a program that we run: lines in and out, and a sure end.
 *
 * It runs in a session of its own at a lower priority, without our secrets in its environment, and
 * ends when we die, in any way (child_launch.h). Its end is final: nothing comes after on_end,
 * and nothing that it has started is left. What it writes is bounded in length and speed. Loop
 * thread only. */
#pragma once
#include "bot/child/child_command.h"
#include "bot/child/child_secrets.h"
#include "engine/base/text.h"

#include <uv.h>

typedef struct ChildProcess ChildProcess;

typedef struct {
    /* A line of its standard output, lent for the call. NULL: it goes to nobody, and the process
     * may close it. */
    void (*on_line)(void *user, Text line);
    /* A line of its standard error, in printable characters, cut where it is very long; NULL: they
     * are thrown away. So are those beyond some hundred a second. */
    void (*on_error_line)(void *user, Text line);
    /* It has ended, or can't be talked to any more and was killed: why, for the operator. The
     * process is to be closed then. */
    void (*on_end)(void *user, const char *why);
    void *user;
} ChildCallbacks;

/* Starts a program that child_command_find() has found. `secrets` are kept from it as
 * sandbox.h says, and so is what of our environment no program needs; NULL: it runs unconfined. */
bool child_process_new(ChildProcess **out, uv_loop_t *loop, const ChildCommand *command,
                       const ChildSecrets *secrets, const ChildCallbacks *callbacks,
                       Error *err) MUST_CHECK;

/* Writes text. One that does not read what we write is ended, by on_end from the loop. */
void child_process_say(ChildProcess *process, Text text);

/* Nothing more will be said: it reads the end of its input. */
void child_process_end_input(ChildProcess *process);

/* Within on_end: its exit status; -1: it did not exit by itself. */
int child_process_status(const ChildProcess *process);

/* Kills it with all that it has started. No callback comes any more; the memory goes when it has
 * been reaped. */
void child_process_close(ChildProcess *process);

/* The same, but says `last` first, and gives it a little time to end by itself. */
void child_process_quit(ChildProcess *process, Text last);

/* Of the process that watches the program; the program is its only child. */
int child_process_id(const ChildProcess *process);
