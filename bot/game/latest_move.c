/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/latest_move.h"

#include <string.h>

void latest_move_take(LatestMove *latest, const Scoresheet *sheet, const Note *note)
{
    const MoveChoice *choice = &note->choice;
    latest->choice = *choice;
    memcpy(latest->san, note->san, sizeof latest->san);
    latest->reply_san[0] = '\0';
    latest->has_from = sheet->position.ply + 1 == (uint32_t)note->ply;
    if (!latest->has_from)
        return;
    latest->from = sheet->position;
    if (choice->reply == MOVE_NONE)
        return;
    Position after = sheet->position;
    Undo undo;
    position_make(&after, choice->move, &undo);
    san_write(&after, choice->reply, latest->reply_san);
}

const Position *latest_move_from(const LatestMove *latest)
{
    return latest->has_from ? &latest->from : NULL;
}
