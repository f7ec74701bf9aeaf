/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/initial_position.h"

#include "engine/core/fen.h"

#include <ctype.h>

static_assert((int)FEN_SIZE <= (int)MOVE_REQUEST_FEN_SIZE, "every position of ours can be ordered");

/* By our rules: what the board contradicts is dropped, since the game exists. */
static bool read_chess(Scoresheet *sheet, char fen[MOVE_REQUEST_FEN_SIZE], Variant variant,
                       int *dropped, Error *err)
{
    Position initial;
    if (!fen_read(&initial, fen[0] ? fen : FEN_START, FEN_LENIENT, dropped, err)) {
        error_prefix(err, "initial FEN \"%s\"", fen);
        return false;
    }
    if (variant == VARIANT_CHESS960)
        initial.rules.chess960 = true;
    scoresheet_init(sheet, &initial);
    if (fen[0])
        fen_write(&initial, fen);
    return true;
}

/* It goes to an engine as it is, so it must not hold more than one line. */
static bool read_other(Scoresheet *sheet, const char *fen, Error *err)
{
    for (const char *c = fen; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr(" /[]+~-", *c)) {
            error_set(err, ERR_INVALID, "initial FEN holds what no FEN does");
            return false;
        }
    }
    const char *side = strchr(fen, ' ');
    scoresheet_init_text(sheet, side && side[1] == 'b' ? BLACK : WHITE);
    return true;
}

bool initial_position_read(Scoresheet *sheet, char fen[MOVE_REQUEST_FEN_SIZE], const GameFull *full,
                           uint32_t playable, int *dropped, Error *err)
{
    bool is_chess = variant_is_chess(full->variant);
    Text text = full->initial_fen;
    *dropped = 0;
    if (full->variant == VARIANT_UNKNOWN || (!is_chess && !(playable >> full->variant & 1))) {
        error_set(err, ERR_REFUSED, "variant %.*s is not one that an engine of ours plays",
                  TEXT_ARGS(full->variant_text));
        return false;
    }
    if (!text_copy(fen, MOVE_REQUEST_FEN_SIZE, text)) {
        error_set(err, ERR_RANGE, "initial FEN of %zu bytes", text.len);
        return false;
    }
    return is_chess ? read_chess(sheet, fen, full->variant, dropped, err)
                    : read_other(sheet, fen, err);
}
