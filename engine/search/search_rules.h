/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search_rules.h - what the search does otherwise where the rules are not those of chess: one
 * record for each set of rules. Internal to engine/search; const, any thread.
 * Much of what must be off or different was measured by Multi-Variant Stockfish
 * (github.com/ddugovic/Stockfish) and Fairy-Stockfish (github.com/fairy-stockfish). */
#pragma once
#include "engine/core/position.h"

/* What see.h looks at. */
typedef enum {
    EXCHANGES_ON_SQUARE, /* a sequence of captures, as in chess */
    EXCHANGES_FORCED,    /* captures are duties: none is worse than its like */
    EXCHANGES_EXPLODE,   /* one capture, and all that it takes along */
} Exchanges;

typedef struct {
    Exchanges exchanges;
    bool has_null_moves;     /* it is nearly always better to move than to pass */
    bool check_wins_all;     /* a check is worth any piece, and every check is looked into deeper */
    bool is_material_double; /* a captured man changes sides, so that captures count twice */
    bool allows_losses;      /* no move is left out for the material that it loses */

    /* Does some move of the side to move end the game in its favour by a rule of the variant's own?
     * Cheaper than to search for it. NULL: there is no such rule, or no quick answer. `pos` is as
     * it was when the function returns. */
    bool (*wins_at_once)(Position *pos);

    /* Would the other side have such a move if it were its turn, so that there is no time for quiet
     * plans? NULL: not asked. */
    bool (*is_threatened)(const Position *pos);
} SearchRules;

/* Indexed by Ruleset; RULES_STANDARD has a record like the others. */
extern const SearchRules search_rules_table[RULESET_COUNT];
