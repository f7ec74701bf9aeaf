/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/player.h"

#include "engine/base/text_format.h"

bool player_is_bot_account(const Player *player)
{
    return text_is(player->title, "BOT");
}

bool player_is_engine(const Player *player)
{
    return player_is_bot_account(player) || player->ai_level > 0;
}

void player_text(const Player *player, char out[PLAYER_TEXT_SIZE])
{
    if (player->ai_level > 0)
        text_format_cut(out, PLAYER_TEXT_SIZE, "Stockfish level %d", player->ai_level);
    else if (player->name.len == 0)
        text_format_cut(out, PLAYER_TEXT_SIZE, "anonymous");
    else
        text_format_cut(out, PLAYER_TEXT_SIZE, "%.*s%s%.*s", TEXT_ARGS(player->title),
                        player->title.len > 0 ? " " : "", TEXT_ARGS(player->name));
}
