/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/training_games.h"

#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "tests/support/unit.h"

ArchivedGame training_game_of(const char *fen, const char *moves, uint8_t result)
{
    ArchivedGame game = { .ply_count = 0 };
    Position pos;
    Undo undo;
    Error err = { 0 };
    if (!fen_read(&pos, fen, FEN_STRICT, NULL, &err))
        fail_msg("%s: %s", fen, err.text);
    game.start = packed_position_of(&pos);
    game.start.flags |= PACKED_FIRST_OF_GAME;
    game.start.result = result;
    for (const char *at = moves; *at;) {
        size_t len = strcspn(at, ": "), score_len = strcspn(at + len, " ");
        ArchivedPly *ply = &game.plies[game.ply_count++];
        if (!uci_move_match(&pos, at, len, &ply->move, &err))
            fail_msg("%s", err.text);
        ply->score = ARCHIVE_RANDOM_MOVE;
        if (score_len > 0)
            ply->score = at[len + 1] == '?' ? ARCHIVE_NO_SCORE : (int16_t)atol(at + len + 1);
        position_make(&pos, ply->move, &undo);
        at += len + score_len;
        at += *at == ' ';
    }
    return game;
}
