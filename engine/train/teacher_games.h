/* SPDX-License-Identifier: GPL-3.0-or-later */
/* teacher_games.h - a teacher plays both sides of training games (training_game.h): its moves, its
 * scores. */
#pragma once
#include "engine/train/game_maker.h"
#include "engine/train/teacher.h"
#include "engine/train/training_game.h"

#include <stdatomic.h>

/* Games without end, with the header given but for the shard's number. A teacher that dies is
 * started again and counted in *restarts, which any thread may read; its game begins anew. */
bool teacher_games_new(GameMaker *maker, const TeacherOptions *options, const GameRules *rules,
                       const ShardHeader *header, atomic_ullong *restarts, Error *err) MUST_CHECK;
