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
    Ruleset ruleset;
    PackedPosition *training, *validation;
    PackedVariant *training_variants, *validation_variants; /* NULL for chess */
    uint32_t training_count, validation_count;
} Dataset;

/* Reads files of records of these rules: PackedPositions, in variants each with its PackedVariant
 * behind it. The Error names the file, and the record that is none. There must be at least one
 * position of each kind. The caller releases. */
bool dataset_init(Dataset *data, Ruleset ruleset, const char *const *paths, int count,
                  Error *err) MUST_CHECK;
void dataset_release(Dataset *data);

/* Bytes of a record of these rules. */
size_t dataset_record_size(Ruleset ruleset);

/* Does dataset_init() take the record? It has at most 32 men, two kings among them, and a result;
 * it need not be legal. In a variant it has that one's kings and at most as many men as a record
 * has room for. */
bool dataset_takes(const PackedPosition *packed);
bool dataset_takes_variant(const PackedPosition *packed, const PackedVariant *variant);

/* Adds the position's inputs to the samples, which have room. It passed dataset_init(), or is
 * packed_position_of() a legal one. */
void dataset_add_sample(ModelSamples *samples, const PackedPosition *packed, ModelShape shape);
void dataset_add_variant_sample(ModelSamples *samples, const PackedPosition *packed,
                                const PackedVariant *variant, ModelShape shape);

/* The same for a record of either array. */
void dataset_add_training(ModelSamples *samples, const Dataset *data, uint32_t index,
                          ModelShape shape);
void dataset_add_validation(ModelSamples *samples, const Dataset *data, uint32_t index,
                            ModelShape shape);

/* The position of a record; false where it is not legal. */
bool dataset_validation_read(Position *pos, const Dataset *data, uint32_t index) MUST_CHECK;

/* Both for the side to move: the score in logits, the result as 0, 0.5 or 1. */
float dataset_score(const PackedPosition *packed);
float dataset_result(const PackedPosition *packed);
