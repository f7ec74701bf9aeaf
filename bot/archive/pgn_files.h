/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pgn_files.h - finished games as PGN files that nobody has to ask for: DIRECTORY/DATE-ID.pgn, one
 * a game, whole or not there.
 *
 * A file is written by a job on the loop's pool. A disk that is full or can't be written delays
 * nothing: it is logged once, its games are tried again each minute, and once more at the end.
 * Beyond PGN_FILES_WAITING the oldest ones give way; the archive has them. Loop thread only. */
#pragma once
#include "bot/model/record.h"
#include "bot/ops/log.h"

#include <uv.h>

enum { PGN_FILES_WAITING = 256 };

typedef struct PgnFiles PgnFiles;

/* `directory` is made when the first game needs it. `site`: the server's URL, for links. `log` is
 * lent until all has closed. */
bool pgn_files_new(PgnFiles **out, uv_loop_t *loop, const char *directory, const char *site,
                   Log *log, Error *err) MUST_CHECK;

/* Takes a copy. NULL is fine: no files are wanted. */
void pgn_files_add(PgnFiles *files, const GameRecord *record);

/* Tries to write what waits once more; the memory goes when that is done. NULL is fine. */
void pgn_files_close(PgnFiles *files);
