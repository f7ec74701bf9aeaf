/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - whether a network that was just trained is sound: what the engine's own code makes of
 * it, and figures that tell a bad run from a good one. */
#pragma once
#include "engine/eval/network.h"
#include "engine/train/loss.h"

#include <stdio.h>

typedef struct {
    Losses losses;        /* of the integer network over the positions for validation */
    double size_ratio;    /* mean |logit| / mean |score| there */
    double mean_error_cp; /* mean |evaluation - score| there, in the network's centipawns */
    double ft_max;        /* the largest |FT weight|, in the model's unit */
    double output_sums[NETWORK_BUCKETS_MAX]; /* sums of |L3 weights| */
    double never_active; /* share of hidden units that no position switched on */
    double always_full;  /* share of hidden units that every position saturated */
    int simple_failed;   /* positions of known value that the network judges wrong */
} Report;

/* Fills *report. `parameters` are what the network was made of. */
bool report_init(Report *report, const Network *network, const float *parameters,
                 const Dataset *data, float lambda, Error *err) MUST_CHECK;

/* Is the network sound? Its loss is at most 2 % above `model_loss`, the model's, no more than 20 %
 * of its units are dead, and simple positions are judged right. The Error says what is not. */
bool report_check(const Report *report, double model_loss, Error *err) MUST_CHECK;

/* Writes the figures as lines "name: value". False when the file refuses. */
bool report_write(const Report *report, int buckets, FILE *out);
