/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/record_lines.h"

#include <string.h>

void record_read_full(GameRecord *record, const GameFull *full, Colour us)
{
    memcpy(record->id, full->id, sizeof record->id);
    record->variant = full->variant;
    record->speed = full->speed;
    record->rated = full->rated;
    record->time = full->time;
    record->created_at_ms = full->created_at_ms;
    record->us = us;
    memcpy(record->players, full->players, sizeof record->players);
    text_copy(record->initial_fen, sizeof record->initial_fen, full->initial_fen);
    text_copy(record->tournament_id, sizeof record->tournament_id, full->tournament_id);
    record_read_state(record, &full->state);
}

void record_read_state(GameRecord *record, const GameState *state)
{
    record_take_moves(record, state->moves, state->time_ms);
}
