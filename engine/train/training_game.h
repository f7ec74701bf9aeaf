/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training_game.h - plays one game for the archive: a start, some random moves, then the moves of a
 * player that scores each position, until the rules or the scores decide it. In a quarter of the
 * games one more move, at ply 10 to 60, is random. Any thread; state is the caller's. */
#pragma once
#include "engine/train/archive.h"
#include "engine/train/start_position.h"

/* Who plays both sides. `user` is the player's own. */
typedef struct {
    /* Forgets all: a game begins. */
    void (*begin)(void *user);
    /* A position's move, legal, its score (archive.h) and, where a mate is seen, who mates: 1
     * White, -1 Black, else 0. */
    void (*choose)(void *user, const Position *pos, ArchivedPly *ply, int *mate);
    void *user;
} GamePlayer;

/* What the games are like. Scores are the player's centipawns. */
typedef struct {
    Ruleset ruleset;
    StartShares shares; /* of chess: variants begin with their usual start */
    int opening_max;    /* a first score beyond it throws the start away */
    int won_score;      /* for White or Black over four plies: the game is given up */
} GameRules;

/* Where the numbers of a game begin. */
uint64_t training_game_seed(uint64_t seed, uint32_t shard, uint64_t number);

/* What is drawn depends on *random alone, which is left anywhere. Throws games away, and begins
 * anew, where the start is decided or too one-sided. */
void training_game_play(ArchivedGame *game, const GamePlayer *player, const GameRules *rules,
                        uint64_t *random);
