/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon.h - the bot as a whole: makes all parts and connects them. One thread, one loop: the
 * account's event stream, the slots of games and challenges, a session for each game. */
#pragma once
#include "bot/config/settings.h"
#include "bot/config/token.h"
#include "bot/ops/exit_status.h"
#include "bot/ops/log.h"

/* How long to play. INT64_MAX: without an end. */
typedef struct {
    int64_t play_ms;   /* then no game begins any more, and those that run are finished … */
    int64_t finish_ms; /* … for so long; what still runs then stays resumable */
    bool term_drains;  /* the first SIGTERM says that the time is over */
} PlayTime;

/* `config` was read from `path`, and is read from there again at each SIGHUP. Plays until SIGTERM
 * or SIGINT (then games stay resumable, where SIGTERM does not drain), until `time` is over, or
 * until only the operator can help. No game begins that should take longer than there is time for.
 * Erases the token as soon as it was handed on. `record_file` gets the server's streams
 * (recording.h) and is closed; -1: none. */
ExitStatus daemon_run(Config *config, const char *path, Token *token, Log *log, int record_file,
                      PlayTime time);
