/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/self_play_games.h"

#include "engine/base/minmax.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/core/movegen.h"

#include <stdlib.h>

enum { BENCH_DEPTH = 9 };

struct SelfPlay {
    SelfPlayOptions options;
    Engine *engine;
    SearchResult result;
};

static void player_begin(void *user)
{
    const SelfPlay *play = user;
    engine_clear(play->engine);
}

static void take_result(void *user, const SearchResult *result)
{
    SelfPlay *play = user;
    play->result = *result;
}

static void player_choose(void *user, const Position *pos, ArchivedPly *ply, int *mate)
{
    SelfPlay *play = user;
    SearchLimits limits = { .nodes = (uint64_t)play->options.nodes };
    SearchCallbacks callbacks = { .on_done = take_result, .user = play };
    engine_set_position(play->engine, pos);
    engine_go(play->engine, &limits, &callbacks);
    engine_wait(play->engine);
    int score = play->result.info.score;
    int white_score = pos->side_to_move == WHITE ? score : -score;
    bool is_mate = score_is_mate(score);
    *mate = is_mate ? (white_score > 0 ? 1 : -1) : 0;
    *ply = (ArchivedPly){
        .move = play->result.best,
        .score = is_mate ? ARCHIVE_NO_SCORE
                         : (int16_t)int_clamp(white_score, -ARCHIVE_SCORE_MAX, ARCHIVE_SCORE_MAX),
    };
}

void self_play_game(SelfPlay *play, uint64_t seed, ArchivedGame *game)
{
    GamePlayer player = { .begin = player_begin, .choose = player_choose, .user = play };
    training_game_play(game, &player, &play->options.rules, &seed);
}

static void bench_search(SelfPlay *play, const Position *pos)
{
    SearchLimits limits = { .depth = BENCH_DEPTH };
    SearchCallbacks callbacks = { .on_done = take_result, .user = play };
    engine_clear(play->engine);
    engine_set_position(play->engine, pos);
    engine_go(play->engine, &limits, &callbacks);
    engine_wait(play->engine);
}

/* A variant's start after 0, 2, 4 and 6 random moves; fewer where they would end the game. */
static void bench_position_of_variant(Position *pos, Ruleset ruleset, int number)
{
    uint64_t random = (uint64_t)number;
    MoveList moves;
    Undo undo;
    start_variant(pos, ruleset);
    for (int ply = 0; ply < 2 * number; ply++) {
        movegen_legal(pos, &moves);
        if (moves.count == 0)
            return;
        position_make(pos, moves.moves[random_below(&random, (uint64_t)moves.count)], &undo);
    }
}

static void network_use(EngineOptions *engine, const SelfPlayOptions *options)
{
    if (options->rules.ruleset == RULES_STANDARD)
        engine->network = options->network;
    else
        engine->variant_networks[options->rules.ruleset] = options->network;
}

bool self_play_bench(uint64_t *nodes, const SelfPlayOptions *options, Error *err)
{
    /* An opening, a middle game and two endings, of the perft suite. */
    static const char *const fens[] = {
        FEN_START,
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    };
    EngineOptions engine = ENGINE_OPTIONS_DEFAULT;
    SelfPlay play = { .options = *options };
    uint64_t sum = 0;
    engine.hash_mib = options->hash_mib;
    network_use(&engine, options);
    if (!engine_new(&play.engine, &engine, err))
        return false;
    Ruleset ruleset = options->rules.ruleset;
    bool ok = true;
    for (int i = 0; ok && i < (int)(sizeof fens / sizeof *fens); i++) {
        Position pos;
        if (ruleset == RULES_STANDARD)
            ok = fen_read(&pos, fens[i], FEN_STRICT, NULL, err);
        else
            bench_position_of_variant(&pos, ruleset, i);
        if (ok)
            bench_search(&play, &pos);
        sum += play.result.info.nodes;
    }
    engine_free(play.engine);
    if (ok)
        *nodes = sum;
    return ok;
}

bool self_play_new(SelfPlay **out, const SelfPlayOptions *options, Error *err)
{
    EngineOptions engine = ENGINE_OPTIONS_DEFAULT;
    engine.hash_mib = options->hash_mib;
    network_use(&engine, options);
    SelfPlay *play = calloc(1, sizeof *play);
    if (!play) {
        error_set(err, ERR_MEMORY, "no memory for a job");
        return false;
    }
    play->options = *options;
    if (!engine_new(&play->engine, &engine, err)) {
        free(play);
        return false;
    }
    *out = play;
    return true;
}

void self_play_free(SelfPlay *play)
{
    if (!play)
        return;
    engine_free(play->engine);
    free(play);
}
