/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/decline_reason.h"

#include "bot/config/settings.h"

DeclineReason decline_reason_by_speed(uint32_t wanted, Speed speed)
{
    uint32_t faster = (1U << speed) - 1;
    return (wanted & faster) == 0    ? DECLINE_TOO_FAST
           : (wanted & ~faster) == 0 ? DECLINE_TOO_SLOW
                                     : DECLINE_TIME_CONTROL;
}

/* Does the rule set challenge.accept to `accept`? */
static bool rule_sets_accept(const Rule *rule, bool accept)
{
    GameSettings with = { .challenge.accept = !accept };
    rule_apply(rule, &with);
    return with.challenge.accept == accept;
}

/* Which side the accepted clocks lie on. A rule that closes accepts the usual clocks that it does
 * not name. */
static DeclineReason reason_by_clock(const Rule *rule, const GameFacts *facts, bool opens)
{
    static const ClockRange usual[] = {
        { 60, 60, 0, 0, 0 }, { 180, 180, 2, 2, 0 }, { 600, 600, 0, 0, 0 }, { 1800, 1800, 0, 0, 0 }
    };
    const ClockRange *clocks = opens ? rule->when.clocks.at : usual;
    int count = opens ? rule->when.clocks.count : (int)(sizeof usual / sizeof *usual);
    bool slower = false, faster = false;
    for (int i = 0; i < count; i++) {
        GameFacts other = *facts;
        if (clocks[i].days > 0)
            continue; /* no clock is faster or slower than that */
        other.time = (TimeControl){ .kind = TIME_CLOCK,
                                    .base_s = clocks[i].base_lo_s,
                                    .increment_s = clocks[i].increment_lo_s };
        if (config_set_has(rule_failures(rule, &other), WHEN_CLOCK) == opens)
            continue;
        *(time_control_estimate_s(&other.time) > time_control_estimate_s(&facts->time) ? &slower
                                                                                       : &faster) =
            true;
    }
    return slower == faster ? DECLINE_TIME_CONTROL : slower ? DECLINE_TOO_FAST : DECLINE_TOO_SLOW;
}

/* The reason to give when this condition alone prevents a game. */
static DeclineReason reason_by(Condition condition, const Rule *rule, const GameFacts *facts,
                               bool opens)
{
    const RuleWhen *when = &rule->when;
    switch (condition) {
    case WHEN_RATED:
        return facts->rated ? DECLINE_CASUAL : DECLINE_RATED;
    case WHEN_CLOCK:
        return reason_by_clock(rule, facts, opens);
    case WHEN_SPEED:
        return decline_reason_by_speed(opens ? when->speeds : ~when->speeds, facts->speed);
    case WHEN_VARIANT:
        return opens && when->variants == 1U << VARIANT_STANDARD ? DECLINE_STANDARD
                                                                 : DECLINE_VARIANT;
    case WHEN_KIND:
        return facts->kind == KIND_BOT ? DECLINE_NO_BOT : DECLINE_ONLY_BOT;
    case WHEN_POSITION:
    case WHEN_COLOUR:
    case WHEN_TITLE:
    case WHEN_OPPONENT:
    case WHEN_RATING:
    case WHEN_RATING_DIFFERENCE:
    case WHEN_PROVISIONAL:
    case WHEN_TOURNAMENT:
    case WHEN_REMATCH:
    case WHEN_ENGINE:
    case WHEN_COUNT:
        break;
    }
    return DECLINE_LATER;
}

/* The change that costs the player least. */
static Condition easiest(uint32_t conditions)
{
    static const Condition by_cost[] = { WHEN_RATED, WHEN_CLOCK, WHEN_SPEED, WHEN_VARIANT,
                                         WHEN_KIND };
    for (size_t i = 0; i < sizeof by_cost / sizeof *by_cost; i++)
        if (config_set_has(conditions, (int)by_cost[i]))
            return by_cost[i];
    return WHEN_COUNT;
}

DeclineReason decline_reason_when_off(const Challenge *challenge, const Config *config)
{
    GameFacts facts = facts_of_challenge(challenge);
    const Rule *opener = NULL, *closer = NULL;
    Condition missing = WHEN_COUNT;
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        uint32_t failures = rule_failures(rule, &facts);
        bool is_one = failures != 0 && (failures & (failures - 1)) == 0;
        if (failures == 0 && rule_sets_accept(rule, false))
            closer = rule;
        if (!is_one || !rule_sets_accept(rule, true))
            continue;
        missing = easiest((missing == WHEN_COUNT ? 0 : 1U << missing) | failures);
        if (config_set_has(failures, (int)missing))
            opener = rule;
    }
    if (closer)
        return reason_by(easiest(closer->when.given), closer, &facts, false);
    return opener ? reason_by(missing, opener, &facts, true) : DECLINE_LATER;
}
