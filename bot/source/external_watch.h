/* SPDX-License-Identifier: GPL-3.0-or-later */
/* external_watch.h - watches the files of an external engine's command: a job on the pool looks at
 * them twice a second (I3). The first are told at once, new ones when they have been at rest from
 * one look to the next, so that half a copy is none. Loop thread only. */
#pragma once
#include "bot/source/external_file.h"
#include "engine/base/error.h"

#include <uv.h>

typedef struct ExternalWatch ExternalWatch;

enum { EXTERNAL_WATCH_MS = 500 };

/* `on_file` comes with the first file that is there, and with each that differs from the one
 * before; with its hash, and what external_file_hold() gives, which is the owner's from then on. */
bool external_watch_new(ExternalWatch **out, uv_loop_t *loop, const ExternalConfig *config,
                        void (*on_file)(void *user, const ExternalFile *file, int held), void *user,
                        Error *err) MUST_CHECK;

/* From the next look on these arguments are not looked at; see ExternalFile. */
void external_watch_leave_out(ExternalWatch *watch, uint32_t arguments);

/* No more calls; the memory goes when the job has ended. NULL is fine. */
void external_watch_close(ExternalWatch *watch);
