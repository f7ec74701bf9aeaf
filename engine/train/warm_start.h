/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warm_start.h - parameters to begin training with, from a network that has learnt already.
 *
 * Its shape may differ: a set of weights for a king's squares is copied to each of the finer sets
 * that share them, and a network of squares can begin one of products. Each product then has the
 * square's unit twice, so the value is the same up to rounding. Where there are fewer products than
 * squares, those stay that matter most: by the variance that they give to L1. The mean
 * of the others is added to its biases. */
#pragma once
#include "engine/eval/network.h"
#include "engine/train/dataset.h"

/* The deviation of the noise that parts a product's two units, which would learn the same forever.
 */
#define WARM_START_NOISE 0.02

/* Can a model of this shape begin with the network? */
bool warm_start_check(ModelShape shape, const Network *from, Error *err) MUST_CHECK;

/* Fills `parameters`. Some positions of the data say how active units
 * are. False without memory. */
bool warm_start(float *parameters, ModelShape shape, const Network *from, const Dataset *data,
                double noise, uint64_t seed, Error *err) MUST_CHECK;
