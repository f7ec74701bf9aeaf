/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/data_figures.h"

#include "engine/base/random.h"
#include "tests/support/unit.h"

#include <math.h>

static DataFigures figures;

static void add(int score, uint8_t result, uint8_t flags)
{
    GamePosition position = { .fate = POSITION_KEPT, .score = score, .men = 20 };
    position.packed.flags = flags;
    data_figures_add(&figures, &position, 1, result);
}

/* Results drawn with the probability sigmoid(score / k). */
static void add_games(double k)
{
    uint64_t random = 9;
    memset(&figures, 0, sizeof figures);
    for (int i = 0; i < 400000; i++) {
        int score = (int)random_below(&random, 1601) - 800;
        double chance = (double)(random_next(&random) >> 11) / 9007199254740992.0;
        add(score, chance < 1 / (1 + exp(-score / k)) ? PACKED_WHITE_WON : PACKED_WHITE_LOST, 0);
    }
}

TEST(k_is_found_again)
{
    static const double ks[] = { 60, 150, 220, 400 };
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++) {
        add_games(ks[i]);
        double fitted = data_figures_fit_k(&figures);
        if (fabs(fitted / ks[i] - 1) > 0.02)
            fail_msg("%.1f instead of %.1f", fitted, ks[i]);
    }
}

TEST(results_that_do_not_count_do_not_fit_k)
{
    memset(&figures, 0, sizeof figures);
    add(500, PACKED_WHITE_LOST, PACKED_NO_RESULT);
    assert_true(data_figures_fit_k(&figures) == 0);
    assert_true(data_figures_coherence(&figures) == 0);
}

TEST(coherence_is_the_share_of_clear_scores_that_were_right)
{
    memset(&figures, 0, sizeof figures);
    add(101, PACKED_WHITE_WON, 0);
    add(-500, PACKED_WHITE_LOST, 0);
    add(300, PACKED_WHITE_WON, 0);
    add(-101, PACKED_WHITE_WON, 0);
    add(100, PACKED_WHITE_LOST, 0); /* not clear */
    add(-900, PACKED_DRAWN, 0);     /* not decisive */
    add(-900, PACKED_WHITE_WON, PACKED_NO_RESULT);
    assert_true(data_figures_coherence(&figures) == 0.75);
}

TEST(positions_are_counted_by_their_fate)
{
    GamePosition game[4] = { { .fate = POSITION_KEPT, .score = 30, .men = 32 },
                             { .fate = POSITION_IN_CHECK, .score = 0, .men = 32 },
                             { .fate = POSITION_KEPT, .score = -50, .men = 31 },
                             { .fate = POSITION_STALE, .score = 0, .men = 31 } };
    memset(&figures, 0, sizeof figures);
    data_figures_add(&figures, game, 4, PACKED_DRAWN);
    assert_int_equal(figures.games, 1);
    assert_int_equal(figures.plies, 4);
    assert_int_equal(figures.results[PACKED_DRAWN], 1);
    assert_int_equal(figures.fates[POSITION_KEPT], 2);
    assert_int_equal(figures.fates[POSITION_IN_CHECK], 1);
    assert_int_equal(figures.fates[POSITION_STALE], 1);
    assert_int_equal(figures.score_sum, -20);
    assert_int_equal(figures.score_abs_sum, 80);
    assert_int_equal(figures.men[31], 1);
}
