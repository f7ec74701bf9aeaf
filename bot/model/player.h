/* SPDX-License-Identifier: GPL-3.0-or-later */
/* player.h - somebody who plays, as Lichess tells of them. Texts are lent by the message that they
 * came in. Pure: any thread. */
#pragma once
#include "engine/base/text.h"

typedef struct {
    Text id;    /* lower case; empty for Lichess's AI and for anonymous players */
    Text name;  /* without title */
    Text title; /* "BOT", "GM", …; empty for none */
    int rating; /* 0: missing */
    bool provisional;
    int ai_level; /* 1..8 for Lichess's AI, else 0 */
} Player;

/* True of an account that plays through the bot API, as Lichess's quota of games between bots
 * counts them: Lichess's own AI is no account. */
bool player_is_bot_account(const Player *player);

/* True of any player that a program plays for: a bot account or Lichess's AI. */
bool player_is_engine(const Player *player);

enum { PLAYER_TEXT_SIZE = 64 };

/* "FM Alba", "Stockfish level 3", "anonymous"; cut where it is too long. */
void player_text(const Player *player, char out[PLAYER_TEXT_SIZE]);
