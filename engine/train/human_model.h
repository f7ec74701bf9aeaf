/* SPDX-License-Identifier: GPL-3.0-or-later */
/* human_model.h - the small network of people's moves in floating point: it learns sample by sample
 * and is written in the engine's integers. One thread.
 * After: Duchi, Hazan, Singer, "Adaptive Subgradient Methods", 2011 (Adagrad). */
#pragma once
#include "engine/human/small_policy.h"
#include "engine/train/human_games.h"

typedef struct HumanModel HumanModel;

/* Random small weights. The caller frees. */
bool human_model_new(HumanModel **out, int width, uint64_t seed, Error *err) MUST_CHECK;
void human_model_free(HumanModel *model);

/* What a sample cost, in nats. */
typedef struct {
    double loss;
    double entropy; /* of the targets: the least loss that there could be */
    bool is_first;  /* the move with the highest target is the likeliest */
} HumanLoss;

HumanLoss human_model_judge(HumanModel *model, const HumanGames *games, const HumanSample *sample);

/* The same, and a step down its gradient. */
HumanLoss human_model_learn(HumanModel *model, const HumanGames *games, const HumanSample *sample,
                            float rate);

/* Rounds the weights to what the file can hold: judge again after it. */
void human_model_round(HumanModel *model);

/* The file of small_policy.h, small_policy_size() bytes, weights rounded. The caller frees; NULL
 * without memory. */
uint8_t *human_model_export(const HumanModel *model, const uint8_t recipe_hash[]);
