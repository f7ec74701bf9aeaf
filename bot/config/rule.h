/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rule.h - one [rule NAME] of the configuration: when it holds, and which keys it then sets. Its
 * conditions ("when.speed = blitz") are a table of their own; what it sets ("engine.nodes = 2000")
 * are the rows of the schema that can differ between games. bot/policy/rules.h decides which rules
 * hold for a game, and in which order. */
#pragma once
#include "bot/config/ini_reader.h"
#include "bot/config/key.h"

enum { RULES_MAX = 64, RULE_KEYS_MAX = 64, RULE_TITLES_MAX = 16 };

/* The order of the table of conditions. */
typedef enum {
    WHEN_SPEED,
    WHEN_CLOCK,
    WHEN_VARIANT,
    WHEN_POSITION,
    WHEN_COLOUR,
    WHEN_KIND,
    WHEN_TITLE,
    WHEN_OPPONENT,
    WHEN_RATING,
    WHEN_RATING_DIFFERENCE,
    WHEN_PROVISIONAL,
    WHEN_RATED,
    WHEN_TOURNAMENT,
    WHEN_REMATCH,
    WHEN_ENGINE,
    WHEN_COUNT,
} Condition;

/* All that were given must hold. Sets are bit masks; of yes and no: bit 1 and bit 0. */
typedef struct {
    uint32_t given; /* bit n: condition n stands in the rule */
    uint32_t speeds, variants, colours, kinds, titles, provisional, rated, tournament, rematch;
    ClockList clocks;
    PositionList positions;
    UserList opponents;
    IntRange rating, rating_difference;
    char engines[CONFIG_TEXT_SIZE];
} RuleWhen;

typedef struct {
    const KeySpec *key; /* of the schema */
    int line;
    void *value; /* as key_read() has it; the rule's */
} RuleChange;

typedef struct Rule {
    char name[INI_SECTION_LONGEST + 1];
    int line;          /* of its [rule NAME] */
    bool is_seek_type; /* a [matchmaking.NAME]: sets keys of SCOPE_SEEK, has no conditions */
    RuleWhen when;
    int when_lines[WHEN_COUNT];
    RuleChange changes[RULE_KEYS_MAX];
    int change_count;
} Rule;

/* Takes one line "name = value" of the rule. False and an Error when that is wrong. */
bool rule_set(Rule *rule, int line, const char *name, const char *value, Error *err) MUST_CHECK;

void rule_release(Rule *rule);

/* Sets in `settings` what the rule sets. Lists are lent by the rule. */
void rule_apply(const Rule *rule, GameSettings *settings);

/* The same of a [matchmaking.NAME]. */
void rule_apply_type(const Rule *type, SeekSettings *settings);

/* The row of a condition: section "when". Its values lie in a RuleWhen. */
const KeySpec *rule_condition(Condition condition);

/* The bit of a title in RuleWhen.titles, an empty one included; -1: a title of tomorrow. */
int rule_title(Text title);
