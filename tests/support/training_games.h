/* SPDX-License-Identifier: GPL-3.0-or-later */
/* training_games.h - archived games written as text, for tests. */
#pragma once
#include "engine/train/archive.h"

/* The game from `fen` with these moves, separated by blanks: "e2e4" was played at random,
 * "e2e4:31" has that score for White, "e2e4:?" none. Castling as uci_move.h takes it. */
ArchivedGame training_game_of(const char *fen, const char *moves, uint8_t result);
