/* SPDX-License-Identifier: GPL-3.0-or-later */
/* packed_positions.h - positions of random games with made-up scores, for tests of training. */
#pragma once
#include "engine/train/packed_position.h"

enum { PACKED_GAME_LENGTH = 10 /* records that count as one game */ };

/* Fills `records` with `count` positions of games, the same ones for the same seed. Scores within
 * ±1000 and results are arbitrary, but the same for the same position. */
void packed_positions_fill(PackedPosition *records, int count, uint64_t seed);

/* Writes records into a file. */
void packed_positions_write(const char *path, const PackedPosition *records, int count);
