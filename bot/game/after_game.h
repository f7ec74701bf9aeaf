/* SPDX-License-Identifier: GPL-3.0-or-later */
/* after_game.h - what an opponent may still ask in the chat of a game that is over: !analysis and
 * another game (!again, !odds), once each. A wish made during the game is found there too.
 *
 * The game's stream ends with the game, so the chat's history is requested instead: a few times
 * within four minutes, and only after games against humans who may ask. Every other request goes
 * first. A chat that the server refuses to show is not requested again. A stop or restart forgets
 * all of them. Loop thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/model/record.h"
#include "bot/policy/wish.h"

typedef struct AfterGame AfterGame;

/* Challenges the opponent to the game wished for; the record has no moves, and is lent. False and
 * an Error for the log where that is not possible now. */
typedef bool AfterGameOnWish(void *user, const GameRecord *record, const Wish *wish, Error *err);

bool after_game_new(AfterGame **out, const BotContext *context, AfterGameOnWish *on_wish,
                    void *user, Error *err) MUST_CHECK;

/* Can the opponent be challenged to another game like this one? */
bool after_game_can_recur(const GameRecord *record);

/* A game is over whose chat may hold the question; of aborted games, and of more than 16 at a time,
 * nothing is watched. `settings`: for the game; lent for the call. */
void after_game_watch(AfterGame *after, const GameRecord *record, const ChatSettings *settings);

/* The memory goes in the timer's close callback (I8). NULL is fine. */
void after_game_close(AfterGame *after);
