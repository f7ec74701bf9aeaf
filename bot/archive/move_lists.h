/* SPDX-License-Identifier: GPL-3.0-or-later */
/* move_lists.h - a game's moves as the archive keeps them: seven lists of words with a blank
 * between, one word for each ply, "-" where there is nothing to say. Made for people with an SQL
 * prompt too:
 *
 *     uci        e2e4 c7c5 g1f3          scores   31 - #5      (centipawns or moves to mate, for
 *     clocks_ms  60000 60000 58210                              the mover)
 *
 * Pure. */
#pragma once
#include "bot/model/record.h"
#include "engine/base/buf.h"

typedef enum {
    MOVE_LIST_UCI,
    MOVE_LIST_CLOCKS,
    MOVE_LIST_SCORES,
    MOVE_LIST_DEPTHS,
    MOVE_LIST_NODES,
    MOVE_LIST_TIMES,
    MOVE_LIST_PVS, /* what was expected next: "e7e5,g1f3"; empty in games of an older castled */
    MOVE_LIST_COUNT,
} MoveListKind;

/* The column's name. */
const char *move_list_column(MoveListKind kind);

/* False without memory. */
bool move_list_write(const GameRecord *record, MoveListKind kind, Buf *out) MUST_CHECK;

/* Reads a list over the record's moves; MOVE_LIST_UCI first, which makes them. False when it is not
 * such a list; what was read up to there stays. */
bool move_list_read(GameRecord *record, MoveListKind kind, Text list) MUST_CHECK;

enum { SCORE_WORD_SIZE = 16 };

/* "31", "-250", "#5", "#-3", and "#0" where the mate is on the board: a score of
 * engine/search/engine.h in words. Read again, a mate is as many moves away, of the side that
 * mates. */
void score_word_write(int score, char out[SCORE_WORD_SIZE]);

/* False, and *out as it was, where the word is no score. */
bool score_word_read(Text word, int *out) MUST_CHECK;
