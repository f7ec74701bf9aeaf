/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_games.h - positions to teach the small network of people's moves with, from text of any
 * origin. A line is a game, tab-separated, of one of two kinds:
 *   people's:  White's rating, Black's, time control, result, moves in UCI; each move is what a
 *              person of that rating plays; more columns are skipped
 *   labelled:  the word "labels", then for each position in turn the move that was played and any
 *              number of labels: ";RATING MOVE:PROBABILITY …" is what people of that rating play,
 *              as a teacher sees it (human_labels.h writes such lines) */
#pragma once
#include "engine/base/error.h"
#include "engine/human/move_traits.h"

#include <stddef.h>

/* One position and one label. Inputs, its moves' traits and their targets lie in the arrays of
 * HumanGames; labels of one position share the traits. */
typedef struct {
    uint32_t first_input, first_move, first_target;
    uint16_t input_count, move_count;
    bool is_validation; /* of a game set aside, one in fifty */
} HumanSample;

typedef struct {
    HumanSample *samples;
    uint16_t *inputs;
    uint16_t (*traits)[TRAITS_OF_A_MOVE];
    float *targets; /* of each move; sum 1 in a sample */
    size_t sample_count, input_count, move_count, target_count;
    size_t sample_room, input_room, move_room, target_room;
} HumanGames;

/* Adds a file's positions; the Error names path and line. The caller releases, also a zeroed one.
 */
bool human_games_read(HumanGames *games, const char *path, Error *err) MUST_CHECK;
void human_games_release(HumanGames *games);
