/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/pairing/challenger.h"

#include "bot/account/rematches.h"
#include "bot/pairing/player_profiles.h"
#include "engine/base/duration.h"

static bool is_spent(const PairStep *step, const Challenge *challenge)
{
    return player_is_bot_account(&challenge->challenger) &&
           (pair_recall(step, FACT_QUOTA, text_of(challenge->challenger.id)) ||
            pair_recall(step, FACT_QUOTA, text_of(step->view->our_id)));
}

static void read_profile(const PairStep *step, Text id, ChallengerFacts *facts)
{
    PlayerProfile profile;
    facts->profile = player_profiles_find(step, id, &profile);
    if (facts->profile != PROFILE_KNOWN)
        return;
    facts->games_played = profile.games;
    facts->account_days = (int)((step->now.unix_ms - profile.created_ms) / DURATION_DAY_MS);
}

ChallengerFacts challenger_facts(const PairStep *step, const Challenge *challenge)
{
    const PairView *view = step->view;
    const RecentGames *recent = view->recent_games;
    Text id = text_of(challenge->challenger.id);
    int64_t now = step->now.ms;
    SlotsPlayer player = slots_player(id, KIND_HUMAN);
    SlotsCounts counts = slots_count_player(step->pairing->slots, player.id, challenge->id);
    ChallengerFacts facts = {
        .games_now = counts.running + counts.pending,
        .games_in_hour = recent_games_count(recent, id, DURATION_HOUR_MS, now) + counts.pending,
        .games_in_day = recent_games_count(recent, id, DURATION_DAY_MS, now) + counts.pending,
        .rematches = rematches_before(view->facts, challenge->rematch_of, step->now.unix_ms),
        .is_spent = is_spent(step, challenge),
        .is_blocked = view->is_blocked(view->user, id),
        .has_allow_lists = view->has_allow_lists,
        .is_allowed = view->is_allowed(view->user, id),
    };
    read_profile(step, id, &facts);
    return facts;
}
