/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eco.h - the names of openings, as on Lichess: an opening is a position, so that move orders don't
 * matter, and a game is called by the last named position that it goes through.
 *
 * The table is made at build time (gen_eco.c) of openings.tsv: lichess-org/chess-openings, CC0-1.0.
 * Pure. */
#pragma once
#include "bot/lichess/enums.h"

typedef struct {
    char code[4];     /* "B90" */
    const char *name; /* "Sicilian Defense: Najdorf Variation"; UTF-8, at most ECO_NAME_SIZE - 1 */
} EcoOpening;

enum {
    ECO_NAME_SIZE = 128,
    ECO_PLIES_MAX = 36, /* no named position is deeper */
};

/* The opening of a position, by its key as in Polyglot's books. False: it has no name. */
bool eco_find(uint64_t key, EcoOpening *out);

/* Of a game: `uci`, words with a blank between. False where none of its positions has a name, or it
 * did not begin as standard chess does. */
bool eco_of_game(Variant variant, const char *initial_fen, Text uci, EcoOpening *out);

/* How much of the name is that of the family: "Sicilian Defense". */
size_t eco_family_length(const char *name);
