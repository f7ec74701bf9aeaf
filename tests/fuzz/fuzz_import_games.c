/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games with scores as text: whatever the bytes, what is read is in range. */
#include "engine/train/import_games.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ArchivedGame game;
    Text line = { (const char *)data, size };
    if (!import_game_read(&game, line, NULL))
        return 0;
    for (int i = 0; i < game.ply_count; i++) {
        int value = game.plies[i].score;
        if (abs(value) > ARCHIVE_SCORE_MAX && value != ARCHIVE_RANDOM_MOVE &&
            value != ARCHIVE_NO_SCORE)
            abort();
    }
    return 0;
}
