/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/account/bot_game_quota.h"

enum { USUAL_S = 3600 }; /* where the server does not say */

bool bot_game_quota_read(BotGameQuota *out, const ApiAnswer *answer, const char *ours,
                         const char *theirs)
{
    bool is_ours = answer->status == 429;
    if ((!is_ours && answer->status != 400) || !text_starts_with(answer->limit_key, "bot.vsBot"))
        return false;
    out->id = is_ours ? ours : theirs;
    out->for_ms = (answer->wait_s > 0 ? answer->wait_s : USUAL_S) * 1000;
    return true;
}
