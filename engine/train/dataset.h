/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dataset.h - the positions that a network is trained on, and those that only judge it.
 *
 * Of each file the last games, DATASET_VALIDATION_SHARE of its positions and together at most
 * DATASET_VALIDATION_MAX, are for validation. A game is never split. Read-only once it is loaded:
 * any thread may read. */
#pragma once
#include "engine/train/model.h"
#include "engine/train/packed_position.h"

/* One position in so many, in whole games. */
enum { DATASET_VALIDATION_SHARE = 33, DATASET_VALIDATION_MAX = 200000 };

typedef struct {
    PackedPosition *training, *validation;
    uint32_t training_count, validation_count;
} Dataset;

/* Reads files of PackedPositions; the Error names the file, and the position that is none. There
 * must be at least one position of each kind. The caller releases. */
bool dataset_init(Dataset *data, const char *const *paths, int count, Error *err) MUST_CHECK;
void dataset_release(Dataset *data);

/* Does dataset_init() take the record? It has at most 32 men, two kings among them, and a result;
 * it need not be legal. */
bool dataset_takes(const PackedPosition *packed);

/* Adds the position's inputs to the samples, which have room. It passed dataset_init(), or is
 * packed_position_of() a legal one. */
void dataset_add_sample(ModelSamples *samples, const PackedPosition *packed, int buckets);

/* Both for the side to move: the score in logits, the result as 0, 0.5 or 1. */
float dataset_score(const PackedPosition *packed);
float dataset_result(const PackedPosition *packed);
