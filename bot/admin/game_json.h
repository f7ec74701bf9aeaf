/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_json.h - one game as a JSON object, for all who look on: the page and its events,
 * `castled watch`, `castled status`.
 *
 *     id, phase                      phase "over": it has ended, or names the state machine's
 *     us, and what record_json.h adds: players, variant, speed, rated, time control
 *     began_unix_s, ended_unix_s
 *     clock_ms { white, black }      left now, where it has a clock; 0 of who lost on time
 *     is_ticking                     the clock of the side to move runs
 *     status, result                 Lichess's word; "1-0", "0-1", "1/2-1/2", "*"
 *     plies, turn, our_turn
 *     engine                         an external one that plays for us, by its section's name
 *     fen, last, last_san            the position; the last move in UCI and in words
 *     opening                        "B90 Sicilian Defense", unless it was told with earlier moves
 *     initial_fen                    where it began elsewhere than usual
 *     eval { cp or mate, depth, nodes, pv [SAN], pv_ply, is_searching }
 *                                    of a finished game: cp or mate and depth of our last search
 *     from, moves [{ uci, san, clock_ms, ms, cp or mate, depth, book }]; in variants each has
 *                                    the fen after it, since its text alone does not tell that
 *     analysis                       of a finished game that has one: analysis_json.h
 *     earlier, later                 ids of the games that ended before and after it, if asked of
 *                                    the archive
 *
 * Every evaluation is for White, in centipawns or in moves to mate; pv_ply is the ply of the
 * variation's first move. `from` counts the moves that were left out. What is not known is left
 * out. Loop thread only, but for game_json_of_record(), which any thread may call. */
#pragma once
#include "bot/game/game_set.h"

#include <json-c/json.h>

/* `from`: the moves before it are left out; GAME_JSON_NO_MOVES: all. The caller drops the object;
 * NULL without memory. */
enum { GAME_JSON_NO_MOVES = RECORD_MOVES_MAX };

struct json_object *game_json_of_session(const Session *session, size_t from);
struct json_object *game_json_of_record(const GameRecord *record, size_t from);

/* The game of this id that is being played, or has just ended. NULL: there is none. */
struct json_object *game_json_find(const GameSet *games, Text id, size_t from);
