/* SPDX-License-Identifier: GPL-3.0-or-later */
/* import_games.h - games with scores as text become games of the archive. One game a line, fields
 * parted by tabs:
 *
 *     chess|chess960   start (startpos, or FEN)   result (1-0, 0-1, 1/2-1/2)   plies   moves
 *
 * A move is UCI ("e2e4"; in Chess960 castling is king takes rook), and where it was searched, a
 * colon and the mover's score of the position before it: centipawns as the engine printed them,
 * with "u" or "l" where the search ended on that bound; "m5", "m-3": mate; "?": none. The fourth
 * field, the last random ply, follows from the moves and is not looked at. */
#pragma once
#include "engine/base/text.h"
#include "engine/train/game_maker.h"

#include <stdio.h>

/* Reads a line without its end. On failure the Error names what is wrong, and *game means nothing.
 */
bool import_game_read(ArchivedGame *game, Text line, Error *err) MUST_CHECK;

/* All games of `in`, lent, whose errors name the line. One job; the shards' headers are `header`
 * but for the number. */
bool import_games_new(GameMaker *maker, FILE *in, const ShardHeader *header, Error *err) MUST_CHECK;
