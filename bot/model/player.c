/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/player.h"

#include "engine/base/text_format.h"

bool player_is_bot_account(const Player *player)
{
    return strcmp(player->title, "BOT") == 0;
}

bool player_is_engine(const Player *player)
{
    return player_is_bot_account(player) || player->ai_level > 0;
}

void player_name_text(const Player *player, char out[PLAYER_TEXT_SIZE])
{
    if (player->ai_level > 0)
        text_format(out, PLAYER_TEXT_SIZE, "Stockfish level %d", player->ai_level);
    else
        text_format(out, PLAYER_TEXT_SIZE, "%s", player->name[0] ? player->name : "anonymous");
}

void player_text(const Player *player, char out[PLAYER_TEXT_SIZE])
{
    if (player->title[0] == '\0' || player->ai_level > 0 || player->name[0] == '\0')
        player_name_text(player, out);
    else
        text_format(out, PLAYER_TEXT_SIZE, "%s %s", player->title, player->name);
}
