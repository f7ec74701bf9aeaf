/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Games against one opponent who always plays the same: how many of them differ. */
#include "engine/search/engine.h"
#include "tests/support/chess.h"

enum { GAMES = 100, PLIES = 16, NODES = 600, VARIETY_CP = 15 };

static void on_done(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static SearchResult search(Engine *engine, const Position *pos, const SearchLimits *limits)
{
    SearchResult result = { 0 };
    const SearchCallbacks callbacks = { .on_done = on_done, .user = &result };
    engine_clear(engine);
    engine_set_position(engine, pos);
    engine_go(engine, limits, &callbacks);
    engine_wait(engine);
    return result;
}

/* The position after eight moves of each side, of which ours are varied. */
static uint64_t play_game(Engine *engine, uint64_t game, int variety_cp)
{
    Position pos = position_of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    uint64_t moves = 0;
    for (int ply = 0; ply < PLIES; ply++) {
        const SearchLimits limits = { .nodes = NODES,
                                      .seed = game,
                                      .variety_cp = ply % 2 == 0 ? variety_cp : 0 };
        Undo undo;
        Move move = search(engine, &pos, &limits).best;
        position_make(&pos, move, &undo);
        moves = moves * UINT64_C(0x9e3779b97f4a7c15) + move;
    }
    return moves;
}

static int different(Engine *engine, int games, int variety_cp)
{
    uint64_t seen[GAMES];
    int count = 0;
    for (int game = 0; game < games; game++) {
        uint64_t moves =
            play_game(engine, (uint64_t)game * UINT64_C(0x2545f4914f6cdd1d) + 1, variety_cp);
        int i = 0;
        while (i < count && seen[i] != moves)
            i++;
        if (i == count)
            seen[count++] = moves;
    }
    return count;
}

TEST(sixty_of_a_hundred_games_differ_after_eight_moves)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine;
    options.hash_mib = 1;
    assert_true(engine_new(&engine, &options, NULL));
    assert_int_equal(different(engine, 3, 0), 1);
    assert_in_range(different(engine, GAMES, VARIETY_CP), 60, GAMES);
    engine_free(engine);
}

TEST(a_move_that_costs_more_is_never_drawn)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine;
    Position pos = position_of("6k1/5ppp/8/8/8/8/r7/R3K3 w - - 0 1"); /* takes a rook */
    assert_true(engine_new(&engine, &options, NULL));
    for (uint64_t seed = 0; seed < 20; seed++) {
        const SearchLimits limits = { .depth = 6, .seed = seed, .variety_cp = 50 };
        assert_int_equal(search(engine, &pos, &limits).best,
                         search(engine, &pos, &(SearchLimits){ .depth = 6 }).best);
    }
    engine_free(engine);
}
