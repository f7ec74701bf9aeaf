/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output_layers.h - from both views' hidden units to centipawns: the three small layers of
 * network_file.h. Pure; any thread. */
#pragma once
#include "engine/eval/network.h"

/* Room for what L1 reads: network_activations() of the view of the side to move, then of the other.
 * Aligned to KERNELS_ALIGNMENT. */
enum { OUTPUT_LAYERS_INPUTS_MAX = 2 * NETWORK_WIDTH_MAX };

/* What L1 reads of one view's hidden units. */
void output_layers_activate(const Network *network, uint8_t *active, const int16_t *hidden);

/* The evaluation for the side to move by the weights of this bucket (network_bucket()). Not
 * limited: the caller does that. */
int output_layers_evaluate(const Network *network, const uint8_t *active, int bucket);
