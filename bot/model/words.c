/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bot/model/words.h"

#include <assert.h>
#include <strings.h>

const char *const variant_names[VARIANT_COUNT] = {
    [VARIANT_STANDARD] = "standard",
    [VARIANT_CHESS960] = "chess960",
    [VARIANT_FROM_POSITION] = "fromPosition",
    [VARIANT_ANTICHESS] = "antichess",
    [VARIANT_ATOMIC] = "atomic",
    [VARIANT_CRAZYHOUSE] = "crazyhouse",
    [VARIANT_HORDE] = "horde",
    [VARIANT_KING_OF_THE_HILL] = "kingOfTheHill",
    [VARIANT_RACING_KINGS] = "racingKings",
    [VARIANT_THREE_CHECK] = "threeCheck",
};

const char *const speed_names[SPEED_COUNT] = {
    [SPEED_ULTRA_BULLET] = "ultraBullet",
    [SPEED_BULLET] = "bullet",
    [SPEED_BLITZ] = "blitz",
    [SPEED_RAPID] = "rapid",
    [SPEED_CLASSICAL] = "classical",
    [SPEED_CORRESPONDENCE] = "correspondence",
};

static const char *const statuses[STATUS_COUNT] = {
    [STATUS_CREATED] = "created",
    [STATUS_STARTED] = "started",
    [STATUS_ABORTED] = "aborted",
    [STATUS_MATE] = "mate",
    [STATUS_RESIGN] = "resign",
    [STATUS_STALEMATE] = "stalemate",
    [STATUS_TIMEOUT] = "timeout",
    [STATUS_DRAW] = "draw",
    [STATUS_OUTOFTIME] = "outoftime",
    [STATUS_CHEAT] = "cheat",
    [STATUS_NO_START] = "noStart",
    [STATUS_UNKNOWN_FINISH] = "unknownFinish",
    [STATUS_INSUFFICIENT_MATERIAL_CLAIM] = "insufficientMaterialClaim",
    [STATUS_VARIANT_END] = "variantEnd",
};

static const char *const decline_reasons[DECLINE_COUNT] = {
    [DECLINE_GENERIC] = "generic",
    [DECLINE_LATER] = "later",
    [DECLINE_TOO_FAST] = "tooFast",
    [DECLINE_TOO_SLOW] = "tooSlow",
    [DECLINE_TIME_CONTROL] = "timeControl",
    [DECLINE_RATED] = "rated",
    [DECLINE_CASUAL] = "casual",
    [DECLINE_STANDARD] = "standard",
    [DECLINE_VARIANT] = "variant",
    [DECLINE_NO_BOT] = "noBot",
    [DECLINE_ONLY_BOT] = "onlyBot",
};

/* The index of `word` in names[1..count), else 0. */
static int find_word(const char *const *names, int count, Text word)
{
    for (int i = 1; i < count; i++)
        if (text_is(word, names[i]))
            return i;
    return 0;
}

static const char *name_of(const char *const *names, int count, int value)
{
    return value > 0 && value < count ? names[value] : "?";
}

Colour colour_of(Text word)
{
    return text_is(word, "white") ? WHITE : text_is(word, "black") ? BLACK : COLOUR_NONE;
}

Variant variant_of(Text word)
{
    return (Variant)find_word(variant_names, VARIANT_COUNT, word);
}

Ruleset variant_ruleset(Variant variant)
{
    static const Ruleset rules[VARIANT_COUNT] = {
        [VARIANT_STANDARD] = RULES_STANDARD,
        [VARIANT_CHESS960] = RULES_STANDARD,
        [VARIANT_FROM_POSITION] = RULES_STANDARD,
        [VARIANT_ANTICHESS] = RULES_ANTICHESS,
        [VARIANT_ATOMIC] = RULES_ATOMIC,
        [VARIANT_CRAZYHOUSE] = RULES_CRAZYHOUSE,
        [VARIANT_HORDE] = RULES_HORDE,
        [VARIANT_KING_OF_THE_HILL] = RULES_KING_OF_THE_HILL,
        [VARIANT_RACING_KINGS] = RULES_RACING_KINGS,
        [VARIANT_THREE_CHECK] = RULES_THREE_CHECK,
    };
    assert(variant != VARIANT_UNKNOWN);
    return rules[variant];
}

Speed speed_of(Text word)
{
    return (Speed)find_word(speed_names, SPEED_COUNT, word);
}

GameStatus status_of(Text word)
{
    return (GameStatus)find_word(statuses, STATUS_COUNT, word);
}

DeclineReason decline_reason_of(Text word)
{
    for (int i = 1; i < DECLINE_COUNT; i++) {
        const char *name = decline_reasons[i];
        if (word.len == strlen(name) && strncasecmp(word.at, name, word.len) == 0)
            return (DeclineReason)i;
    }
    return DECLINE_UNKNOWN;
}

const char *colour_name(Colour colour)
{
    return colour == WHITE ? "white" : colour == BLACK ? "black" : "?";
}

const char *variant_name(Variant variant)
{
    return name_of(variant_names, VARIANT_COUNT, (int)variant);
}

const char *speed_name(Speed speed)
{
    return name_of(speed_names, SPEED_COUNT, (int)speed);
}

const char *status_name(GameStatus status)
{
    return name_of(statuses, STATUS_COUNT, (int)status);
}

const char *decline_reason_name(DeclineReason reason)
{
    return name_of(decline_reasons, DECLINE_COUNT, (int)reason);
}

bool status_is_final(GameStatus status)
{
    return status >= STATUS_ABORTED;
}
