/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_layers.h - from both views' hidden units to centipawns: the three small layers of
 * network_file.h. Pure; any thread. */
#pragma once
#include "engine/eval/network.h"

/* The evaluation for the side to move, whose hidden units are `ours`, by the weights of this bucket
 * (network_bucket()). Not limited: the caller does that. */
int output_layers_evaluate(const Network *network, const int16_t *ours, const int16_t *theirs,
                           int bucket);
