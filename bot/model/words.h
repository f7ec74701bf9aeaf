/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enums.h - Lichess's closed lists of words, as enums with their wire names. A new word reads as
 * *_UNKNOWN (value 0), never as an error. Case counts.
 * After: the Lichess API description 2.0. Any thread. */
#pragma once
#include "engine/base/text.h"
#include "engine/core/piece.h"
#include "engine/core/ruleset.h"

/* "None" where a Colour is optional; also what colour_of() reads in any other word. */
#define COLOUR_NONE ((Colour)COLOUR_COUNT)

typedef enum {
    VARIANT_UNKNOWN,
    VARIANT_STANDARD,
    VARIANT_CHESS960,
    VARIANT_FROM_POSITION,
    VARIANT_ANTICHESS,
    VARIANT_ATOMIC,
    VARIANT_CRAZYHOUSE,
    VARIANT_HORDE,
    VARIANT_KING_OF_THE_HILL,
    VARIANT_RACING_KINGS,
    VARIANT_THREE_CHECK,
    VARIANT_COUNT,
} Variant;

typedef enum {
    SPEED_UNKNOWN,
    SPEED_ULTRA_BULLET,
    SPEED_BULLET,
    SPEED_BLITZ,
    SPEED_RAPID,
    SPEED_CLASSICAL,
    SPEED_CORRESPONDENCE,
    SPEED_COUNT,
} Speed;

typedef enum {
    STATUS_UNKNOWN, /* a word of tomorrow: neither running nor surely over */
    STATUS_CREATED,
    STATUS_STARTED,
    STATUS_ABORTED,
    STATUS_MATE,
    STATUS_RESIGN,
    STATUS_STALEMATE,
    STATUS_TIMEOUT,
    STATUS_DRAW,
    STATUS_OUTOFTIME,
    STATUS_CHEAT,
    STATUS_NO_START,
    STATUS_UNKNOWN_FINISH, /* Lichess's own word: over, for an unknown reason */
    STATUS_INSUFFICIENT_MATERIAL_CLAIM,
    STATUS_VARIANT_END,
    STATUS_COUNT,
} GameStatus;

/* Why we decline a challenge; the words of the request. */
typedef enum {
    DECLINE_UNKNOWN,
    DECLINE_GENERIC,
    DECLINE_LATER,
    DECLINE_TOO_FAST,
    DECLINE_TOO_SLOW,
    DECLINE_TIME_CONTROL,
    DECLINE_RATED,  /* "send me a rated one" */
    DECLINE_CASUAL, /* "send me a casual one" */
    DECLINE_STANDARD,
    DECLINE_VARIANT,
    DECLINE_NO_BOT,
    DECLINE_ONLY_BOT,
    DECLINE_COUNT,
} DeclineReason;

Colour colour_of(Text word);
Variant variant_of(Text word);
Speed speed_of(Text word);
GameStatus status_of(Text word);
DeclineReason decline_reason_of(Text word); /* either case: events write "toofast" */

/* By value; NULL for *_UNKNOWN. */
extern const char *const variant_names[VARIANT_COUNT], *const speed_names[SPEED_COUNT];

/* The wire name, "?" for *_UNKNOWN and COLOUR_NONE. */
const char *colour_name(Colour colour);
const char *variant_name(Variant variant);
const char *speed_name(Speed speed);
const char *status_name(GameStatus status);
const char *decline_reason_name(DeclineReason reason);

/* Sets of variants: bit n stands for Variant n. */
enum {
    VARIANTS_ALL = (1 << VARIANT_COUNT) - 1 - (1 << VARIANT_UNKNOWN),
    /* Played by the rules of chess. */
    VARIANTS_OF_CHESS = 1 << VARIANT_STANDARD | 1 << VARIANT_CHESS960 | 1 << VARIANT_FROM_POSITION,
};

/* The rules that it is played by; not of VARIANT_UNKNOWN. */
Ruleset variant_ruleset(Variant variant);

static inline bool variant_is_chess(Variant variant)
{
    return VARIANTS_OF_CHESS >> variant & 1;
}

/* True for every status after which no move is possible; not for STATUS_UNKNOWN. */
bool status_is_final(GameStatus status);
