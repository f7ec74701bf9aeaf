/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/config/rule.h"

#include "bot/config/did_you_mean.h"
#include "bot/config/schema.h"
#include "engine/base/check.h"
#include "engine/base/text_format.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 100, NAMES_MAX = 256 };

static const char *const colours[COLOUR_COUNT] = { [WHITE] = "white", [BLACK] = "black" };
static const char *const yes_no[] = { "no", "yes" };
static const char *const titles[] = { "none", "BOT", "GM",  "WGM", "IM",  "WIM", "FM",
                                      "WFM",  "CM",  "WCM", "NM",  "WNM", "LM" };
enum { TITLE_COUNT = sizeof titles / sizeof *titles };

static const WordList colour_words = { colours, COLOUR_COUNT, 0 };
static const WordList yes_no_words = { yes_no, 2, 0 };
static const WordList title_words = { titles, TITLE_COUNT, 0 };

#define AT(member) offsetof(RuleWhen, member), SCOPE_GAME, NULL

// clang-format off
static const KeySpec conditions[WHEN_COUNT] = {
    [WHEN_SPEED] = { "when", "speed", KEY_SET, AT(speeds), 0, 0, &schema_speed_words, "",
      "Speed of the game." },
    [WHEN_CLOCK] = { "when", "clock", KEY_CLOCKS, AT(clocks), 0, 0, NULL, "",
      "Clock of the game: minutes + seconds, or from..to: 3+2, 0.5+0, 10+0..15+10; or days a move: 2 days." },
    [WHEN_VARIANT] = { "when", "variant", KEY_SET, AT(variants), 0, 0, &schema_variant_words, "",
      "Variant of the game." },
    [WHEN_POSITION] = { "when", "position", KEY_POSITIONS, AT(positions), 0, 0, NULL, "",
      "Initial position: a FEN or the beginning of one. May be given in several lines." },
    [WHEN_COLOUR] = { "when", "colour", KEY_SET, AT(colours), 0, 0, &colour_words, "",
      "Our colour." },
    [WHEN_KIND] = { "when", "kind", KEY_SET, AT(kinds), 0, 0, &schema_kind_words, "",
      "Whether the opponent is a human or a bot." },
    [WHEN_TITLE] = { "when", "title", KEY_SET, AT(titles), 0, 0, &title_words, "",
      "The opponent's title." },
    [WHEN_OPPONENT] = { "when", "opponent", KEY_USERS, AT(opponents), 0, 0, NULL, "",
      "The opponent's name. May be given in several lines." },
    [WHEN_RATING] = { "when", "rating", KEY_RANGE, AT(rating), 0, 5000, NULL, "",
      "The opponent's rating: from..to, ..to, from.." },
    [WHEN_RATING_DIFFERENCE] = { "when", "rating_difference", KEY_RANGE, AT(rating_difference),
      -5000, 5000, NULL, "", "The opponent's rating minus ours, if both are known: -100..200, 0.., ..-1" },
    [WHEN_PROVISIONAL] = { "when", "provisional", KEY_SET, AT(provisional), 0, 0, &yes_no_words, "",
      "Whether the opponent's rating is provisional." },
    [WHEN_RATED] = { "when", "rated", KEY_SET, AT(rated), 0, 0, &yes_no_words, "",
      "Whether the game is rated." },
    [WHEN_TOURNAMENT] = { "when", "tournament", KEY_SET, AT(tournament), 0, 0, &yes_no_words, "",
      "Whether the game belongs to a tournament." },
    [WHEN_REMATCH] = { "when", "rematch", KEY_SET, AT(rematch), 0, 0, &yes_no_words, "",
      "Whether the game is a rematch." },
    [WHEN_ENGINE] = { "when", "engine", KEY_TEXT, AT(engines), 0, 0, NULL, "",
      "The engine of a bot, where it is known by what the bot says of itself: stockfish*, lc0. See chat.ask_engine." },
};
// clang-format on

const KeySpec *rule_condition(Condition condition)
{
    return &conditions[condition];
}

int rule_title(Text title)
{
    if (title.len == 0)
        return 0;
    for (int i = 1; i < TITLE_COUNT; i++)
        if (text_is(title, titles[i]))
            return i;
    return -1;
}

/* The condition that `name` is, or WHEN_COUNT. */
static Condition find_condition(const char *name)
{
    static const char prefix[] = "when.";
    int i = 0;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return WHEN_COUNT;
    while (i < WHEN_COUNT && strcmp(name + sizeof prefix - 1, conditions[i].name) != 0)
        i++;
    return (Condition)i;
}

/* The schema's row for "section.key"; both may hold dots. */
static const KeySpec *find_key(const char *name)
{
    char section[NAME_SIZE];
    size_t len = strlen(name);
    for (size_t dot = 0; dot < len && dot < sizeof section; dot++) {
        if (name[dot] != '.')
            continue;
        memcpy(section, name, dot);
        section[dot] = '\0';
        const KeySpec *key = schema_find(section, name + dot + 1);
        if (key)
            return key;
    }
    return NULL;
}

