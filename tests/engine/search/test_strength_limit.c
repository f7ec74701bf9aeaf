/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/strength_limit.h"
#include "engine/search/engine.h"
#include "tests/support/unit.h"

enum { DRAWS = 20000 };

/* Lines of which a glance says nothing. */
static int choose(const StrengthLimit *limit, const int scores[], int count, uint64_t seed)
{
    StrengthLine lines[STRENGTH_LIMIT_LINES];
    for (int i = 0; i < count; i++)
        lines[i] = (StrengthLine){ scores[i], 0 };
    return strength_limit_choose(limit, lines, count, seed);
}

/* How often each line is drawn, per mille. */
static void draw(const StrengthLimit *limit, const StrengthLine lines[], int count, int permill[])
{
    int drawn[STRENGTH_LIMIT_LINES] = { 0 };
    for (uint64_t seed = 0; seed < DRAWS; seed++)
        drawn[strength_limit_choose(limit, lines, count, seed)]++;
    for (int i = 0; i < count; i++)
        permill[i] = drawn[i] * 1000 / DRAWS;
}

TEST(a_higher_rating_looks_at_more_and_errs_less)
{
    StrengthLimit before = strength_limit_for(ELO_MIN);
    assert_int_equal(before.lines, STRENGTH_LIMIT_LINES);
    for (int elo = ELO_MIN; elo <= ELO_MAX; elo++) {
        StrengthLimit now = strength_limit_for(elo);
        if (elo > 1350) /* below, the lines are more, and need more to be seen at all */
            assert_true(now.nodes >= before.nodes);
        assert_in_range(now.half_cp, 1, before.half_cp);
        assert_in_range(now.lines, 1, before.lines);
        before = now;
    }
    assert_true(before.nodes > 10 * strength_limit_for(ELO_MIN).nodes);
}

TEST(ratings_beyond_the_range_count_as_its_ends)
{
    assert_int_equal(strength_limit_for(1).half_cp, strength_limit_for(ELO_MIN).half_cp);
    assert_int_equal(strength_limit_for(-5).nodes, strength_limit_for(ELO_MIN).nodes);
    assert_int_equal(strength_limit_for(9999).nodes, strength_limit_for(ELO_MAX).nodes);
}

TEST(the_worse_a_line_the_rarer_it_is_drawn)
{
    static const struct {
        const char *name;
        int half_cp, scores[3], glances[3];
        int permill[3]; /* within 20 */
    } rows[] = {
        { "all alike", 50, { 0, 0, 0 }, { 0, 0, 0 }, { 333, 333, 333 } },
        { "half and half of that", 50, { 0, -53, -111 }, { 0, 0, 0 }, { 571, 286, 143 } },
        { "far behind", 50, { 0, -900, -900 }, { 0, 0, 0 }, { 1000, 0, 0 } },
        { "a stronger player", 10, { 0, -53, -111 }, { 0, 0, 0 }, { 970, 30, 0 } },
        { "the same in a game that is won",
          50,
          { 1500, 1400, 1300 },
          { 0, 0, 0 },
          { 410, 330, 260 } },
        { "and in one that is lost", 50, { -1300, -1400, -1500 }, { 0, 0, 0 }, { 410, 330, 260 } },
        { "in another order", 50, { -53, 0, -111 }, { 0, 0, 0 }, { 286, 571, 143 } },
        { "a loss that hides", 50, { 0, -53, -53 }, { 0, 0, 40 }, { 500, 250, 250 } },
        { "a loss that shows", 50, { 0, -53, -53 }, { 0, -53, -300 }, { 800, 100, 100 } },
        { "a good move that hides", 50, { 0, -53, -111 }, { -200, 0, 0 }, { 571, 286, 143 } },
        { "never looked at", 50, { 0, -53, -111 }, { 0, -53, -SCORE_INFINITE }, { 842, 105, 53 } },
        { "one that allows mate",
          50,
          { 0, -SCORE_MATE + 2, -SCORE_MATE + 4 },
          { 0, 0, 0 },
          { 1000, 0, 0 } },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        StrengthLimit limit = { .half_cp = rows[i].half_cp };
        int permill[3];
        StrengthLine lines[3];
        for (int line = 0; line < 3; line++)
            lines[line] = (StrengthLine){ rows[i].scores[line], rows[i].glances[line] };
        draw(&limit, lines, 3, permill);
        for (int line = 0; line < 3; line++)
            if (permill[line] < rows[i].permill[line] - 20 ||
                permill[line] > rows[i].permill[line] + 20)
                fail_msg("%s: line %d: %d", rows[i].name, line, permill[line]);
    }
}

TEST(a_mate_that_is_seen_is_played)
{
    const int scores[] = { SCORE_MATE - 3, SCORE_MATE - 5, 900 };
    StrengthLimit weakest = strength_limit_for(ELO_MIN);
    for (uint64_t seed = 0; seed < 1000; seed++)
        assert_int_equal(choose(&weakest, scores, 3, seed), 0);
}

TEST(the_same_dice_draw_the_same_line)
{
    const int scores[] = { 30, 20, 10, 0 };
    StrengthLimit limit = strength_limit_for(1500);
    for (uint64_t seed = 0; seed < 1000; seed++)
        assert_int_equal(choose(&limit, scores, 4, seed), choose(&limit, scores, 4, seed));
}

TEST(without_a_choice_there_is_the_first)
{
    const int scores[] = { -SCORE_MATE + 2, -SCORE_MATE + 2 };
    StrengthLimit limit = strength_limit_for(ELO_MIN);
    assert_int_equal(choose(&limit, scores, 0, 7), 0);
    assert_int_equal(choose(&limit, scores, 1, 7), 0);
    assert_in_range(choose(&limit, scores, 2, 7), 0, 1);
}
