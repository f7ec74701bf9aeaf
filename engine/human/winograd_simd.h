/* SPDX-License-Identifier: GPL-3.0-or-later */
/* winograd_simd.h - the transforms and products of winograd.h for vectors of LANES numbers;
 * included once by a file that says SQUARES (tiles at a time, a divisor of 8) and WINOGRAD (its
 * name), after convolution_simd.h. Internal. */
#include "engine/human/convolution.h"
#include "engine/human/winograd.h"

enum { SIDE = 6, TILE = 4 }; /* of a tile with its surroundings, and alone */

static_assert(SIDE * SIDE == WINOGRAD_POINTS &&
                  WINOGRAD_BOARDS_STEP * WINOGRAD_TILES % SQUARES == 0,
              "whole blocks");

/* One dimension of the transform of inputs, with the points 0, 1, -1, 2, -2 and infinity. */
static inline void transform_input(Vector to[SIDE], const Vector from[SIDE])
{
    Vector odd = from[3] - 4 * from[1], even = from[4] - 4 * from[2];
    Vector twice = 2 * (from[3] - from[1]), once = from[4] - from[2];
    to[0] = 4 * from[0] - 5 * from[2] + from[4];
    to[1] = even + odd;
    to[2] = even - odd;
    to[3] = once + twice;
    to[4] = once - twice;
    to[5] = 4 * from[1] - 5 * from[3] + from[5];
}

/* One dimension of the way back. */
static inline void transform_output(Vector to[TILE], const Vector from[SIDE])
{
    Vector sum = from[1] + from[2], difference = from[1] - from[2];
    Vector sum2 = from[3] + from[4], difference2 = from[3] - from[4];
    to[0] = from[0] + sum + sum2;
    to[1] = difference + 2 * difference2;
    to[2] = sum + 4 * sum2;
    to[3] = difference + 8 * difference2 + from[5];
}

/* The tile's upper left surroundings are at `from`; point 0 goes to `to`, the next ones each
 * `point` numbers on. */
static void spread(float *to, size_t point, const float *from, int stride)
{
    for (int first = 0; first < stride; first += LANES) {
        Vector half[SIDE][SIDE], column[SIDE], out[SIDE];
        for (int file = 0; file < SIDE; file++) {
            for (int rank = 0; rank < SIDE; rank++)
                column[rank] = load(from + (rank * CONVOLUTION_SIDE + file) * stride + first);
            transform_input(out, column);
            for (int rank = 0; rank < SIDE; rank++)
                half[rank][file] = out[rank];
        }
        for (int rank = 0; rank < SIDE; rank++) {
            transform_input(out, half[rank]);
            for (int file = 0; file < SIDE; file++)
                store(to + (size_t)(rank * SIDE + file) * point + first, out[file], false);
        }
    }
}

/* The same way back, to the tile's first square at `to`. */
static void gather(float *to, const float *from, size_t point, const PolicyLayer *layer,
                   bool has_relu)
{
    for (int first = 0; first < layer->stride; first += LANES) {
        Vector half[TILE][SIDE], column[SIDE], out[SIDE];
        Vector bias = load(layer->biases + first);
        for (int file = 0; file < SIDE; file++) {
            for (int rank = 0; rank < SIDE; rank++)
                column[rank] = load(from + (size_t)(rank * SIDE + file) * point + first);
            transform_output(out, column);
            for (int rank = 0; rank < TILE; rank++)
                half[rank][file] = out[rank];
        }
        for (int rank = 0; rank < TILE; rank++) {
            transform_output(out, half[rank]);
            for (int file = 0; file < TILE; file++)
                store(to + (rank * CONVOLUTION_SIDE + file) * layer->stride + first,
                      out[file] + bias, has_relu);
        }
    }
}

/* `to`[tile][outputs] = `from`[tile][inputs] × `weights`[inputs][outputs], for SQUARES tiles. */
static void multiply(float *to, const float *from, int from_stride, const PolicyLayer *layer,
                     const float *weights)
{
    for (int first = 0; first < layer->stride; first += 2 * LANES) {
        Vector sums[SQUARES][2] = { { { 0 } } };
        const float *row = weights + first;
        for (int i = 0; i < layer->inputs; i++, row += layer->stride) {
            Vector low = load(row), high = load(row + LANES);
            for (int t = 0; t < SQUARES; t++) {
                float input = from[t * from_stride + i];
                sums[t][0] += low * input;
                sums[t][1] += high * input;
            }
        }
        for (int t = 0; t < SQUARES; t++)
            for (int v = 0; v < 2; v++)
                store(to + t * layer->stride + first + v * LANES, sums[t][v], false);
    }
}

/* Where the surroundings of a tile begin, of all boards' tiles in a row. */
static size_t first_square(int tile)
{
    int board = tile / WINOGRAD_TILES, of_board = tile % WINOGRAD_TILES;
    int rank = of_board / 2 * TILE, file = of_board % 2 * TILE;
    return (size_t)(board * CONVOLUTION_SQUARES + rank * CONVOLUTION_SIDE + file);
}

void WINOGRAD(float *to, const float *from, int boards, int from_stride, const PolicyLayer *layer,
              const float *weights, float *room, bool has_relu)
{
    int tiles = boards * WINOGRAD_TILES;
    size_t point = (size_t)tiles * (size_t)from_stride;
    size_t out_point = (size_t)tiles * (size_t)layer->stride;
    float *inputs = room, *outputs = room + WINOGRAD_POINTS * point;
    assert(boards % WINOGRAD_BOARDS_STEP == 0);
    for (int t = 0; t < tiles; t++)
        spread(inputs + t * from_stride, point, from + first_square(t) * (size_t)from_stride,
               from_stride);
    for (int p = 0; p < WINOGRAD_POINTS; p++)
        for (int t = 0; t < tiles; t += SQUARES)
            multiply(outputs + (size_t)p * out_point + t * layer->stride,
                     inputs + (size_t)p * point + t * from_stride, from_stride, layer,
                     weights + (size_t)p * (size_t)layer->inputs * (size_t)layer->stride);
    for (int t = 0; t < tiles; t++) {
        /* A board's squares begin one rank and one file inside the border. */
        size_t square = first_square(t) + CONVOLUTION_SIDE + 1;
        gather(to + square * (size_t)layer->stride, outputs + t * layer->stride, out_point, layer,
               has_relu);
    }
}
