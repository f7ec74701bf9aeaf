/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_set.h - random games for tests of properties: the same ones for the same seed, anywhere. */
#pragma once
#include "engine/core/position.h"

/* One of the 960 start positions; 518 is the usual one. */
void games_start(Position *pos, int number);

typedef void GameVisitor(Position *pos, void *user);

/* Plays `count` games with random moves, each until it ends or for 300 plies. Every other one
 * begins with a random Chess960 position. Captures and promotions are preferred, so that boards
 * open up. `visit` sees every position and must leave it as it was. */
void game_set_play(uint64_t seed, int count, GameVisitor *visit, void *user);
