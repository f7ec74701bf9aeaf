/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rules.h - the settings of one game: the configuration with the rules that hold for it on top.
 * Pure. */
#pragma once
#include "bot/config/rule.h"
#include "bot/lichess/event.h"

/* All that a rule can ask about. Texts are lent by the event that they came from. */
typedef struct {
    Variant variant;
    Speed speed;
    TimeControl time;
    Text initial_fen; /* empty: the usual one */
    bool rated;
    bool is_tournament;
    bool is_rematch;
    Colour colour; /* ours; COLOUR_NONE: not known yet */
    OpponentKind kind;
    Player opponent;
    int our_rating;     /* 0: unknown */
    const char *engine; /* the opponent's, as in engine_names.h; NULL: not known */
} GameFacts;

GameFacts facts_of_challenge(const Challenge *challenge);

/* `us`: our colour. */
GameFacts facts_of_game(const GameFull *full, Colour us);

/* The rules that hold, in the file's order; lent by the Config. */
typedef struct {
    const Rule *rules[RULES_MAX];
    int count;
} RuleMatches;

/* The conditions of the rule that do not hold: bit n for condition n. 0: the rule holds. */
uint32_t rule_failures(const Rule *rule, const GameFacts *facts);

/* The first condition of the rule that does not hold, or WHEN_COUNT: it holds. */
Condition rule_fails(const Rule *rule, const GameFacts *facts);

/* Does anything depend on what engine an opponent runs? */
bool rules_need_engine(const Config *config);

/* May a rule hold for this game, or not, by what engine the opponent runs and by nothing else? */
bool rules_turn_on_engine(const Config *config, const GameFacts *facts);

/* The settings for a game with these facts into *out: a plain copy of `config->game` in which each
 * rule that holds has set its keys, a later one over an earlier one. Its lists are lent by `config`
 * and its rules; it is not to be released. `matches` may be NULL. */
void rules_apply(const Config *config, const GameFacts *facts, GameSettings *out,
                 RuleMatches *matches);
