/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session_settings.h - the operator's settings of one game while it is played: what the rules make
 * of them, the level, and the engine that was drawn. The opponent's wishes change them in mid-game
 * or for the next games. Reads and keeps facts in the archive, decides by policy/. Loop thread
 * only. */
#pragma once
#include "bot/account/context.h"
#include "bot/config/ini_reader.h"
#include "bot/game/game_state.h"
#include "bot/model/record.h"
#include "bot/policy/wish.h"
#include "bot/source/uci_opponent.h"

typedef struct {
    const BotContext *bot;
    const char *game_id;
    GameSettings game;                     /* without its lists of players */
    char engine[INI_SECTION_LONGEST + 1];  /* drawn or chosen; "none": ours; "": no draw was made */
    char uci_opponent[UCI_OPPONENT_SIZE];  /* for engines; "": not known yet */
    bool is_complete;                      /* by its gameFull; until then no rules hold */
    bool is_rematch, is_paired, may_abort; /* by what the game comes from */
    bool adapts;                           /* its result teaches how well the opponent plays */
    DrawSettings draw_as_set;              /* before the level had its say */
    ResignSettings resign_as_set;          /* likewise */
} SessionSettings;

/* The settings before anything is known of the players. `bot` and `game_id` are lent and outlive
 * it; `info` is lent for the call. */
void session_settings_init(SessionSettings *settings, const BotContext *bot, const char *game_id,
                           const GameInfo *info, bool is_rematch);

/* The first gameFull says who plays, `us` among them, and so which rules hold. */
void session_settings_complete(SessionSettings *settings, const GameFull *full, Colour us);

/* What the state machine goes by in a game with complete settings against `opponent_id`. */
GameOptions session_settings_options(const SessionSettings *settings, const char *opponent_id);

/* The opponent asked not to be kept waiting: that holds in later games too. */
void session_settings_hurry(const SessionSettings *settings, const Player *them);

/* Keeps a level that was wished for and is granted. True: it holds in this game already, and the
 * options are others now. A game that was wished for is no matter of these settings. */
bool session_settings_grant(SessionSettings *settings, const Wish *wish, const WishFacts *facts,
                            const char *opponent_id);

/* The game is over: its result teaches the level for the next casual one with the same opponent. */
void session_settings_learn(const SessionSettings *settings, const Game *game,
                            const GameRecord *record);
