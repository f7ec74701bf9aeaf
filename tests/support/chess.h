/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chess.h - positions and moves as a test writes them: FEN and UCI. What cannot be read fails the
 * test. */
#pragma once
#include "engine/core/fen.h"
#include "engine/core/uci_move.h"
#include "tests/support/unit.h"

static inline Position position_as(Ruleset ruleset, const char *fen, FenMode mode)
{
    Position pos;
    Error err = { 0 };
    if (!fen_read_as(&pos, ruleset, fen, mode, NULL, &err))
        fail_msg("%s: %s", fen, err.text);
    return pos;
}

static inline Position position_by(Ruleset ruleset, const char *fen)
{
    return position_as(ruleset, fen, FEN_STRICT);
}

static inline Position position_in(const char *fen, FenMode mode)
{
    return position_as(RULES_STANDARD, fen, mode);
}

static inline Position position_of(const char *fen)
{
    return position_in(fen, FEN_STRICT);
}

static inline Move move_of(const Position *pos, const char *uci)
{
    Move m = MOVE_NONE;
    Error err = { 0 };
    if (!uci_move_match(pos, uci, strlen(uci), &m, &err))
        fail_msg("%s: %s", uci, err.text);
    return m;
}

/* Makes the moves, separated by single blanks, and returns the last one. */
static inline Move play(Position *pos, const char *moves)
{
    Move m = MOVE_NONE;
    for (size_t len; *moves; moves += len + (moves[len] == ' ')) {
        char uci[8] = "";
        Undo undo;
        len = strcspn(moves, " ");
        assert_in_range(len, 1, sizeof uci - 1);
        memcpy(uci, moves, len);
        m = move_of(pos, uci);
        position_make(pos, m, &undo);
    }
    return m;
}
