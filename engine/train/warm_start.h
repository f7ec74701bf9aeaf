/* SPDX-License-Identifier: GPL-3.0-or-later */
/* warm_start.h - parameters to begin training with, from a network that has learnt already. Its
 * king buckets may be coarser: their weights are copied to each of the finer ones that share them,
 * so that it evaluates as before. */
#pragma once
#include "engine/eval/network.h"
#include "engine/train/model.h"

/* Can a model of this shape begin with the network? */
bool warm_start_check(ModelShape shape, const Network *from, Error *err) MUST_CHECK;

/* Fills `parameters`. False without memory. */
bool warm_start(float *parameters, ModelShape shape, const Network *from, Error *err) MUST_CHECK;
