/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shards of games: whatever their bytes, what is read are legal games, which can be labelled. */
#include "engine/train/game_positions.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static ArchivedGame game;
    static GamePosition positions[ARCHIVE_PLIES_MAX];
    ShardHeader header;
    size_t used;
    if (shard_header_read(&header, data, size, NULL)) {
        char name[ARCHIVE_NAME_SIZE];
        if (!shard_name(&header, name, NULL))
            abort();
        data += ARCHIVE_HEADER_SIZE;
        size -= ARCHIVE_HEADER_SIZE;
    }
    while (archive_game_read(&game, &used, data, size, NULL) == ARCHIVE_GAME) {
        if (used > size || game.ply_count > ARCHIVE_PLIES_MAX)
            abort();
        game_positions(positions, &game, LABEL_SMOOTH);
        for (int i = 0; i < game.ply_count; i++) {
            if (abs(positions[i].score) > ARCHIVE_SCORE_MAX || positions[i].men > 32)
                abort();
        }
        data += used;
        size -= used;
    }
    return 0;
}
