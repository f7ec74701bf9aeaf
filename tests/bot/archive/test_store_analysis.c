/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/archive/stats.h"
#include "bot/archive/store_analysis.h"
#include "bot/game/record_lines.h"
#include "tests/support/records.h"
#include "tests/support/store_place.h"
#include "tests/support/unit.h"

#include <math.h>
#include <sqlite3.h>

enum { MOVES = 8, NODES = 200000 };

/* Before each move and after the last: White, who is us, errs at 2 and 6, Black at 3. */
static const int scores[MOVES + 1] = { 15, 20, 25, -100, 150, 140, 130, -400, -390 };

typedef struct {
    Place *place;
    Store *store;
    GameRecord game; /* lost, and in the archive */
    PositionEval evals[MOVES + 1];
} Scene;

static int set_scene(void **state)
{
    Scene *scene = calloc(1, sizeof *scene);
    if (make_place((void **)&scene->place) != 0)
        return 1;
    scene->store = open_place(scene->place, STORE_WRITE);
    record_make(&scene->game, "Qw8rTy2u", "alba", "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5");
    scene->game.time.increment_s = 0; /* with it, the clock would have lost too much for a line */
    record_end(&scene->game, STATUS_MATE, BLACK, 1790000060000);
    for (size_t i = 0; i <= MOVES; i++)
        scene->evals[i] = (PositionEval){ .score = scores[i], .depth = 10 + (int)i };
    memcpy(scene->evals[2].best, "b1c3", 5);
    *state = scene;
    return store_add_game(scene->store, &scene->game, NULL) ? 0 : 1;
}

static int clear_scene(void **state)
{
    Scene *scene = *state;
    record_release(&scene->game);
    store_free(scene->store);
    remove_place((void **)&scene->place);
    free(scene);
    return 0;
}

static void put(Scene *scene, int64_t nodes)
{
    Error err = { 0 };
    if (!store_put_analysis(scene->store, &scene->game, scene->evals, nodes, &err))
        fail_msg("%s", err.text);
}

/* Its nodes; 0: there is none. */
static int64_t read_back(Scene *scene, PositionEval out[MOVES + 1])
{
    Error err = { 0 };
    int64_t nodes = -1;
    if (!store_read_analysis(scene->store, &scene->game, out, &nodes, &err))
        fail_msg("%s", err.text);
    return nodes;
}