static void unknown_name(const Rule *rule, const char *name, Error *err)
{
    char names[NAMES_MAX][NAME_SIZE];
    const char *candidates[NAMES_MAX];
    size_t key_count, count = 0;
    const KeySpec *keys = schema_keys(&key_count);
    CHECK(key_count + WHEN_COUNT <= NAMES_MAX);
    for (size_t i = 0; i < key_count + WHEN_COUNT; i++) {
        const KeySpec *key = i < WHEN_COUNT ? &conditions[i] : &keys[i - WHEN_COUNT];
        bool fits = text_format_fits(names[count], NAME_SIZE, "%s.%s", key->section, key->name);
        if (key->scope == SCOPE_GAME && fits) {
            candidates[count] = names[count];
            count++;
        }
    }
    const char *meant = did_you_mean(name, candidates, count);
    if (meant)
        error_set(err, ERR_INVALID, "unknown key \"%s\" in [rule %s]; did you mean \"%s\"?", name,
                  rule->name, meant);
    else
        error_set(err, ERR_INVALID,
                  "unknown key \"%s\" in [rule %s]; a rule has when.CONDITION and SECTION.KEY",
                  name, rule->name);
}

/* Whether the key may be given (again), and where it was. */
static bool note_line(int *first_line, const KeySpec *key, int line, Error *err)
{
    if (*first_line != 0 && !key_traits(key)->adds_up) {
        error_set(err, ERR_INVALID, "%s.%s is given twice; first in line %d", key->section,
                  key->name, *first_line);
        return false;
    }
    if (*first_line == 0)
        *first_line = line;
    return true;
}

static bool read_value(const KeySpec *key, void *to, const char *name, const char *value,
                       Error *err)
{
    if (key_read(key, to, value, err))
        return true;
    error_prefix(err, "%s = %s", name, value);
    return false;
}

/* The rule's change of the key, a new one if need be; NULL and an Error when there is no room. */
static RuleChange *find_change(Rule *rule, const KeySpec *key, Error *err)
{
    for (int i = 0; i < rule->change_count; i++)
        if (rule->changes[i].key == key)
            return &rule->changes[i];
    if (rule->change_count == RULE_KEYS_MAX) {
        error_set(err, ERR_RANGE, "a rule sets at most %d keys", RULE_KEYS_MAX);
        return NULL;
    }
    void *value = calloc(1, key_traits(key)->size);
    if (!value) {
        error_set(err, ERR_MEMORY, "no memory");
        return NULL;
    }
    RuleChange *change = &rule->changes[rule->change_count++];
    *change = (RuleChange){ .key = key, .value = value };
    return change;
}

bool rule_set(Rule *rule, int line, const char *name, const char *value, Error *err)
{
    Condition condition = find_condition(name);
    if (condition != WHEN_COUNT && !rule->is_seek_type) {
        const KeySpec *key = &conditions[condition];
        if (!note_line(&rule->when_lines[condition], key, line, err))
            return false;
        rule->when.given |= 1U << condition;
        return read_value(key, (char *)&rule->when + key->offset, name, value, err);
    }
    const KeySpec *key = find_key(name);
    if (!key) {
        unknown_name(rule, name, err);
        return false;
    }
    if (key->scope != (rule->is_seek_type ? SCOPE_SEEK : SCOPE_GAME)) {
        error_set(err, ERR_INVALID, "%s is the same for all games: %s cannot change it", name,
                  rule->is_seek_type ? "a type of matchmaking" : "a rule");
        return false;
    }
    RuleChange *change = find_change(rule, key, err);
    return change && note_line(&change->line, key, line, err) &&
           read_value(key, change->value, name, value, err);
}

void rule_release(Rule *rule)
{
    for (int i = 0; i < rule->change_count; i++) {
        key_release(rule->changes[i].key, rule->changes[i].value);
        free(rule->changes[i].value);
    }
    rule->change_count = 0;
    user_list_release(&rule->when.opponents);
}

/* `settings`: the part of a Config that begins at `from`, the only one whose keys the rule sets. */
static void lend_changes(const Rule *rule, void *settings, size_t from)
{
    for (int i = 0; i < rule->change_count; i++)
        key_lend(rule->changes[i].key, (char *)settings + (rule->changes[i].key->offset - from),
                 rule->changes[i].value);
}

void rule_apply(const Rule *rule, GameSettings *settings)
{
    assert(!rule->is_seek_type);
    lend_changes(rule, settings, offsetof(Config, game));
}

void rule_apply_type(const Rule *type, SeekSettings *settings)
{
    assert(type->is_seek_type);
    lend_changes(type, settings, offsetof(Config, seek));
}
