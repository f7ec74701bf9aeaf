/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variant_rules.h - what the sets of rules that Lichess offers have of their own: one record each.
 * Const tables and functions of a position; any thread.
 * After: Lichess's rules library, github.com/lichess-org/scalachess. */
#pragma once
#include "engine/core/position.h"

#include <stddef.h>

#define VARIANT_HILL 0x0000001818000000ULL /* d4 e4 d5 e5 */

/* How a rule of the variant ends the game, as the side to move sees it. */
typedef enum { VARIANT_GOES_ON, VARIANT_WON, VARIANT_LOST, VARIANT_DRAWN } VariantEnd;

typedef struct {
    const char *uci_name; /* for UCI_Variant */
    const char *start_fen;

    /* Who has a king that must not stay in check and is never captured. A side without may put
     * its men, kings too, where it likes; it need not have a king at all. */
    bool is_royal[COLOUR_COUNT];
    bool castles[COLOUR_COUNT];
    bool must_capture;         /* who can capture has no other legal move */
    bool captures_explode;     /* a capture takes all but pawns around its target, and the captor */
    bool drops_captures;       /* captured men change sides and may be dropped */
    bool forbids_check;        /* no move may give check */
    bool counts_checks;        /* the third check wins */
    bool steps_two_from_first; /* White's pawns may step two from the first rank too */
    bool promotes_to_king;
    bool wins_without_move; /* the side to move without a legal move has won */
    bool draws_by_clock;    /* after 50 moves each without capture or pawn move */

    /* The end by a rule of the variant's own, checkmate and lack of moves aside; NULL: there is
     * none. A finished game has no legal moves. */
    VariantEnd (*end)(const Position *pos);
    /* No sequence of moves wins for either side, so far as the server looks; NULL: never. */
    bool (*is_dead)(const Position *pos);
    /* The material of `side` cannot win, so it does not win on time either; NULL: it can. */
    bool (*cannot_win)(const Position *pos, Colour side);
} VariantRules;

/* Indexed by Ruleset; RULES_STANDARD has a record like the others. */
extern const VariantRules variant_rules_table[RULESET_COUNT];

static inline const VariantRules *variant_rules(const Position *pos)
{
    return &variant_rules_table[pos->ruleset];
}

/* Has a rule of the variant's own ended the game? Never under standard rules. Checkmate comes
 * before it: position_outcome() has the order. */
static inline VariantEnd variant_end(const Position *pos)
{
    const VariantRules *rules = variant_rules(pos);
    return rules->end ? rules->end(pos) : VARIANT_GOES_ON;
}

/* May the side to move make nothing but captures? */
bool variant_forces_capture(const Position *pos);

/* The rules whose uci_name is text[0..len), whatever the case; RULESET_COUNT: none. */
Ruleset ruleset_of_uci_name(const char *text, size_t len);
