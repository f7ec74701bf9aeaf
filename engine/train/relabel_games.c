/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/relabel_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    RelabelOptions options;
    atomic_ullong *restarts;
    Teacher *teacher;
    bool is_open;
    ShardReader reader;
    uint64_t games_read; /* of the open shard */
    ArchivedGame old;
    ArchivedGame *game; /* being made */
} RelabelGames;

static void shard_close(RelabelGames *games)
{
    if (games->is_open)
        shard_reader_release(&games->reader);
    games->is_open = false;
    games->games_read = 0;
}

/* The new header tells whose games they are: no two shards get the same name. */
static bool header_set(const RelabelGames *games, ShardHeader *header, Error *err)
{
    char name[ARCHIVE_NAME_SIZE];
    ShardHeader set = games->options.header;
    if (!shard_name(&games->reader.header, name, err))
        return false;
    set.seed = games->reader.header.seed;
    set.number = games->reader.header.number;
    memset(set.options, 0, sizeof set.options);
    int len = snprintf(set.options, sizeof set.options, "of %s", name);
    if (len < 0 || (size_t)len >= sizeof set.options) {
        error_set(err, ERR_RANGE, "%s: a name longer than a header takes", name);
        return false;
    }
    *header = set;
    return true;
}

static MakerStep next_shard(void *user, uint32_t shard, ShardHeader *header, Error *err)
{
    RelabelGames *games = user;
    const RelabelOptions *options = &games->options;
    uint64_t index = (uint64_t)shard * (uint64_t)options->jobs + (uint64_t)options->job;
    shard_close(games);
    if (index >= (uint64_t)options->path_count)
        return MAKER_ENDED;
    if (!shard_reader_init(&games->reader, options->paths[index], err))
        return MAKER_FAILED;
    games->is_open = true;
    return header_set(games, header, err) ? MAKER_MADE : MAKER_FAILED;
}

static bool relabel_ply(Teacher *teacher, const Position *pos, ArchivedPly *ply, Error *err)
{
    TeacherAnswer answer;
    if (ply->score == ARCHIVE_RANDOM_MOVE)
        return true;
    ply->score = ARCHIVE_NO_SCORE;
    if (position_in_check(pos))
        return true;
    if (!teacher_ask_alone(teacher, pos, &answer, err))
        return false;
    if (move_is_quiet(answer.best))
        ply->score = answer.score;
    return true;
}

static bool relabel(Teacher *teacher, void *user, Error *err)
{
    RelabelGames *games = user;
    ArchivedGame *game = games->game;
    Position pos;
    Undo undo;
    if (!packed_position_read(&pos, &games->old.start, err) ||
        !teacher_begin_game(teacher, &pos, err))
        return false;
    *game = games->old;
    for (int i = 0; i < game->ply_count; i++) {
        if (!relabel_ply(teacher, &pos, &game->plies[i], err))
            return false;
        position_make(&pos, game->plies[i].move, &undo);
    }
    return true;
}

static MakerStep make(void *user, GameIndex index, ArchivedGame *game, Error *err)
{
    RelabelGames *games = user;
    while (games->games_read <= index.number) {
        Error why = { 0 };
        ArchiveStep step = shard_reader_next(&games->reader, &games->old, &why);
        if (step == ARCHIVE_BAD) {
            error_set(err, why.code, "%s", why.text);
            return MAKER_FAILED;
        }
        if (step != ARCHIVE_GAME)
            return MAKER_ENDED;
        games->games_read++;
    }
    games->game = game;
    return teacher_run(&games->teacher, &games->options.teacher, relabel, games, games->restarts,
                       err)
               ? MAKER_MADE
               : MAKER_FAILED;
}

static void games_free(void *user)
{
    RelabelGames *games = user;
    shard_close(games);
    teacher_free(games->teacher);
    free(games);
}

static bool shard_count(uint64_t *games, const char *path, ArchivedGame *game, Error *err)
{
    ShardReader reader;
    ArchiveStep step;
    Error why = { 0 };
    if (!shard_reader_init(&reader, path, err))
        return false;
    while ((step = shard_reader_next(&reader, game, &why)) == ARCHIVE_GAME)
        ++*games;
    shard_reader_release(&reader);
    if (step == ARCHIVE_BAD)
        error_set(err, why.code, "%s: %s", path, why.text);
    return step != ARCHIVE_BAD;
}

bool relabel_games_count(uint64_t *games, const char *const *paths, int path_count, Error *err)
{
    uint64_t count = 0;
    ArchivedGame *game = malloc(sizeof *game);
    if (!game)
        error_set(err, ERR_MEMORY, "no memory for a game");
    bool ok = game != NULL;
    for (int i = 0; ok && i < path_count; i++)
        ok = shard_count(&count, paths[i], game, err);
    free(game);
    if (ok)
        *games = count;
    return ok;
}

bool relabel_games_new(GameMaker *maker, const RelabelOptions *options, atomic_ullong *restarts,
                       Error *err)
{
    RelabelGames *games = calloc(1, sizeof *games);
    if (!games) {
        error_set(err, ERR_MEMORY, "no memory for a job");
        return false;
    }
    games->options = *options;
    games->restarts = restarts;
    *maker =
        (GameMaker){ .next_shard = next_shard, .make = make, .free = games_free, .user = games };
    return true;
}
