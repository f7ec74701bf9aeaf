/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/teacher_games.h"

#include "engine/base/random.h"

#include <stdlib.h>

typedef struct {
    TeacherOptions options;
    GameRules rules;
    ShardHeader header;
    Teacher *teacher; /* NULL: to be started */
    atomic_ullong *restarts;
    uint64_t random; /* the game's */
    ArchivedGame *game;
} TeacherGames;

static bool player_begin(void *user, const Position *start, Error *err)
{
    return teacher_begin_game(user, start, err);
}

static bool player_choose(void *user, const Position *pos, ArchivedPly *ply, int *mate, Error *err)
{
    TeacherAnswer answer;
    if (!teacher_ask(user, pos, &answer, err))
        return false;
    *ply = (ArchivedPly){ .move = answer.best, .score = answer.score };
    *mate = answer.mate;
    return true;
}

static bool player_play(void *user, const Position *before, Move m, const Position *after,
                        Error *err)
{
    return teacher_play(user, before, m, after, err);
}

static MakerStep next_shard(void *user, uint32_t shard, ShardHeader *header, Error *err)
{
    const TeacherGames *games = user;
    (void)err;
    *header = games->header;
    header->number = shard;
    return MAKER_MADE;
}

static bool play_game(Teacher *teacher, void *user, Error *err)
{
    TeacherGames *games = user;
    uint64_t random = games->random;
    GamePlayer player = {
        .begin = player_begin, .choose = player_choose, .play = player_play, .user = teacher
    };
    return training_game_play(games->game, &player, &games->rules, &random, err);
}

static MakerStep make(void *user, GameIndex index, ArchivedGame *game, Error *err)
{
    TeacherGames *games = user;
    games->random = training_game_seed(games->header.seed, index.shard, index.number);
    games->game = game;
    return teacher_run(&games->teacher, &games->options, play_game, games, games->restarts, err)
               ? MAKER_MADE
               : MAKER_FAILED;
}

static void games_free(void *user)
{
    TeacherGames *games = user;
    teacher_free(games->teacher);
    free(games);
}

bool teacher_games_new(GameMaker *maker, const TeacherOptions *options, const GameRules *rules,
                       const ShardHeader *header, atomic_ullong *restarts, Error *err)
{
    TeacherGames *games = calloc(1, sizeof *games);
    if (!games) {
        error_set(err, ERR_MEMORY, "no memory for a job");
        return false;
    }
    games->options = *options;
    games->rules = *rules;
    games->header = *header;
    games->restarts = restarts;
    *maker =
        (GameMaker){ .next_shard = next_shard, .make = make, .free = games_free, .user = games };
    return true;
}
