/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/margins.h"

#include "tests/support/unit.h"

enum { DEPTHS = 128, MOVES = 128 };

static const Params *defaults(void)
{
    static const Params params = PARAMS_DEFAULT_VALUES;
    return &params;
}

TEST(later_moves_and_deeper_nodes_are_reduced_no_less)
{
    for (int depth = 1; depth < DEPTHS; depth++)
        for (int number = 1; number < MOVES; number++) {
            int here = margin_reduction(defaults(), depth, number);
            if (margin_reduction(defaults(), depth + 1, number) < here ||
                margin_reduction(defaults(), depth, number + 1) < here)
                fail_msg("depth %d, move %d", depth, number);
        }
}

TEST(reductions_follow_the_logarithms)
{
    const Params params = { .lmr_base = 800, .lmr_scale = 430 };
    static const struct {
        int depth, number, expected; /* base + ln depth * ln number * scale, in 1/1024 plies */
    } rows[] = {
        { 1, 1, 800 }, { 1, 30, 800 }, { 3, 10, 1888 }, { 12, 20, 4002 }, { 30, 40, 6197 }
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int got = margin_reduction(&params, rows[i].depth, rows[i].number);
        if (abs(got - rows[i].expected) > 20)
            fail_msg("depth %d, move %d: %d", rows[i].depth, rows[i].number, got);
    }
}

TEST(an_improving_side_gets_more_moves_and_a_smaller_margin)
{
    for (int depth = 1; depth < DEPTHS; depth++) {
        assert_true(margin_late_move_count(defaults(), depth, true) >=
                    margin_late_move_count(defaults(), depth, false));
        const FutilityFacts worse = { .depth = depth },
                            better = { .depth = depth, .improving = true };
        assert_true(margin_reverse_futility(defaults(), &better) <=
                    margin_reverse_futility(defaults(), &worse));
        assert_true(margin_late_move_count(defaults(), depth + 1, false) >=
                    margin_late_move_count(defaults(), depth, false));
    }
}

TEST(the_margin_follows_what_is_known_of_the_node)
{
    const Params params = { .rfp_margin = 60,
                            .rfp_improving = 50,
                            .rfp_worsening = 9,
                            .rfp_tt_pv = 33,
                            .rfp_correction = 8 };
    static const struct {
        FutilityFacts facts;
        int expected;
    } rows[] = {
        { { .depth = 3 }, 180 },
        { { .depth = 3, .improving = true }, 130 },
        { { .depth = 3, .worsening = true }, 171 },
        { { .depth = 3, .tt_pv = true }, 213 },
        { { .depth = 3, .correction = 40 }, 200 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int got = margin_reverse_futility(&params, &rows[i].facts);
        if (got != rows[i].expected)
            fail_msg("row %zu: %d", i, got);
    }
}

TEST(null_moves_are_reduced_more_with_depth_and_surplus_up_to_a_limit)
{
    const Params *p = defaults();
    assert_int_equal(margin_null_reduction(p, 8, 0), p->null_base + 8 / p->null_divisor);
    assert_int_equal(margin_null_reduction(p, 8, p->null_eval_divisor),
                     margin_null_reduction(p, 8, 0) + 1);
    assert_int_equal(margin_null_reduction(p, 8, 20000),
                     margin_null_reduction(p, 8, 0) + p->null_eval_max);
}

TEST(bonuses_grow_with_depth_up_to_their_limits)
{
    const Params *p = defaults();
    for (int depth = 1; depth < DEPTHS; depth++) {
        assert_true(margin_history_bonus(p, depth) > 0);
        assert_true(margin_history_malus(p, depth) > 0);
        assert_true(margin_history_bonus(p, depth + 1) >= margin_history_bonus(p, depth));
        assert_true(margin_history_malus(p, depth + 1) >= margin_history_malus(p, depth));
    }
    assert_int_equal(margin_history_bonus(p, DEPTHS), p->bonus_max);
    assert_int_equal(margin_history_malus(p, DEPTHS), p->malus_max);
}

TEST(an_advantage_is_scaled_by_the_numbers_of_material_and_of_the_fifty_moves)
{
    Params p = *defaults();
    p.material_scale = 1024;
    p.fifty_scale = 110;
    assert_int_equal(margin_eval(&p, 200, MARGIN_MATERIAL, 50), 150);
    assert_int_equal(margin_eval(&p, 200, MARGIN_MATERIAL + MARGIN_MATERIAL_START / 2, 0), 300);
    assert_int_equal(margin_eval(&p, -200, MARGIN_MATERIAL - MARGIN_MATERIAL_START / 2, 50), -75);
}

TEST(an_advantage_counts_more_with_pieces_and_less_near_the_fifty_moves)
{
    const Params *p = defaults();
    assert_int_equal(margin_eval(p, 200, MARGIN_MATERIAL, 0), 200);
    assert_true(margin_eval(p, 200, MARGIN_MATERIAL_START, 0) > 200);
    assert_true(margin_eval(p, 200, 0, 0) < 200);
    assert_true(margin_eval(p, 200, MARGIN_MATERIAL, 60) <
                margin_eval(p, 200, MARGIN_MATERIAL, 20));
    assert_int_equal(margin_eval(p, 200, 0, 500), margin_eval(p, 200, 0, 100));
    for (int material = 0; material <= 2 * MARGIN_MATERIAL_START; material++)
        for (int halfmoves = 0; halfmoves <= 100; halfmoves++) {
            int eval = margin_eval(p, 20000, material, halfmoves); /* the most there is */
            assert_in_range(eval, 1, 40000);
            assert_int_equal(margin_eval(p, -20000, material, halfmoves), -eval);
        }
}
