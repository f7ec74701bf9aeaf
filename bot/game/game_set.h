/* SPDX-License-Identifier: GPL-3.0-or-later */
/* game_set.h - the games that are being played: a session for each.
 * What the event stream says of them is compared with the account's own list, as a start or an end
 * may have been missed. Games with a clock ask for that list where their stream is silent on the
 * opponent's turn (list_check.h). Correspondence games sleep until the list says that it is our
 * turn. One of them at a time searches, the nearest deadline first, and only while no game with a
 * clock does, unless its deadline is near. When a game with a clock is about to search, it plays
 * what it has found. Loop thread only. */
#pragma once
#include "bot/archive/facts.h"
#include "bot/account/context.h"
#include "bot/game/after_game.h"
#include "bot/game/session.h"

typedef struct GameSet GameSet;
typedef void GameSetOnOver(void *user, const char *game_id, const char *fault);

/* `context` is lent and outlives the games. `on_over` comes after each game that has ended, its
 * slot free; `fault`: see lost_by_fault.h. `on_wish` comes where the opponent of such a game wishes
 * for another. `seed` for the streams' jitter. */
bool game_set_new(GameSet **out, const BotContext *context, uint64_t seed, GameSetOnOver *on_over,
                  AfterGameOnWish *on_wish, void *user, Error *err) MUST_CHECK;

/* Facts of the archive's file that were read late: how slow the line is, and who was here. */
void game_set_recall(GameSet *games, const Facts *stored);

/* Leaves all games as they are on the server. The memory goes in close callbacks (I8). NULL is
 * fine. */
void game_set_close(GameSet *games);

/* The server says that this game is there. */
void game_set_play(GameSet *games, const GameInfo *info);

/* The event stream says that it is over. */
void game_set_finish(GameSet *games, const GameInfo *info);

/* Asks the account for its list: games that only it has are joined, games that it lacks are read
 * again from the server. */
void game_set_reconcile(GameSet *games);

/* An event could not be read, and may have told of a game: the same, but not more often than every
 * few seconds, however many there are. */
void game_set_missed_event(GameSet *games);

/* The event stream was opened again: games whose streams are lost need not wait longer. */
void game_set_reached(GameSet *games);

/* The game that is being played under this id; NULL: none. Lent. */
const Session *game_set_find(const GameSet *games, const char *id);

/* The game that an operator means: by its id or how that begins, "latest" for the one that began
 * last, "" where only one is being played. NULL and an Error where that is none, or several. Lent.
 */
const Session *game_set_choose(const GameSet *games, Text word, Error *err);

/* session_order() of a game that is being played. */
bool game_set_order(GameSet *games, const char *id, GameOrder order, SessionOnOrder *on_end,
                    void *user, Error *err) MUST_CHECK;

int game_set_count(const GameSet *games);

/* Calls for each, in any order. */
void game_set_each(const GameSet *games, void (*on_session)(void *user, const Session *session),
                   void *user);

enum { GAME_SET_RECENT = 8 };

/* The games that ended last, the latest first: at most GAME_SET_RECENT. NULL: fewer have. Lent. */
const GameRecord *game_set_recent(const GameSet *games, int index);

/* Of them the one of this id; NULL: none. Lent. */
const GameRecord *game_set_find_recent(const GameSet *games, Text id);
