/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/initial_position.h"

#include "bot/model/variant_start.h"

static_assert((int)FEN_SIZE <= (int)MOVE_REQUEST_FEN_SIZE, "every position of ours can be ordered");

bool initial_position_read(Scoresheet *sheet, char fen[MOVE_REQUEST_FEN_SIZE], const GameFull *full,
                           int *dropped, Error *err)
{
    Position initial;
    if (full->variant == VARIANT_UNKNOWN) {
        error_set(err, ERR_REFUSED, "variant %.*s is not one that our engine plays",
                  TEXT_ARGS(full->variant_text));
        return false;
    }
    if (!text_copy(fen, MOVE_REQUEST_FEN_SIZE, full->initial_fen)) {
        error_set(err, ERR_RANGE, "initial FEN of %zu bytes", full->initial_fen.len);
        return false;
    }
    /* What the board contradicts is dropped, since the game exists. */
    if (!variant_start_read(&initial, full->variant, fen, FEN_LENIENT, dropped, err)) {
        error_prefix(err, "initial FEN \"%s\"", fen);
        return false;
    }
    scoresheet_init(sheet, &initial);
    if (fen[0])
        fen_write(&initial, fen);
    return true;
}
