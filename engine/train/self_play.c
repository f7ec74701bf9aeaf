/* SPDX-License-Identifier: GPL-3.0-or-later */
/* self-play: lets the engine play itself and writes the quiet positions of the games as training
 * data, `FEN | centipawns for White | result for White` a line: what tune-eval reads.
 *
 * Each game starts with some moves at random, so that the games differ and show positions that good
 * play avoids; those are what a fit on master games never learns to judge. The same seed, nodes and
 * build give the same games. */
#include "engine/base/number.h"
#include "engine/base/random.h"
#include "engine/core/fen.h"
#include "engine/search/engine.h"
#include "engine/train/verdict.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_PLIES_MAX = 400, RANDOM_PLIES_MIN = 8, RANDOM_PLIES_SPAN = 5 };
enum { OPENING_SCORE_MAX = 600, KEPT_SCORE_MAX = 2000 };
static const VerdictRules rules = {
    .won_score = 1200, .won_plies = 5, .drawn_score = 5, .drawn_plies = 10, .drawn_from_ply = 100
};

typedef struct {
    char fen[FEN_SIZE];
    int score; /* for White */
} Record;

typedef struct {
    Engine *engine;
    SearchLimits limits;
    SearchResult result;
    uint64_t random;
    Position pos;
    Record records[GAME_PLIES_MAX];
    int record_count;
} Player;

static void take_result(void *user, const SearchResult *result)
{
    Player *player = user;
    player->result = *result;
}

/* The engine's move and score for the side to move, in player->result. */
static void think(Player *player)
{
    SearchCallbacks callbacks = { .on_done = take_result, .user = player };
    engine_set_position(player->engine, &player->pos);
    engine_go(player->engine, &player->limits, &callbacks);
    engine_wait(player->engine);
}

/* False when the random moves ended the game at once. */
static bool play_opening(Player *player)
{
    Error err = { 0 };
    MoveList moves;
    if (!fen_read(&player->pos, FEN_START, FEN_STRICT, NULL, &err))
        return false;
    int plies = RANDOM_PLIES_MIN + (int)random_below(&player->random, RANDOM_PLIES_SPAN);
    for (int ply = 0; ply < plies; ply++) {
        Undo undo;
        movegen_legal(&player->pos, &moves);
        if (moves.count == 0)
            return false;
        position_make(&player->pos,
                      moves.moves[random_below(&player->random, (uint64_t)moves.count)], &undo);
    }
    return position_outcome(&player->pos) == OUTCOME_NONE;
}

static void record(Player *player, int white_score)
{
    bool quiet = move_is_quiet(player->result.best) && !position_in_check(&player->pos);
    if (!quiet || abs(white_score) > KEPT_SCORE_MAX)
        return;
    Record *record = &player->records[player->record_count++];
    fen_write(&player->pos, record->fen);
    record->score = white_score;
}

/* White's points in halves; -1 for a game not worth keeping. */
static int play_game(Player *player)
{
    Verdict verdict = { 0 };
    player->record_count = 0;
    engine_clear(player->engine);
    if (!play_opening(player))
        return -1;
    for (int ply = 0; ply < GAME_PLIES_MAX; ply++) {
        int points = verdict_by_rules(&player->pos);
        if (points != VERDICT_OPEN)
            return points;
        think(player);
        int score = player->result.info.score;
        int white_score = player->pos.side_to_move == WHITE ? score : -score;
        if (ply == 0 && abs(score) > OPENING_SCORE_MAX)
            return -1;
        record(player, white_score);
        points = verdict_by_scores(&verdict, &rules, white_score, ply);
        if (points != VERDICT_OPEN)
            return points;
        Undo undo;
        position_make(&player->pos, player->result.best, &undo);
    }
    return 1;
}

static void print_game(const Player *player, int points)
{
    static const char *const results[] = { "0.0", "0.5", "1.0" };
    for (int i = 0; i < player->record_count; i++)
        printf("%s | %d | %s\n", player->records[i].fen, player->records[i].score, results[points]);
}

static bool options_parse(int64_t *games, int64_t *nodes, int64_t *seed, int argc, char **argv,
                          Error *err)
{
    static const struct option names[] = {
        { "games", required_argument, NULL, 'g' },
        { "nodes", required_argument, NULL, 'n' },
        { "seed", required_argument, NULL, 's' },
        { 0 },
    };
    bool ok = true;
    for (int name; ok && (name = getopt_long(argc, argv, "", names, NULL)) != -1;) {
        size_t length = optarg ? strlen(optarg) : 0;
        if (name == 'g')
            ok = number_parse(optarg, length, 1, INT64_MAX, games, err);
        else if (name == 'n')
            ok = number_parse(optarg, length, 1, INT64_MAX, nodes, err);
        else if (name == 's')
            ok = number_parse(optarg, length, 1, INT64_MAX, seed, err);
        else
            ok = false;
    }
    if (ok && *games && optind == argc)
        return true;
    error_set(err, ERR_INVALID, "usage: self-play --games N [--nodes N] [--seed N] > positions");
    return false;
}

int main(int argc, char **argv)
{
    int64_t games = 0, nodes = 3000, seed = 1;
    Error err = { 0 };
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.hash_mib = 4;
    Player *player = calloc(1, sizeof *player);
    bool ok = player && options_parse(&games, &nodes, &seed, argc, argv, &err) &&
              engine_new(&player->engine, &options, &err);
    if (ok) {
        player->limits.nodes = (uint64_t)nodes;
        player->random = (uint64_t)seed;
        for (int64_t game = 0; game < games; game++) {
            int points = play_game(player);
            if (points >= 0)
                print_game(player, points);
        }
        engine_free(player->engine);
    } else {
        fprintf(stderr, "self-play: %s\n", player ? err.text : "out of memory");
    }
    free(player);
    return ok ? 0 : 1;
}
