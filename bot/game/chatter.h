/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chatter.h - what one game says in its chat: a greeting, answers, a farewell.
 *
 * It greets once for each game, also across a restart. A game with moves was greeted; for a new one
 * the chat's history on the server decides. Lines are sent once, and never delay a move. What a bot
 * says may tell its engine (engine_names.h); one that has not told is asked, once. Loop
 * thread only. */
#pragma once
#include "bot/account/context.h"
#include "bot/game/latest_move.h"
#include "bot/model/record.h"
#include "bot/ops/machine.h"
#include "bot/policy/talk.h"

typedef struct {
    const BotContext *bot;
    const Game *game;
    const GameRecord *record;
    const LatestMove *latest;
    const GameSettings *settings; /* for the game */
} ChatterContext;

typedef struct {
    ChatterContext context;
    Talk talk;
    ApiCall *question; /* what was said so far? */
    char me[CONFIG_TEXT_SIZE], opponent[CONFIG_TEXT_SIZE];
    char bot_id[USER_ID_SIZE]; /* the opponent's, who is a bot account; "": is none */
    char cpu[MACHINE_TEXT_SIZE], ram[MACHINE_TEXT_SIZE];
    char level[TALK_LEVEL_SIZE], performance[TALK_PERFORMANCE_SIZE];
    bool has_begun;
} Chatter;

/* `context` is copied; what it points to outlives the chatter. */
void chatter_init(Chatter *chatter, const ChatterContext *context);

/* The game's first gameFull was read; `us`: our colour. */
void chatter_begin(Chatter *chatter, const GameFull *full, Colour us);

/* A line of the chat has come. `wish`: the answer to the wish that it makes; "": it makes none. */
void chatter_hear(Chatter *chatter, const ChatLine *said, const char *wish, int64_t now_ms);

/* The game is over: says farewell, unless it was never played. */
void chatter_end(Chatter *chatter, GameStatus status);

/* Asks for nothing more; lines on their way stay there. */
void chatter_release(Chatter *chatter);
