/* SPDX-License-Identifier: GPL-3.0-or-later */
/* loss.h - how far a network's values are from what positions teach.
 *
 *     p      = sigmoid(logit)
 *     target = lambda * result + (1 - lambda) * sigmoid(score)
 *     loss   = (p - target)^2
 *
 * all for the side to move; lambda is 0 where the result says nothing. Pure. */
#pragma once
#include "engine/train/dataset.h"

#include <math.h>

static inline float loss_sigmoid(float logit)
{
    return 1 / (1 + expf(-logit));
}

static inline float loss_target(const PackedPosition *packed, float lambda)
{
    float of_score = loss_sigmoid(dataset_score(packed));
    if (packed->flags & PACKED_NO_RESULT)
        return of_score;
    return lambda * dataset_result(packed) + (1 - lambda) * of_score;
}

/* Sums over some positions, of which some have a result. Starts as { 0 }. */
typedef struct {
    double blend, scores, results;
    uint64_t count, result_count;
} LossSums;

/* Mean losses. */
typedef struct {
    double blend;   /* against the target */
    double scores;  /* against the scores alone */
    double results; /* against the results alone, where they say something */
} Losses;

static inline void loss_add(LossSums *sums, const PackedPosition *packed, float lambda, float logit)
{
    float p = loss_sigmoid(logit);
    float blend = p - loss_target(packed, lambda), score = p - loss_target(packed, 0);
    sums->blend += (double)(blend * blend);
    sums->scores += (double)(score * score);
    sums->count++;
    if (packed->flags & PACKED_NO_RESULT)
        return;
    float result = p - dataset_result(packed);
    sums->results += (double)(result * result);
    sums->result_count++;
}

static inline Losses loss_mean(const LossSums *sums)
{
    double count = (double)(sums->count ? sums->count : 1);
    double result_count = (double)(sums->result_count ? sums->result_count : 1);
    return (Losses){ sums->blend / count, sums->scores / count, sums->results / result_count };
}
