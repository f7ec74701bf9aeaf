/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_layers.h"

#include "engine/human/convolution.h"
#include "engine/human/softmax.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

float *policy_board_new(int boards, int stride)
{
    size_t size = (size_t)boards * CONVOLUTION_SQUARES * (size_t)stride * sizeof(float);
    size_t rounded = (size + POLICY_ALIGNMENT - 1) / POLICY_ALIGNMENT * POLICY_ALIGNMENT;
    float *board = aligned_alloc(POLICY_ALIGNMENT, rounded);
    if (board)
        memset(board, 0, rounded);
    return board;
}

int policy_square(Square square)
{
    return convolution_square(square_rank(square), square_file(square));
}

static void add_scaled(float *to, const float *weights, float scale, int count)
{
    for (int i = 0; i < count; i++)
        to[i] += scale * weights[i];
}

/* Each square that is set is spread over its neighbours. */
void policy_input_layer(float *to, const PolicyLayer *layer, const HumanPlane *planes)
{
    for (Square square = 0; square < SQUARE_COUNT; square++)
        memcpy(to + policy_square(square) * layer->stride, layer->biases,
               (size_t)layer->stride * sizeof *to);
    for (int plane = 0; plane < HUMAN_PLANES; plane++)
        for (Bitboard left = planes[plane].squares; left;) {
            Square square = bitboard_pop(&left);
            for (int tap = 0; tap < 9; tap++) {
                int rank = square_rank(square) + 1 - tap / 3;
                int file = square_file(square) + 1 - tap % 3;
                if (rank >= 0 && rank < 8 && file >= 0 && file < 8)
                    add_scaled(to + convolution_square(rank, file) * layer->stride,
                               layer->weights + (tap * layer->inputs + plane) * layer->stride,
                               planes[plane].value, layer->stride);
            }
        }
    for (Square square = 0; square < SQUARE_COUNT; square++)
        for (int i = 0; i < layer->stride; i++) {
            float *at = &to[policy_square(square) * layer->stride + i];
            *at = *at > 0 ? *at : 0;
        }
}

void policy_connect(float *to, const PolicyLayer *layer, const float *from)
{
    memcpy(to, layer->biases, (size_t)layer->stride * sizeof *to);
    for (int i = 0; i < layer->inputs; i++)
        if (from[i] != 0)
            add_scaled(to, layer->weights + i * layer->stride, from[i], layer->stride);
}

void policy_rectify(float *values, int count)
{
    for (int i = 0; i < count; i++)
        values[i] = values[i] > 0 ? values[i] : 0;
}

void policy_excite(float *x, const float *y, const PolicyBlock *block, float *small)
{
    int filters = block->first.outputs, stride = block->first.stride;
    float *means = small, *squeezed = means + POLICY_FILTERS_MAX;
    float *excited = squeezed + POLICY_FILTERS_MAX;
    memset(means, 0, (size_t)filters * sizeof *means);
    for (Square square = 0; square < SQUARE_COUNT; square++)
        add_scaled(means, y + policy_square(square) * stride, 1.0F / SQUARE_COUNT, filters);
    policy_connect(squeezed, &block->squeeze, means);
    policy_rectify(squeezed, block->squeeze.stride);
    policy_connect(excited, &block->excite, squeezed);
    for (int i = 0; i < filters; i++)
        excited[i] = 1 / (1 + expf(-excited[i]));
    for (Square square = 0; square < SQUARE_COUNT; square++) {
        int at = policy_square(square) * stride;
        for (int i = 0; i < filters; i++) {
            float sum = excited[i] * y[at + i] + excited[filters + i] + x[at + i];
            x[at + i] = sum > 0 ? sum : 0;
        }
    }
}

void policy_read_moves(float probability[], const float *outputs, const PolicyLayer *layer,
                       const Position *pos, const MoveList *moves)
{
    for (int i = 0; i < moves->count; i++) {
        int index = human_output_index(pos, moves->moves[i]);
        int square = policy_square((Square)(index % SQUARE_COUNT));
        probability[i] = outputs[square * layer->stride + index / SQUARE_COUNT];
    }
    softmax(probability, moves->count);
}
