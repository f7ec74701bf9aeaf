/* SPDX-License-Identifier: GPL-3.0-or-later */
/* player.h - somebody who plays, as Lichess tells of them. A plain value. Pure: any thread. */
#pragma once
#include "bot/model/ids.h"

enum { PLAYER_NAME_SIZE = 64, PLAYER_TITLE_SIZE = 16 };

typedef struct {
    char id[USER_ID_SIZE];         /* lower case; "" for Lichess's AI and for anonymous players */
    char name[PLAYER_NAME_SIZE];   /* without title */
    char title[PLAYER_TITLE_SIZE]; /* "BOT", "GM", …; "" for none */
    int rating;                    /* 0: missing */
    bool provisional;
    int ai_level; /* 1..8 for Lichess's AI, else 0 */
} Player;

/* True of an account that plays through the bot API, as Lichess's quota of games between bots
 * counts them: Lichess's own AI is no account. */
bool player_is_bot_account(const Player *player);

/* True of any player that a program plays for: a bot account or Lichess's AI. */
bool player_is_engine(const Player *player);

enum { PLAYER_TEXT_SIZE = PLAYER_NAME_SIZE + PLAYER_TITLE_SIZE };

/* "FM Alba", "Stockfish level 3", "anonymous". */
void player_text(const Player *player, char out[PLAYER_TEXT_SIZE]);

/* The same without the title. */
void player_name_text(const Player *player, char out[PLAYER_TEXT_SIZE]);
