/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_labels.h - games in which each position has labels: what people play there, as teachers see
 * it, networks such as Maia's. Two label each position, those whose people are nearest to the
 * mover's rating. The games are people's, or the teachers play them among themselves: each side is
 * one of them, ratings at most 300 apart, and draws its moves as its people would.
 *
 * All games of a set go on at once, so that many positions are evaluated together. */
#pragma once
#include "engine/base/error.h"
#include "engine/base/text.h"

#include <stdint.h>

enum { HUMAN_LABELS_GAMES = 256 }; /* of a set */

/* The networks of a folder, two at least. Read-only, for any number of threads; lent to what is
 * made with them. The caller frees. */
typedef struct HumanTeachers HumanTeachers;
bool human_teachers_load(HumanTeachers **out, const char *folder, Error *err) MUST_CHECK;
void human_teachers_free(HumanTeachers *teachers);

/* A set of games, on one thread. The caller frees. */
typedef struct HumanLabels HumanLabels;
bool human_labels_new(HumanLabels **out, const HumanTeachers *teachers, Error *err) MUST_CHECK;
void human_labels_free(HumanLabels *labels);

/* A new set that the teachers play: HUMAN_LABELS_GAMES games, which depend on the seed and the
 * teachers alone (and, by rounding, on the processor). */
bool human_labels_play(HumanLabels *labels, uint64_t seed, Error *err) MUST_CHECK;

/* A new set of people's games: so many of the lines (human_games.h), lent until the set is written;
 * `rest` is what is left of them. The Error names the line of the set. */
bool human_labels_follow(HumanLabels *labels, Text lines, Text *rest, Error *err) MUST_CHECK;

/* One move more in each game that is not over. How many positions were labelled; 0: all games are
 * over; -1 with an Error: a move of people's is illegal. */
int human_labels_step(HumanLabels *labels, Error *err);

/* How many games the set has. */
int human_labels_count(const HumanLabels *labels);

/* Writes the set as human_games.h reads it, a line a game: the whole file or none. */
bool human_labels_write(HumanLabels *labels, const char *path, Error *err) MUST_CHECK;
