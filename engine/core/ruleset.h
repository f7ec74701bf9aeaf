/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ruleset.h - which rules a game is played by, and what a position holds for them beside its board.
 * Plain values. What each set of rules asks for is one record, variant_rules.h. */
#pragma once
#include "engine/core/bitboard.h"
#include "engine/core/piece.h"

typedef uint8_t Ruleset;
enum {
    RULES_STANDARD, /* Chess960 and given positions too */
    RULES_CRAZYHOUSE,
    RULES_ANTICHESS,
    RULES_ATOMIC,
    RULES_HORDE,
    RULES_KING_OF_THE_HILL,
    RULES_RACING_KINGS,
    RULES_THREE_CHECK,
    RULESET_COUNT
};

enum { CHECKS_TO_WIN = 3 };
enum { POCKET_TYPES = KING, POCKET_MOST = 64 /* men of all kinds in both pockets */ };

/* All zero where the rules have no use for it. */
typedef struct {
    Bitboard promoted; /* crazyhouse: pieces that are pawns again when they are captured */
    uint8_t pocket[COLOUR_COUNT][POCKET_TYPES]; /* crazyhouse: men in hand, PAWN to QUEEN */
    uint8_t checks_given[COLOUR_COUNT];         /* three-check, up to CHECKS_TO_WIN */
} VariantState;
