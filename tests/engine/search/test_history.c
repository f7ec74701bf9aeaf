/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/history.h"

#include "tests/support/chess.h"
#include "tests/support/unit.h"

static History *empty_history(void)
{
    static History history;
    history_clear(&history);
    return &history;
}

static ContinuationHistory *after(History *history, PieceType type, Square to)
{
    return history_continuation_after(history, piece_make(BLACK, type), to);
}

static HistoryView view_of(History *history, ContinuationHistory *last)
{
    ContinuationHistory *nothing = &history->continuation[CONTINUATION_NONE];
    return (HistoryView){ .history = history,
                          .params = &PARAMS_DEFAULT,
                          .has_threats = true,
                          .continuation = { last, nothing, nothing } };
}

TEST(a_bonus_raises_a_move_and_a_malus_lowers_it)
{
    History *history = empty_history();
    HistoryView view = view_of(history, after(history, KNIGHT, SQUARE_COUNT - 1));
    Position pos = position_of(FEN_START);
    Move m = move_of(&pos, "g1f3"), other = move_of(&pos, "b1c3");
    history_update_quiet(&view, &pos, m, 500);
    int raised = history_quiet(&view, &pos, m);
    assert_true(raised > 0);
    assert_int_equal(history_quiet(&view, &pos, other), 0);
    history_update_quiet(&view, &pos, m, -500);
    assert_true(history_quiet(&view, &pos, m) < raised);
}

TEST(no_number_of_bonuses_leaves_the_range)
{
    History *history = empty_history();
    HistoryView view = view_of(history, after(history, KNIGHT, 0));
    Position pos = position_of(FEN_START);
    Move m = move_of(&pos, "g1f3");
    for (int i = 0; i < 1000; i++)
        history_update_quiet(&view, &pos, m, HISTORY_MAX);
    int16_t entry = (*view.continuation[0])[WHITE][KNIGHT][move_to(m)];
    assert_in_range(entry, HISTORY_MAX - 1, HISTORY_MAX);
    for (int i = 0; i < 1000; i++)
        history_update_quiet(&view, &pos, m, -HISTORY_MAX);
    entry = (*view.continuation[0])[WHITE][KNIGHT][move_to(m)];
    assert_in_range(-entry, HISTORY_MAX - 1, HISTORY_MAX);
}

TEST(an_unrefuted_move_is_remembered_after_the_move_before_it)
{
    History *history = empty_history();
    ContinuationHistory *before = after(history, PAWN, 36);
    Position pos = position_of("rnbqkbnr/pppp1ppp/8/4p3/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 2");
    history_update_continuation(before, &pos, move_to(move_of(&pos, "e5e4")), 700);
    assert_int_equal((*before)[BLACK][PAWN][28], 0); /* nobody stands there */
    history_update_continuation(before, &pos, 21, 700);
    assert_int_equal((*before)[WHITE][KNIGHT][21], 700);
}

TEST(corrections_add_up_over_what_positions_have_in_common)
{
    History *history = empty_history();
    const CorrectionWeights weights = { .pawn = 512, .minor = 256 };
    Position pos = position_of(FEN_START);
    PieceKeys pieces = piece_keys_of(&pos), other = pieces;
    other.minor++;
    history_update_correction(history, &pos, &pieces, 400);
    assert_int_equal(history_correction(history, &pos, &pieces, &weights), 300);
    assert_int_equal(history_correction(history, &pos, &other, &weights), 200);
}
