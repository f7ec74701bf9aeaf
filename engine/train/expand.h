/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand.h - shards of games become one file of training records (packed_position.h).
 *
 * Shards with the same kind of games, labeller, network and nodes are one source. Each source has
 * its own scale: scores are divided by the K that fits them to the results (data_figures.h), so
 * that sources can be mixed. No position comes twice, whatever its game: the first one stays.
 * Positions of few men are kept up to a share of the file. One game in EXPAND_VALIDATION_ONE_IN of
 * each shard stands at the end, for the trainer to judge by; so no position of these is among the
 * others. Calls block; one thread. */
#pragma once
#include "engine/train/data_figures.h"

enum { EXPAND_SOURCES_MAX = 64, EXPAND_VALIDATION_ONE_IN = 33, EXPAND_FEW_MEN = 5 };

typedef struct {
    const char *const *paths; /* of shards, finished or not; lent */
    int path_count;
    const char *out; /* written as OUT.part and then renamed */
    LabelForm form;
    /* For LABEL_STATIC; at most one of `sidelines` and `searched` is not 0. */
    const char *teacher; /* see teacher.h; NULL: castled's own evaluation, of variants. Lent */
    const char *network; /* the teacher's; lent */
    int sidelines;       /* beside each position, 0..BESIDE_MAX; see game_positions.h */
    int searched;        /* the same, see searched_positions.h */
    int perturbed;       /* beside each position and each of those, in games of chess; see
                            perturbed_positions.h. All in all at most BESIDE_MAX beside each */
    double k;            /* for all sources; 0: fit each one's */
    int score_max;       /* kept positions with labels beyond it, in centipawns, are left out, and
                            static ones beside those are not looked for */
    int few_men_percent; /* of the file: positions of at most EXPAND_FEW_MEN men */
} ExpandOptions;

/* Writes the records, and a report for people to `report`. False and an Error on failure: `out` is
 * then as it was. A shard that ends inside a game is an error unless its name ends in ".part". */
bool expand(const ExpandOptions *options, FILE *report, Error *err) MUST_CHECK;
