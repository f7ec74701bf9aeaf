/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/human_choice.h"
#include "tests/support/chess.h"
#include "tests/support/unit.h"

static int choose(const HumanMove moves[], int count, double beta, bool takes_likeliest,
                  uint64_t seed)
{
    const HumanLimit limit = { .beta = beta, .temperature = 1 };
    return human_choose(moves, count, &limit, takes_likeliest, seed);
}

TEST(the_network_alone_decides_without_beta)
{
    static const HumanMove moves[] = { { 0.2F, 300 }, { 0.5F, -300 }, { 0.3F, 0 } };
    assert_int_equal(choose(moves, 3, 0, true, 1), 1);
}

TEST(the_search_decides_more_with_more_beta)
{
    static const HumanMove moves[] = { { 0.2F, 300 }, { 0.5F, -300 }, { 0.3F, 0 } };
    int chosen = 1;
    for (double beta = 0; beta < 100; beta += 0.5) {
        int now = choose(moves, 3, beta, true, 1);
        /* From the likeliest over the middling to the best, and never back. */
        static const int order[] = { 2, 0, 1 };
        assert_true(order[now] >= order[chosen] - 2);
        chosen = now;
    }
    assert_int_equal(chosen, 0);
}

TEST(a_move_without_a_score_counts_as_the_worst)
{
    static const HumanMove moves[] = { { 0.45F, SCORE_NONE }, { 0.1F, -200 }, { 0.45F, 100 } };
    assert_int_equal(choose(moves, 3, 2, true, 1), 2);
    static const HumanMove none[] = { { 0.4F, SCORE_NONE }, { 0.6F, SCORE_NONE } };
    assert_int_equal(choose(none, 2, 5, true, 1), 1);
}

TEST(a_mate_is_the_most_that_can_be_gained)
{
    static const HumanMove moves[] = { { 0.99F, 900 }, { 0.01F, SCORE_MATE - 3 } };
    assert_int_equal(choose(moves, 2, 3, true, 1), 0);
    assert_int_equal(choose(moves, 2, 200, true, 1), 1);
}

TEST(draws_follow_the_weights_and_the_seed)
{
    static const HumanMove moves[] = { { 0.1F, 0 }, { 0.6F, 0 }, { 0.3F, 0 } };
    int count[3] = { 0 };
    for (uint64_t seed = 0; seed < 10000; seed++) {
        int drawn = choose(moves, 3, 5, false, seed);
        assert_int_equal(drawn, choose(moves, 3, 5, false, seed));
        count[drawn]++;
    }
    assert_in_range(count[0], 900, 1100);
    assert_in_range(count[1], 5850, 6150);
}

TEST(as_many_moves_as_a_position_may_have_are_weighed)
{
    static HumanMove moves[HUMAN_MOVES_MAX];
    for (int i = 0; i < HUMAN_MOVES_MAX; i++)
        moves[i] = (HumanMove){ i == 700 ? 0.5F : 0.0006F, SCORE_NONE };
    assert_int_equal(choose(moves, HUMAN_MOVES_MAX, 3, true, 1), 700);
    int drawn = choose(moves, HUMAN_MOVES_MAX, 3, false, 5);
    assert_in_range(drawn, 0, HUMAN_MOVES_MAX - 1);
}

TEST(a_low_temperature_draws_what_most_people_play)
{
    static const HumanMove moves[] = { { 0.1F, 0 }, { 0.6F, 0 }, { 0.3F, 0 } };
    const HumanLimit limit = { .temperature = 0.5 };
    int count[3] = { 0 };
    for (uint64_t seed = 0; seed < 10000; seed++)
        count[human_choose(moves, 3, &limit, false, seed)]++;
    assert_in_range(count[0], 150, 290); /* 1 : 36 : 9 */
    assert_in_range(count[1], 7600, 8050);
}

TEST(no_move_below_the_floor_is_played_but_where_all_are)
{
    static const HumanMove moves[] = { { 0.009F, 900 }, { 0.6F, 0 }, { 0.391F, -100 } };
    const HumanLimit limit = { .beta = 200, .temperature = 1, .floor = 0.01 };
    assert_int_equal(human_choose(moves, 3, &limit, true, 1), 1);
    HumanMove many[200];
    for (int i = 0; i < 200; i++)
        many[i] = (HumanMove){ i == 7 ? 0.006F : 0.004F, 0 };
    assert_int_equal(human_choose(many, 200, &limit, true, 1), 7);
}