static void carry_out(Scene *scene, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(scene->place->path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void count(void *user, const GameRecord *record, int plies)
{
    (void)record;
    (void)plies;
    ++*(int *)user;
}

/* How many games wait for an analysis with so many nodes. */
static int waiting(Scene *scene, int64_t nodes)
{
    const StoreFilter filter = { .no_analysis = nodes };
    int games = 0;
    assert_true(store_find_games(scene->store, &filter, STORE_WHOLE_GAMES, STORE_NEWEST_FIRST,
                                 count, &games, NULL));
    return games;
}

static void on_row(void *user, const StatsRow *row)
{
    *(StatsRow *)user = *row;
}

static StatsRow sum_up(Scene *scene, StatsBy by)
{
    StatsRow row = { .games = 0 };
    assert_true(stats_read(scene->store, &(StoreFilter){ 0 }, by, 9, on_row, &row, NULL));
    row.name = "";
    return row;
}

#define SCENE(test) TEST_IN(test, set_scene, clear_scene)

SCENE(an_analysis_comes_back_as_it_was)
{
    Scene *scene = *state;
    PositionEval back[MOVES + 1];
    assert_int_equal(read_back(scene, back), 0);
    put(scene, NODES);
    assert_int_equal(read_back(scene, back), NODES);
    for (size_t i = 0; i <= MOVES; i++) {
        assert_int_equal(back[i].score, scene->evals[i].score);
        assert_int_equal(back[i].depth, scene->evals[i].depth);
        assert_string_equal(back[i].best, scene->evals[i].best);
    }
}

SCENE(a_later_one_takes_its_place)
{
    Scene *scene = *state;
    PositionEval back[MOVES + 1];
    put(scene, NODES);
    scene->evals[0].score = 77;
    put(scene, NODES + 1);
    assert_int_equal(read_back(scene, back), NODES + 1);
    assert_int_equal(back[0].score, 77);
    assert_int_equal(sum_up(scene, STATS_ALL).losses.games, 1);
}

SCENE(games_wait_until_they_have_one_with_enough_nodes)
{
    Scene *scene = *state;
    GameRecord aborted;
    record_make(&aborted, "Aborted1", "alba", "e2e4");
    record_end(&aborted, STATUS_ABORTED, COLOUR_NONE, 1790000070000);
    assert_true(store_add_game(scene->store, &aborted, NULL));
    record_release(&aborted);
    assert_int_equal(waiting(scene, NODES), 1);
    put(scene, NODES);
    assert_int_equal(waiting(scene, NODES), 0);
    assert_int_equal(waiting(scene, NODES + 1), 1);
}

SCENE(a_game_that_is_not_there_gets_none)
{
    Scene *scene = *state;
    PositionEval back[MOVES + 1];
    scene->game.count--; /* as if the archive had it with more moves by now */
    put(scene, NODES);
    scene->game.count++;
    assert_int_equal(read_back(scene, back), 0);
}

SCENE(a_game_that_is_written_anew_has_none)
{
    Scene *scene = *state;
    PositionEval back[MOVES + 1];
    put(scene, NODES);
    GameState longer = {
        .moves = text_of("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3"),
        .time_ms = { -1, -1 },
    };
    GameRecord again;
    assert_true(record_copy(&again, &scene->game));
    record_read_state(&again, &longer);
    carry_out(scene, "UPDATE game SET outcome = 'none'");
    assert_true(store_add_game(scene->store, &again, NULL));
    record_release(&again);
    assert_int_equal(read_back(scene, back), 0);
    assert_int_equal(sum_up(scene, STATS_LOSSES).games, 0);
}

SCENE(a_damaged_one_is_none)
{
    static const char *const damages[] = {
        "UPDATE analysis SET scores = '1 2 3'",
        "UPDATE analysis SET depths = 'x'",
        "UPDATE analysis SET best = x'00ff00'",
    };
    Scene *scene = *state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        PositionEval back[MOVES + 1] = { { .score = 4711 } };
        put(scene, NODES);
        carry_out(scene, damages[i]);
        assert_int_equal(read_back(scene, back), 0);
        assert_int_equal(back[0].score, 4711);
    }
}

static void near(double got, double expected)
{
    if (!(fabs(got - expected) < 0.051))
        fail_msg("%f instead of %f", got, expected);
}

SCENE(statistics_say_what_took_the_points)
{
    Scene *scene = *state;
    scene->game.moves[6].is_book = true;
    double accuracy[COLOUR_COUNT];
    assert_true(game_accuracy(scene->evals + 1, MOVES, WHITE, accuracy));
    put(scene, NODES);
    static const StatsBy tables[] = { STATS_ALL, STATS_LOSSES };
    for (int i = 0; i < 2; i++) {
        StatsRow row = sum_up(scene, tables[i]);
        const LossSum *sum = &row.losses;
        assert_int_equal(row.games, 1);
        assert_int_equal(sum->games, 1);
        assert_int_equal(sum->accurate, 1);
        near(sum->ours, accuracy[WHITE]);
        near(sum->theirs, accuracy[BLACK]);
        near(sum->lost[CAUSE_CHESS], win_percent(25) - win_percent(-100));
        near(sum->lost[CAUSE_BOOK], win_percent(130) - win_percent(-400));
        near(sum->lost[CAUSE_CLOCK] + sum->lost[CAUSE_FAULT], 0);
        assert_int_equal(sum->lost_by[CAUSE_BOOK], 1);
        assert_int_equal(sum->lost_by[CAUSE_CHESS], 0);
    }
}

SCENE(of_games_without_one_statistics_say_nothing)
{
    Scene *scene = *state;
    StatsRow all = sum_up(scene, STATS_ALL);
    assert_int_equal(all.games, 1);
    assert_int_equal(all.losses.games, 0);
    assert_int_equal(sum_up(scene, STATS_LOSSES).games, 0);
}

int main(void)
{
    return run_all_tests();
}
