/* SPDX-License-Identifier: GPL-3.0-or-later */
/* daemon_games.h - whether the running daemon plays, for work that is to leave the cores to it.
 * Blocking. */
#pragma once
#include "bot/config/config.h"

/* Does the daemon of this configuration play a game that may need the cores? A correspondence game
 * that waits for its opponent needs none. True also where the daemon has no time to answer; false
 * where none runs, or its control socket is off or not for us. */
bool daemon_games_run(const Config *config);
