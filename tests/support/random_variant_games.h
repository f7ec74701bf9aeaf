/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_variant_games.h - random games of a variant: the same ones for the same seed. */
#pragma once
#include "engine/core/position.h"

typedef void VariantVisitor(Position *pos, void *user);

/* Plays `count` games from the usual start with random moves, each until it ends or for 150 plies.
 * `visit` sees every position but those that end a game, and must leave it as it was. */
void variant_games_play(Ruleset ruleset, uint64_t seed, int count, VariantVisitor *visit,
                        void *user);
