/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rematches.h - how many rematches in a row a game is, as facts (FACT_REMATCH) that outlive the
 * process for a day. An offer has the id of the game that it would become. Loop thread only. */
#pragma once
#include "bot/archive/archive.h"
#include "bot/lichess/event.h"

/* In a row, up to the game of which `challenge` offers a rematch; 0: it is none, or its first. */
int rematches_before(const Archive *archive, const Challenge *challenge);

/* The challenge is wanted, and may become a game. */
void rematches_note(Archive *archive, const Challenge *challenge);

/* Is this game a rematch? */
bool rematches_has(const Archive *archive, const char *game_id);
