/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/score_text.h"
#include "tests/support/unit.h"

TEST(a_score_has_one_form)
{
    static const struct {
        const char *name, *text;
        int score;
    } rows[] = {
        { .name = "even", .score = 0, .text = "+0.00" },
        { .name = "better", .score = 31, .text = "+0.31" },
        { .name = "worse by less than a tenth", .score = -7, .text = "-0.07" },
        { .name = "far worse", .score = -1250, .text = "-12.50" },
        { .name = "won by a tablebase", .score = SCORE_TABLEBASE - 3, .text = "+299.97" },
        { .name = "mate by the next move", .score = SCORE_MATE - 1, .text = "#1" },
        { .name = "mate by the one after it", .score = SCORE_MATE - 3, .text = "#2" },
        { .name = "mated by their next move", .score = -SCORE_MATE + 2, .text = "#-1" },
        { .name = "the longest mate", .score = SCORE_MATE_BOUND, .text = "#64" },
        { .name = "mated on the board", .score = -SCORE_MATE, .text = "mate" },
        { .name = "not known", .score = SCORE_NONE, .text = "" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[SCORE_TEXT_SIZE];
        if (strcmp(score_text(rows[i].score, text), rows[i].text) != 0)
            fail_msg("%s: %s", rows[i].name, text);
    }
}

TEST(a_mate_is_as_far_in_moves_as_in_plies)
{
    for (int moves = 1; moves <= MAX_PLY / 2; moves++) {
        assert_int_equal(score_mate_moves(score_of_mate(moves)), moves);
        assert_int_equal(score_mate_moves(score_of_mate(-moves)), -moves);
        assert_int_equal(score_of_mate(moves), SCORE_MATE - (2 * moves - 1));
        assert_int_equal(score_of_mate(-moves), -(SCORE_MATE - 2 * moves));
    }
    assert_int_equal(score_of_mate(0), -SCORE_MATE);
    assert_int_equal(score_of_mate(INT64_MAX), score_of_mate(MAX_PLY / 2));
    assert_int_equal(score_of_mate(INT64_MIN), score_of_mate(-MAX_PLY / 2));
    assert_int_equal(score_mate_moves(SCORE_NONE), 0);
    assert_int_equal(score_mate_moves(SCORE_TABLEBASE), 0);
}

int main(void)
{
    return run_all_tests();
}
