/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/policy/rules.h"

#include "bot/policy/engine_names.h"

#include <string.h>

static OpponentKind kind_of(const Player *user)
{
    return player_is_engine(user) ? KIND_BOT : KIND_HUMAN;
}

static Colour other(Colour colour)
{
    return colour == COLOUR_NONE ? COLOUR_NONE : colour_other(colour);
}

GameFacts facts_of_challenge(const Challenge *challenge)
{
    Colour theirs = challenge->final_colour != COLOUR_NONE ? challenge->final_colour
                                                           : challenge->challenger_colour;
    return (GameFacts){
        .variant = challenge->variant,
        .speed = challenge->speed,
        .time = challenge->time,
        .initial_fen = challenge->initial_fen,
        .rated = challenge->rated,
        .is_rematch = challenge->rematch_of.len > 0,
        .colour = other(theirs),
        .kind = kind_of(&challenge->challenger),
        .opponent = challenge->challenger,
        .our_rating = challenge->dest_user.rating,
    };
}

GameFacts facts_of_game(const GameFull *full, Colour us)
{
    const Player *opponent = &full->players[other(us)];
    return (GameFacts){
        .variant = full->variant,
        .speed = full->speed,
        .time = full->time,
        .initial_fen = full->initial_fen,
        .rated = full->rated,
        .is_tournament = full->tournament_id.len > 0,
        .colour = us,
        .kind = kind_of(opponent),
        .opponent = *opponent,
        .our_rating = full->players[us].rating,
    };
}

static bool clock_is_among(const ClockList *list, const TimeControl *time)
{
    for (int i = 0; i < list->count; i++) {
        const ClockRange *range = &list->at[i];
        if (range->days > 0 || time->kind != TIME_CLOCK) {
            if (range->days > 0 && time->kind == TIME_CORRESPONDENCE && time->days == range->days)
                return true;
            continue;
        }
        if (time->base_s >= range->base_lo_s && time->base_s <= range->base_hi_s &&
            time->increment_s >= range->increment_lo_s &&
            time->increment_s <= range->increment_hi_s)
            return true;
    }
    return false;
}

/* Whether `fen` begins with all the fields of `start`. */
static bool begins_with(Text fen, const char *start)
{
    size_t len = strlen(start);
    return fen.len >= len && memcmp(fen.at, start, len) == 0 &&
           (fen.len == len || fen.at[len] == ' ');
}

static bool position_is_among(const PositionList *list, Text fen)
{
    for (int i = 0; i < list->count; i++)
        if (begins_with(fen, list->at[i]))
            return true;
    return false;
}

static bool is_within(const IntRange *range, int value)
{
    return value >= range->lo && value <= range->hi;
}

static bool holds(const RuleWhen *when, Condition condition, const GameFacts *facts)
{
    int title = rule_title(text_of(facts->opponent.title));
    switch (condition) {
    case WHEN_SPEED:
        return config_set_has(when->speeds, (int)facts->speed);
    case WHEN_CLOCK:
        return clock_is_among(&when->clocks, &facts->time);
    case WHEN_VARIANT:
        return config_set_has(when->variants, (int)facts->variant);
    case WHEN_POSITION:
        return position_is_among(&when->positions, facts->initial_fen);
    case WHEN_COLOUR:
        return facts->colour != COLOUR_NONE && config_set_has(when->colours, (int)facts->colour);
    case WHEN_KIND:
        return config_set_has(when->kinds, (int)facts->kind);
    case WHEN_TITLE:
        return title >= 0 && config_set_has(when->titles, title);
    case WHEN_OPPONENT:
        return user_list_has(&when->opponents, text_of(facts->opponent.id));
    case WHEN_RATING:
        return is_within(&when->rating, facts->opponent.rating);
    case WHEN_RATING_DIFFERENCE:
        return facts->opponent.rating > 0 && facts->our_rating > 0 &&
               is_within(&when->rating_difference, facts->opponent.rating - facts->our_rating);
    case WHEN_PROVISIONAL:
        return config_set_has(when->provisional, facts->opponent.provisional);
    case WHEN_RATED:
        return config_set_has(when->rated, facts->rated);
    case WHEN_TOURNAMENT:
        return config_set_has(when->tournament, facts->is_tournament);
    case WHEN_REMATCH:
        return config_set_has(when->rematch, facts->is_rematch);
    case WHEN_ENGINE:
        return engine_name_is_among(when->engines, facts->engine ? facts->engine : "");
    case WHEN_COUNT:
        break;
    }
    return true;
}

uint32_t rule_failures(const Rule *rule, const GameFacts *facts)
{
    uint32_t failures = 0;
    for (int i = 0; i < WHEN_COUNT; i++)
        if (config_set_has(rule->when.given, i) && !holds(&rule->when, (Condition)i, facts))
            failures |= 1U << i;
    return failures;
}

Condition rule_fails(const Rule *rule, const GameFacts *facts)
{
    uint32_t failures = rule_failures(rule, facts);
    int first = 0;
    while (first < WHEN_COUNT && !config_set_has(failures, first))
        first++;
    return (Condition)first;
}

/* Does a [matchmaking.NAME] set it? */
static bool avoids_engines(const Rule *type)
{
    for (int i = 0; i < type->change_count; i++)
        if (strcmp(type->changes[i].key->name, "avoid_engines") == 0)
            return true;
    return false;
}

bool rules_need_engine(const Config *config)
{
    bool does = config->seek.avoid_engines[0] != '\0';
    for (size_t i = 0; i < config->rule_count; i++)
        does |= config_set_has(config->rules[i].when.given, WHEN_ENGINE);
    for (size_t i = 0; i < config->type_count; i++)
        does |= avoids_engines(&config->types[i]);
    return does;
}

bool rules_turn_on_engine(const Config *config, const GameFacts *facts)
{
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        if (config_set_has(rule->when.given, WHEN_ENGINE) &&
            (rule_failures(rule, facts) & ~(1U << WHEN_ENGINE)) == 0)
            return true;
    }
    return false;
}

void rules_apply(const Config *config, const GameFacts *facts, GameSettings *out,
                 RuleMatches *matches)
{
    RuleMatches found = { .count = 0 };
    *out = config->game;
    for (size_t i = 0; i < config->rule_count; i++) {
        const Rule *rule = &config->rules[i];
        if (rule_fails(rule, facts) != WHEN_COUNT)
            continue;
        rule_apply(rule, out);
        found.rules[found.count++] = rule;
    }
    if (matches)
        *matches = found;
}