TEST(stronger_people_calculate_more)
{
    for (HumanPrior prior = 0; prior < PRIOR_COUNT; prior++) {
        for (int likeliest = 0; likeliest <= 1; likeliest++) {
            assert_true(human_limit_for(0, prior, likeliest).beta == 0);
            HumanLimit last = human_limit_for(600, prior, likeliest);
            assert_true(last.beta > 0);
            for (int elo = 625; elo <= 2800; elo += 25) {
                HumanLimit limit = human_limit_for(elo, prior, likeliest);
                assert_true(limit.beta >= last.beta && limit.nodes >= last.nodes);
                assert_true(limit.temperature <= last.temperature);
                last = limit;
            }
            assert_true(last.beta >= 200 && last.nodes == 240000);
        }
    }
    assert_true(human_limit_for(600, PRIOR_OF_ALL_RATINGS, false).temperature == 6);
    assert_true(human_limit_for(0, PRIOR_OF_ALL_RATINGS, false).temperature ==
                human_limit_for(1500, PRIOR_OF_ALL_RATINGS, false).temperature);
    assert_true(human_limit_for(1900, PRIOR_OF_ONE_RATING, false).beta == 3);
    assert_int_equal(human_limit_for(1900, PRIOR_OF_ONE_RATING, false).nodes, 5000);
}

static HumanLimit in_ending(const char *fen, int best_score, int quiet_moves)
{
    Position pos = position_of(fen);
    HumanLimit limit = { .beta = 1, .floor = 0.01, .nodes = 1000, .lines = 12 };
    return human_limit_after(human_limit_in(limit, &pos), best_score, quiet_moves);
}

TEST(people_think_where_a_won_game_makes_no_progress)
{
    static const char middle_game[] =
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
    assert_true(in_ending(middle_game, 200, 40).beta == 1);
    assert_true(in_ending(middle_game, 900, 3).beta == 1); /* there is time */
    assert_true(in_ending(middle_game, 900, 4).beta == 3);
    assert_true(in_ending(middle_game, SCORE_MATE - 20, 10).beta == 15);
    assert_true(in_ending("8/5k2/8/8/3P4/3K4/8/8 w - - 0 1", 400, 5).beta == 5);
}

TEST(learnt_endings_are_searched_far_and_won_by_technique)
{
    static const char rook[] = "8/8/8/4k3/8/8/1R6/K7 w - - 0 1";
    HumanLimit limit = in_ending(rook, 3400, 0);
    assert_true(limit.lines == 4 && limit.nodes == 60000 && limit.floor == 0);
    assert_true(limit.beta == 8 && limit.technique == 0.5);
    assert_true(in_ending(rook, 3400, 2).technique == 0.7);
    assert_true(in_ending(rook, 3400, 9).technique == 1);
    assert_true(in_ending(rook, 0, 9).technique == 0); /* it is lost, or stalemate */
    Position pos = position_of(rook);
    limit = human_limit_after(human_limit_in((HumanLimit){ .lines = 12 }, &pos), 3400, 9);
    assert_true(limit.beta == 0 && limit.technique == 0 && limit.lines == 12); /* it is alone */
    limit = in_ending("8/8/8/4k3/8/8/1R6/K7 b - - 0 1", -3400, 0);
    assert_true(limit.lines == 12 && limit.nodes == 1000 && limit.technique == 0);
}

TEST(technique_takes_the_best_move_and_what_the_search_left_out_only_by_chance)
{
    static const HumanMove moves[] = { { 0.001F, 900 }, { 0.2F, 800 }, { 0.799F, SCORE_NONE } };
    HumanLimit limit = { .temperature = 1, .technique = 1 };
    assert_int_equal(human_choose(moves, 3, &limit, false, 1), 0);
    limit.technique = 0.5;
    limit.beta = 8;
    int count[3] = { 0 };
    for (uint64_t seed = 0; seed < 10000; seed++)
        count[human_choose(moves, 3, &limit, false, seed)]++;
    assert_in_range(count[0], 4900, 5200);
    assert_in_range(count[2], 0, 100);
}
