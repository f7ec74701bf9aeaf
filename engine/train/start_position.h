/* SPDX-License-Identifier: GPL-3.0-or-later */
/* start_position.h - where training games begin: the usual start, Chess960, Chess960 with another
 * number for each side, and endgames of a few men placed at random. Pure; any thread. */
#pragma once
#include "engine/core/position.h"

typedef enum { START_USUAL, START_CHESS960, START_DOUBLE_CHESS960, START_ENDGAME } StartKind;

enum { START_KIND_COUNT = START_ENDGAME + 1, CHESS960_COUNT = 960, CHESS960_USUAL = 518 };

/* Games of each kind, in percent; the sum is 100. */
typedef struct {
    int percent[START_KIND_COUNT];
} StartShares;

/* The shares of the games that are played here. */
extern const StartShares START_SHARES;

/* Draws a kind by its share. */
StartKind start_kind_draw(const StartShares *shares, uint64_t *random);

/* The position with these numbers, 0..959, for either side; CHESS960_USUAL twice is the usual
 * start. After: R. Scharnagl's numbering, chessprogramming.org, "Reinhard Scharnagl". */
void start_chess960(Position *pos, int white, int black);

/* A start of this kind. An endgame has 5 to 10 men, nobody in check and a legal move. */
void start_draw(Position *pos, StartKind kind, uint64_t *random);

/* How many random moves a game of this kind begins with. */
int start_random_plies(StartKind kind, uint64_t *random);

/* The usual start of a variant, and how many random moves follow there. */
void start_variant(Position *pos, Ruleset ruleset);
int start_variant_random_plies(uint64_t *random);
