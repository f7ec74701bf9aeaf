/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arena_words.h - the words of pairing_fixture.h's scripts that are about tournaments. */
#pragma once
#include "tests/support/pairing_fixture.h"

/* False: no such word. */
bool arena_word_play(PairingFixture *f, Text word);

/* The operator's order, of this tournament. */
void arena_order(PairingFixture *f, PairInputKind kind, const char *id);

/* The event stream's reports of the game ID in this tournament. */
void arena_game_starts(PairingFixture *f, const char *id, const char *tournament);
void arena_game_ends(PairingFixture *f, const char *id, GameStatus status, Colour winner);

/* A line of the open list of a team: an arena of this length that starts so much later. */
void arena_listed(PairingFixture *f, const char *id, int64_t starts_in_ms, int64_t lasts_ms);
