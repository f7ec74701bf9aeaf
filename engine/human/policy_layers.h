/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_layers.h - the layers of a policy network other than its convolutions, for one position
 * (policy_network.h) and for many (policy_batch.h). Internal. Boards are as convolution.h has them.
 */
#pragma once
#include "engine/core/movegen.h"
#include "engine/human/human_view.h"
#include "engine/human/policy_file.h"

/* So many boards that follow each other, of zeros. The caller frees; NULL without memory. */
float *policy_board_new(int boards, int stride);

/* Index of a square in a board. */
int policy_square(Square square);

/* The first layer, a convolution with ReLU, of planes that are nearly empty. */
void policy_input_layer(float *to, const PolicyLayer *layer, const HumanPlane *planes);

/* A fully connected layer. */
void policy_connect(float *to, const PolicyLayer *layer, const float *from);

/* ReLU. */
void policy_rectify(float *values, int count);

/* x = ReLU of x and `y`, of which the mean of each filter over the board decides how much is let
 * through. `room` has POLICY_EXCITE_ROOM numbers. */
enum { POLICY_EXCITE_ROOM = 8 * POLICY_FILTERS_MAX };
void policy_excite(float *x, const float *y, const PolicyBlock *block, float *room);

/* The probability of each move, sum 1, from the policy's last layer. */
void policy_read_moves(float probability[], const float *outputs, const PolicyLayer *layer,
                       const Position *pos, const MoveList *moves);
