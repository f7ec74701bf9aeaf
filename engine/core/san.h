/* SPDX-License-Identifier: GPL-3.0-or-later */
/* san.h - standard algebraic notation, for logs and PGN. */
#pragma once
#include "engine/core/movegen.h"

enum { SAN_SIZE = 12 };

/* Writes a legal move: "Nbxd7+", "O-O", "exd8=Q#", and in variants "N@f3", "P@e4", "a8=K". The
 * last mark is that of mate for any move that wins by the rules of the game. */
void san_write(const Position *pos, Move m, char out[SAN_SIZE]);
