/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/challenger.h"

#include "bot/account/bot_game_quota.h"
#include "bot/account/rematches.h"
#include "bot/game/slots.h"
#include "bot/pairing/remote_lists.h"
#include "bot/policy/recent_games.h"
#include "engine/base/clock.h"
#include "engine/base/duration.h"

static bool is_spent(const BotContext *context, const Challenge *challenge)
{
    return player_is_bot_account(&challenge->challenger) &&
           (bot_game_quota_is_spent(context->archive, challenge->challenger.id) ||
            bot_game_quota_is_spent(context->archive, text_of(context->our_id)));
}

ChallengerFacts challenger_facts(const BotContext *context, const PlayerProfiles *profiles,
                                 const Challenge *challenge)
{
    Text id = challenge->challenger.id;
    int64_t now = clock_now_ms();
    SlotsPlayer player = slots_player(id, KIND_HUMAN);
    SlotsCounts counts = slots_count_player(context->slots, player.id, challenge->id);
    ChallengerFacts facts = {
        .games_now = counts.running + counts.pending,
        .games_in_hour =
            recent_games_count(context->recent_games, id, DURATION_HOUR_MS, now) + counts.pending,
        .games_in_day =
            recent_games_count(context->recent_games, id, DURATION_DAY_MS, now) + counts.pending,
        .rematches = rematches_before(context->archive, challenge),
        .is_spent = is_spent(context, challenge),
        .is_blocked = remote_lists_block(context->lists, id),
        .has_allow_lists = remote_lists_restrict(context->lists),
        .is_allowed = remote_lists_allow(context->lists, id),
    };
    PlayerProfile profile;
    facts.profile = player_profiles_find(profiles, id, &profile);
    if (facts.profile == PROFILE_KNOWN) {
        facts.games_played = profile.games;
        facts.account_days = (int)((clock_unix_ms() - profile.created_ms) / DURATION_DAY_MS);
    }
    return facts;
}
