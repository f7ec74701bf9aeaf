/* SPDX-License-Identifier: GPL-3.0-or-later */
/* eco.h - the names of openings, as on Lichess: an opening is a position, so that move orders don't
 * matter, and a game is called by the last named position that it goes through.
 *
 * The table is made at build time (gen_eco.c) of openings.tsv: lichess-org/chess-openings, CC0-1.0.
 * Pure. */
#pragma once
#include "bot/model/record.h"

typedef struct {
    char code[4];     /* "B90" */
    const char *name; /* "Sicilian Defense: Najdorf Variation"; UTF-8, at most ECO_NAME_SIZE - 1 */
} EcoOpening;

enum {
    ECO_NAME_SIZE = 128,
    ECO_PLIES_MAX = 36, /* no named position is deeper */
    ECO_TITLE_SIZE = ECO_NAME_SIZE + 4,
};

/* The opening of a position, by its key as in Polyglot's books. False: it has no name. */
bool eco_find(uint64_t key, EcoOpening *out);

/* Of a game: `uci`, words with a blank between. False where none of its positions has a name, or it
 * did not begin as standard chess does. */
bool eco_of_game(Variant variant, const char *initial_fen, Text uci, EcoOpening *out);

/* The same of a game that is kept. */
bool eco_of_record(const GameRecord *record, EcoOpening *out);

/* As the archive keeps it: "B90 Sicilian Defense: Najdorf Variation". */
void eco_title_write(const EcoOpening *opening, char out[ECO_TITLE_SIZE]);

/* Of such a title, which may be any text, the family: "Sicilian Defense". */
Text eco_title_family(const char *title);
