/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/ids.h"

#include <ctype.h>

bool game_id_is_valid(Text id)
{
    if (id.len == 0 || id.len >= GAME_ID_SIZE)
        return false;
    for (size_t i = 0; i < id.len; i++)
        if (!isalnum((unsigned char)id.at[i]))
            return false;
    return true;
}

static bool is_of_name_characters(Text word)
{
    for (size_t i = 0; i < word.len; i++)
        if (!isalnum((unsigned char)word.at[i]) && word.at[i] != '-' && word.at[i] != '_')
            return false;
    return true;
}

bool user_name_is_valid(Text name)
{
    return name.len >= 2 && name.len < USER_ID_SIZE - 1 && is_of_name_characters(name);
}

void user_id_from_name(char *name)
{
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

bool team_id_is_valid(Text id)
{
    return id.len > 0 && id.len < TEAM_ID_SIZE && is_of_name_characters(id);
}
