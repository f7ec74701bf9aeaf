/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/blend.h"

#include "engine/eval/classical/classical.h"
#include "tests/chess.h"

/* A queen more for White, and the same position with colours exchanged. */
static const char *const fens[] = {
    "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR b KQkq - 0 1",
};

static PackedPosition record_of(const char *fen, int16_t score)
{
    Position pos = position_of(fen);
    PackedPosition packed = packed_position_of(&pos);
    packed.score = score;
    return packed;
}

static void evaluation_counts_for_white_and_by_its_share(void **state)
{
    (void)state;
    Position pos = position_of(fens[0]);
    int full = classical_evaluate(&pos, NULL) * PACKED_SCORE_LOGIT / BLEND_LOGIT;
    static const int percents[] = { 0, 50, 100 };
    for (int i = 0; i < 3; i++) {
        PackedPosition white = record_of(fens[0], 100), black = record_of(fens[1], -100);
        int expected = (100 * (100 - percents[i]) + full * percents[i]) / 100;
        blend_scores(&white, 1, percents[i]);
        blend_scores(&black, 1, percents[i]);
        assert_int_equal(white.score, expected);
        assert_int_equal(black.score, -expected);
    }
    assert_true(full > 500);
}

static void illegal_positions_keep_their_score(void **state)
{
    (void)state;
    PackedPosition packed = record_of(fens[0], 100);
    packed.flags ^= PACKED_BLACK_TO_MOVE;
    packed.en_passant = 3;
    blend_scores(&packed, 1, 100);
    assert_int_equal(packed.score, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluation_counts_for_white_and_by_its_share),
        cmocka_unit_test(illegal_positions_keep_their_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
