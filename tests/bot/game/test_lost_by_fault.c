/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/game/lost_by_fault.h"
#include "tests/support/unit.h"

TEST(only_losses_off_the_board_are_faults)
{
    static const struct {
        const char *name;
        GameStatus status;
        Colour winner;
        bool has_resigned, is_fault;
    } rows[] = {
        { "mated", STATUS_MATE, BLACK, false, false },
        { "our flag fell", STATUS_OUTOFTIME, BLACK, false, true },
        { "theirs did", STATUS_OUTOFTIME, WHITE, false, false },
        { "a draw, as they had nothing to mate with", STATUS_OUTOFTIME, COLOUR_NONE, false, false },
        { "claimed as we seemed to have left", STATUS_TIMEOUT, BLACK, false, true },
        { "no first move of ours", STATUS_NO_START, BLACK, false, true },
        { "aborted", STATUS_ABORTED, COLOUR_NONE, false, false },
        { "we resigned", STATUS_RESIGN, BLACK, true, false },
        { "somebody resigned for us", STATUS_RESIGN, BLACK, false, true },
        { "they resigned", STATUS_RESIGN, WHITE, false, false },
        { "called cheating", STATUS_CHEAT, BLACK, false, true },
        { "lost for a reason of tomorrow", STATUS_UNKNOWN_FINISH, BLACK, false, true },
        { "three checks", STATUS_VARIANT_END, BLACK, false, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Game game = { .us = WHITE,
                            .status = rows[i].status,
                            .winner = rows[i].winner,
                            .has_resigned = rows[i].has_resigned };
        if ((lost_by_fault(&game) != NULL) != rows[i].is_fault)
            fail_msg("%s", rows[i].name);
    }
}
