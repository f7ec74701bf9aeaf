/* SPDX-License-Identifier: GPL-3.0-or-later */
/* self_play_games.h - our own engine plays both sides of training games (training_game.h): the
 * positions and mistakes that its own search meets. One thread a game; the hash and all that was
 * learnt is cleared for each. */
#pragma once
#include "engine/search/engine.h"
#include "engine/train/training_game.h"

typedef struct {
    int nodes; /* a move */
    int hash_mib;
    const Network
        *network; /* of these rules, lent while the player lives; NULL: what is built in */
    GameRules rules;
} SelfPlayOptions;

/* Nodes of a few searches of fixed depth, under which the engine's games are another engine's: the
 * header's bench. */
bool self_play_bench(uint64_t *nodes, const SelfPlayOptions *options, Error *err) MUST_CHECK;

/* A player of games, on one thread. The caller frees. */
typedef struct SelfPlay SelfPlay;
bool self_play_new(SelfPlay **out, const SelfPlayOptions *options, Error *err) MUST_CHECK;
void self_play_free(SelfPlay *play);

/* The game of this seed (training_game_seed()), which depends on the options and it alone. */
void self_play_game(SelfPlay *play, uint64_t seed, ArchivedGame *game);
