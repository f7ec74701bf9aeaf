/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_lines.h - the lines of a game's stream, in order, into its record. Pure. */
#pragma once
#include "bot/lichess/event.h"
#include "bot/model/record.h"

/* `us`: our colour in the game. */
void record_read_full(GameRecord *record, const GameFull *full, Colour us);
void record_read_state(GameRecord *record, const GameState *state);
