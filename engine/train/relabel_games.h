/* SPDX-License-Identifier: GPL-3.0-or-later */
/* relabel_games.h - games of the archive get a teacher's scores instead of their own. Each position
 * is asked about alone, in the game's order, with its fifty-move counter at zero. No score where
 * the side to move is in check, or the teacher's best move captures or promotes. Random moves stay
 * marked as such. */
#pragma once
#include "engine/train/game_maker.h"
#include "engine/train/teacher.h"

typedef struct {
    const char *const *paths; /* shards; lent while the maker lives */
    int path_count;
    int job, jobs; /* this job does every `jobs`-th shard, from number `job` on */
    TeacherOptions teacher;
    ShardHeader header; /* of the new shards, but for seed, number and options */
} RelabelOptions;

/* The games in these shards. */
bool relabel_games_count(uint64_t *games, const char *const *paths, int path_count,
                         Error *err) MUST_CHECK;

/* One new shard for each old one. A shard that still grows is done as far as it goes; the next run
 * does the rest. *restarts as in teacher_games.h. */
bool relabel_games_new(GameMaker *maker, const RelabelOptions *options, atomic_ullong *restarts,
                       Error *err) MUST_CHECK;
