/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/cli/game_evals.h"
#include "tests/support/records.h"
#include "tests/support/unit.h"

#include <dirent.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NODES = 2000, POSITIONS = 16 };

static void count_position(void *user, size_t left)
{
    *(size_t *)user += left;
}

static void search_game(const char *moves, Variant variant, PositionEval *out)
{
    Error err = { 0 };
    PositionSearch *search;
    GameRecord game;
    size_t told = 0;
    assert_true(position_search_new(&search, POSITION_SEARCH_SPARE, &err));
    record_make(&game, "abcdefgh", "alba", moves);
    game.variant = variant;
    if (!game_evals_search((GameEvalsBy){ .search = search }, &game, NODES, count_position, &told,
                           out, &err))
        fail_msg("%s", err.text);
    assert_int_equal(told, (game.count + 1) * (game.count + 2) / 2);
    record_release(&game);
    position_search_free(search);
}

TEST(mates_are_seen_and_known)
{
    PositionEval evals[POSITIONS];
    MoveLoss losses[8];
    GameRecord game;
    search_game("f2f3 e7e5 g2g4 d8h4", VARIANT_STANDARD, evals);
    assert_int_equal(evals[4].score, -SCORE_MATE);
    assert_string_equal(evals[4].best, "");
    assert_int_equal(evals[3].score, -SCORE_MATE + 1);
    assert_string_equal(evals[3].best, "d8h4");
    assert_in_range(evals[0].score + 100, 0, 200);
    assert_in_range(evals[0].depth, 2, 40);
    record_make(&game, "abcdefgh", "alba", "f2f3 e7e5 g2g4 d8h4");
    size_t count = find_losses(&game, evals, COLOUR_NONE, losses, 8);
    assert_true(count >= 1);
    assert_int_equal(losses[count - 1].index, 2);
    assert_int_equal(losses[count - 1].judgement, JUDGEMENT_BLUNDER);
    record_release(&game);
}

TEST(a_stalemate_is_a_draw)
{
    PositionEval evals[POSITIONS + 8];
    (void)state; /* Sam Loyd's, in ten moves */
    search_game("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 h2h4 a6h6 a5c7 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7"
                " b8c8 f7g6 c8e6",
                VARIANT_STANDARD, evals);
    assert_int_equal(evals[19].score, SCORE_DRAW);
    assert_string_equal(evals[19].best, "");
}

TEST(figures_repeat)
{
    static const char moves[] = "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6";
    PositionEval once[POSITIONS], again[POSITIONS];
    search_game(moves, VARIANT_STANDARD, once);
    search_game(moves, VARIANT_STANDARD, again);
    for (size_t i = 0; i <= 8; i++) {
        assert_int_equal(once[i].score, again[i].score);
        assert_string_equal(once[i].best, again[i].best);
    }
}

TEST(castling_is_written_as_the_game_has_it)
{
    PositionEval evals[POSITIONS];
    (void)state; /* 1.Nf3 Nf6 2.g3 g6 3.Bg2 Bg7, and castling is near */
    search_game("g1f3 g8f6 g2g3 g7g6 f1g2 f8g7 e1h1", VARIANT_CHESS960, evals);
    for (size_t i = 0; i <= 7; i++)
        assert_string_not_equal(evals[i].best, "e1g1");
}

TEST(a_game_beyond_our_rules_is_refused)
{
    PositionEval evals[POSITIONS];
    Error err = { 0 };
    PositionSearch *search;
    GameRecord game;
    size_t told = 0;
    assert_true(position_search_new(&search, POSITION_SEARCH_SPARE, &err));
    record_make(&game, "abcdefgh", "alba", "e2e4 e7e5 e4e6");
    assert_false(game_evals_search((GameEvalsBy){ .search = search }, &game, NODES, count_position,
                                   &told, evals, &err));
    assert_string_equal(err.text, "game abcdefgh: its moves in the archive are damaged");
    game.variant = VARIANT_UNKNOWN;
    err = (Error){ 0 };
    assert_false(game_evals_search((GameEvalsBy){ .search = search }, &game, NODES, count_position,
                                   &told, evals, &err));
    assert_non_null(strstr(err.text, "does not play"));
    record_release(&game);
    position_search_free(search);
}

/* How many of our threads but this one are as nice as that, under this policy. */
static int threads_with(int niceness, int policy)
{
    int count = 0;
    const int own = gettid();
    DIR *folder = opendir("/proc/self/task");
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        int id = (int)strtol(entry->d_name, NULL, 10);
        count += id > 0 && id != own && getpriority(PRIO_PROCESS, (id_t)id) == niceness &&
                 sched_getscheduler(id) == policy;
    }
    closedir(folder);
    return count;
}

TEST(who_is_waited_for_makes_way_but_goes_on)
{
    PositionSearch *search;
    Error err = { 0 };
    assert_true(position_search_new(&search, POSITION_SEARCH_WAITED_FOR, &err));
    const int own_niceness = getpriority(PRIO_PROCESS, 0), policy = sched_getscheduler(0);
    const int waited_for = threads_with(10, policy);
    /* A test that is run at a higher niceness may not be allowed to lower it. */
    assert_int_equal(waited_for + (own_niceness > 10 ? threads_with(own_niceness, policy) : 0), 1);
    position_search_free(search);
    assert_true(position_search_new(&search, POSITION_SEARCH_SPARE, &err));
    assert_int_equal(threads_with(19, SCHED_IDLE), 1);
    position_search_free(search);
}
