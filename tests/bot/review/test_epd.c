/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/review/epd.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

/* 1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7#: Black's third move loses at once. */
static void make_game(GameRecord *game, PositionEval evals[8])
{
    record_make(game, "Qw8rTy2u", "alba", "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7");
    for (int i = 0; i < 8; i++)
        evals[i] = (PositionEval){ .score = i < 6 ? 20 : SCORE_MATE - 1, .depth = 20 };
    memcpy(evals[5].best, "g7g6", 5);
}

TEST(a_mistake_is_a_line_with_the_better_move)
{
    GameRecord game;
    PositionEval evals[8];
    MoveLoss loss;
    Buf out;
    make_game(&game, evals);
    buf_init(&out, EPD_LINE_MAX);
    assert_int_equal(find_losses(&game, evals, BLACK, &loss, 1), 1);
    assert_true(epd_write(&game, evals, &loss, &out));
    assert_string_equal(
        buf_view(&out),
        "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - bm g6; am "
        "Nf6; id \"Qw8rTy2u 3... Nf6\"; c0 \"blunder, cause: chess, lost 46 %\";\n");
    buf_release(&out);
    record_release(&game);
}

TEST(without_a_best_move_the_line_has_none)
{
    static const char *const unknown[] = { "", "a1a8" };
    for (int i = 0; i < 2; i++) {
        GameRecord game;
        PositionEval evals[8];
        MoveLoss loss;
        Buf out;
        make_game(&game, evals);
        (void)find_losses(&game, evals, BLACK, &loss, 1);
        memcpy(evals[5].best, unknown[i], strlen(unknown[i]) + 1);
        buf_init(&out, EPD_LINE_MAX);
        assert_true(epd_write(&game, evals, &loss, &out));
        assert_null(strstr(buf_view(&out), " bm "));
        assert_non_null(strstr(buf_view(&out), " - am Nf6;"));
        buf_release(&out);
        record_release(&game);
    }
}

TEST(a_move_that_no_rules_reach_has_no_line)
{
    GameRecord game;
    PositionEval evals[8];
    MoveLoss loss;
    Buf out;
    make_game(&game, evals);
    (void)find_losses(&game, evals, BLACK, &loss, 1);
    memcpy(game.moves[1].uci, "e7e1", 5);
    buf_init(&out, EPD_LINE_MAX);
    assert_false(epd_write(&game, evals, &loss, &out));
    buf_release(&out);
    record_release(&game);
}
