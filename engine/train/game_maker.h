/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_maker.h - where the games of a run come from: played, read, or labelled anew. Each job has a
 * maker of its own and uses it on its own thread. */
#pragma once
#include "engine/train/archive.h"

#include <stdatomic.h>

typedef struct {
    uint32_t shard;  /* number of the shard among the job's */
    uint64_t number; /* of the game in its shard */
    uint64_t total;  /* of the game among all of the job */
} GameIndex;

typedef enum {
    MAKER_MADE,
    MAKER_ENDED, /* there are no more games for this shard, or for headers, no more shards */
    MAKER_FAILED,
} MakerStep;

typedef struct {
    /* The header of the job's next shard. Shards are asked for in their order. */
    MakerStep (*next_shard)(void *user, uint32_t shard, ShardHeader *header, Error *err);
    /* The game with this index, which depends on nothing but the header and the index. Indexes
     * rise; those of games made in an earlier run are left out. */
    MakerStep (*make)(void *user, GameIndex index, ArchivedGame *game, Error *err);
    void (*free)(void *user);
    void *user;
} GameMaker;
