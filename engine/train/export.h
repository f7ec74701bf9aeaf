/* SPDX-License-Identifier: GPL-3.0-or-later */
/* export.h - from a trained model to a network file that the engine reads: weights rounded to
 * integers, and the scale that makes centipawns of logits.
 *
 * The scale is set so that the network's evaluations are, in the mean, as large as those of an
 * evaluation that the search's margins are tuned to. */
#pragma once
#include "engine/eval/network.h"
#include "engine/train/dataset.h"

/* The model as a network file; its name begins with `generation`. Malloc'ed: the caller frees. */
bool export_network(uint8_t **bytes, size_t *size, const float *parameters, const NetworkInfo *info,
                    const char *generation, Error *err) MUST_CHECK;

/* The opposite: parameters of the network's shape, as training may go on from them. */
void export_undo(float *parameters, const Network *network);

/* Centipawns for the side to move. */
typedef int ExportEvaluation(void *user, const Position *pos);

/* The scale with which the network's mean |evaluation| equals the reference's, over those of the
 * first `count` positions for validation where the reference says 50 to 400 centipawns for either
 * side; 50 to 1600 in variants, where one move may gain so much. False without such positions, or
 * where it would be beyond NETWORK_SCALE_MAX. */
bool export_fit_scale(int *scale, const Network *network, ExportEvaluation *reference, void *user,
                      const Dataset *data, uint32_t count, Error *err) MUST_CHECK;
