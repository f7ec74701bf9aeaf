/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_process.h - an engine's process: lines in and out, and a sure end.
 *
 * It runs in a session of its own at a lower priority, without our secrets in its environment, and
 * ends when we die, in any way (external_launch.h). Its end is final: nothing comes after on_end,
 * and nothing that it has started is left. What it writes is bounded in length and speed. Loop
 * thread only. */
#pragma once
#include "bot/source/external_command.h"
#include "bot/source/external_secrets.h"
#include "engine/base/text.h"

#include <uv.h>

typedef struct ExternalProcess ExternalProcess;

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
} ExternalCallbacks;

/* Starts a program that external_command_find() has found. `secrets` are kept from it as
 * sandbox.h says, and so is what of our environment no engine needs; NULL: it runs unconfined. */
bool external_process_new(ExternalProcess **out, uv_loop_t *loop, const ExternalCommand *command,
                          const ExternalSecrets *secrets, const ExternalCallbacks *callbacks,
                          Error *err) MUST_CHECK;

/* Writes text. One that does not read what we write is ended, by on_end from the loop. */
void external_process_say(ExternalProcess *process, Text text);

/* Nothing more will be said: it reads the end of its input. */
void external_process_end_input(ExternalProcess *process);

/* Within on_end: its exit status; -1: it did not exit by itself. */
int external_process_status(const ExternalProcess *process);

/* Kills it with all that it has started. No callback comes any more; the memory goes when it has
 * been reaped. */
void external_process_close(ExternalProcess *process);

/* The same, but with "quit" first, and a little time to end by itself. */
void external_process_quit(ExternalProcess *process);

/* Of the process that watches the engine; the engine is its only child. */
int external_process_id(const ExternalProcess *process);
