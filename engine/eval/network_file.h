/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network_file.h - the bytes of a network: what the trainer writes and the engine reads.
 *
 * The network sees the board from both sides (features.h). The feature transformer (FT) sums, for
 * each view, one row of weights for each active input, and a bias, into `width` hidden units. Three
 * layers follow, L1 to L3, whose weights are those of a bucket by the number of pieces. All weights
 * are integers:
 *
 *     hidden = clamp(bias + rows, 0, QA)                      both views: 2 * width units
 *     active = (hidden * partner + 256) / 512                 0..127
 *     l1     = bias + sum of active * weight                  16 neurons, one = QC = 127 * QB
 *     inputs = clamp(l1, 0, QC), and then                     30: not of the last neuron
 *              min(|l1|, QC)^2 / QC
 *     l2     = bias + sum of inputs * weight                  32 neurons, one = QC * QD
 *     logit  = last neuron of l1 * QD                         one = QC * QD
 *              + sum of clamp(l2 / QD, 0, QC) * weight
 *     eval   = logit * scale / (QC * QD)                      centipawns, side to move
 *
 * A network of squares has each unit as its own partner: `width` activations of a view. In one of
 * products, unit i of a view's first half meets unit i of the second half: width / 2 activations.
 *
 * A file is a header of 128 bytes and the payload, all little-endian:
 *
 *       0  char[8]  "CASTNNUE"             40  u64       size of the payload in bytes
 *       8  u32      version, 3             48  u64       FNV-1a of the payload
 *      12  u32      size of the header     56  u8[24]    zero
 *      16  u32      hash of the shape      80  u8[32]    SHA-256 of the training's manifest
 *      20  u16      width                 112  char[16]  name, filled up with zeros
 *      22  u8       1: views are mirrored so that the own king stands on the files a to d
 *      23  u8       output buckets
 *      24  u8       king buckets, 4 or 8; of a variant 1
 *      25  u8       rules (ruleset.h); 0 is chess
 *      26  u8       activations: 0 squares, 1 products
 *      27  u8       zero
 *      28  i32[3]   QA, QB, scale
 *
 *     payload: int16 FT weights [inputs][width]: 768 for each king bucket; of variants,
 *                    variant_features.h
 *              int16 FT biases [width]
 *              int8  L1 weights [buckets][2 * activations / 4][16][4], us then them: what four
 *                    neighbours give to all neurons stands together, as they are often all 0
 *              int32 L1 biases [buckets][16]
 *              int16 L2 weights [buckets][15][32][2]: two inputs of each neuron together
 *              int32 L2 biases [buckets][32]
 *              int16 L3 weights [buckets][32]
 *
 * The hash of the shape is FNV-1a (32 bits) of a text like "768hmx4-(256)x2-16-32-1x8-qa255-qb96",
 * "768hmx8-(768p)x2-..." for products, or "atomic-768hmx1-(128)x2-..." for a variant; that of the
 * payload has 64 bits and finds damage, not forgery.
 * Everything here may be called by any thread.
 * After: chessprogramming.org, "NNUE", "Stockfish NNUE"; RFC 9923 for FNV-1a. */
#pragma once
#include "engine/base/error.h"
#include "engine/eval/variant_features.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NETWORK_ACTIVE_MAX = 32, /* inputs of one view: one for each piece of a game's board */
    NETWORK_WIDTH_STEP = 32, /* a view's units and activations are multiples of it, so that kernels
                                have no remainder */
    NETWORK_WIDTH_MAX = 1024,
    NETWORK_BUCKETS_MAX = 8,
    NETWORK_QA = 255,
    NETWORK_ACTIVATION_MAX = 127,
    NETWORK_QB = 96,
    NETWORK_QC = NETWORK_ACTIVATION_MAX * NETWORK_QB,
    NETWORK_QD = 1024,
    NETWORK_L1 = 16, /* neurons of the layers behind the hidden units */
    NETWORK_L2_INPUTS = 2 * (NETWORK_L1 - 1),
    NETWORK_L2 = 32,
    NETWORK_L1_BIAS_MAX = 1 << 24, /* far beyond any that training gives */
    NETWORK_SCALE_MAX = 2000,
    NETWORK_HEADER_SIZE = 128,
    NETWORK_NAME_SIZE = 17, /* with its NUL */
    NETWORK_HASH_SIZE = 32,
    NETWORK_GENERATION_MAX = 7, /* letters of a generation, in front of "-" and 8 digits */
};

/* What L1 reads of the hidden units. */
typedef enum { NETWORK_SQUARES, NETWORK_PRODUCTS, NETWORK_ACTIVATIONS } NetworkActivation;

/* What sizes depend on. */
typedef struct {
    int width;   /* hidden units of one view */
    int buckets; /* output buckets: 1, or 8 by piece count */
    Ruleset ruleset;
    int king_buckets; /* 4 or 8 (features.h); of a variant 1 */
    NetworkActivation activation;
} NetworkShape;

typedef struct {
    int width; /* this and the next as in NetworkShape */
    int buckets;
    int king_buckets;
    NetworkActivation activation;
    int scale;                                  /* centipawns of one logit, 1..NETWORK_SCALE_MAX */
    char name[NETWORK_NAME_SIZE];               /* "c1a-0123abcd" */
    uint8_t manifest_sha256[NETWORK_HASH_SIZE]; /* of the training's manifest */
    Ruleset ruleset;
} NetworkInfo;

static inline NetworkShape network_shape_of(const NetworkInfo *info)
{
    return (NetworkShape){ info->width, info->buckets, info->ruleset, info->king_buckets,
                           info->activation };
}

/* Inputs of a view, for chess those of all king buckets. */
static inline int network_inputs(NetworkShape shape)
{
    return shape.ruleset == RULES_STANDARD ? shape.king_buckets * FEATURES_OF_BUCKET
                                           : variant_features_table[shape.ruleset].inputs;
}

/* Activations of a view. */
static inline int network_activations(NetworkShape shape)
{
    return shape.activation == NETWORK_PRODUCTS ? shape.width / 2 : shape.width;
}

/* Weights in the order of the file. The arrays are the caller's. */
typedef struct {
    int16_t *ft_weights; /* [network_inputs()][width] */
    int16_t *ft_biases;  /* [width] */
    int8_t *l1_weights;  /* [buckets][2 * activations / 4][NETWORK_L1][4] */
    int32_t *l1_biases;  /* [buckets][NETWORK_L1] */
    int16_t *l2_weights; /* [buckets][NETWORK_L2_INPUTS / 2][NETWORK_L2][2] */
    int32_t *l2_biases;  /* [buckets][NETWORK_L2] */
    int16_t *l3_weights; /* [buckets][NETWORK_L2] */
} NetworkWeights;

/* Where a weight of L1 stands; activations of the side to move come first. */
static inline size_t network_l1_at(NetworkShape shape, int bucket, int neuron, int from)
{
    size_t four = ((size_t)bucket * 2 * (size_t)network_activations(shape) + (size_t)from) / 4;
    return (four * NETWORK_L1 + (size_t)neuron) * 4 + (size_t)from % 4;
}

static inline size_t network_l2_at(int bucket, int neuron, int input)
{
    size_t two = (size_t)bucket * (NETWORK_L2_INPUTS / 2) + (size_t)input / 2;
    return (two * NETWORK_L2 + (size_t)neuron) * 2 + (size_t)input % 2;
}

/* How a trained weight becomes an integer. Units: NETWORK_QA for weights and biases of the FT,
 * NETWORK_QB for L1's weights, which are cut at ±127, and NETWORK_QC for its biases,
 * NETWORK_QD for all weights behind it, NETWORK_QC * NETWORK_QD for L2's biases. */
static inline int32_t network_quantise(float weight, int unit)
{
    return (int32_t)lrintf(weight * (float)unit);
}

/* Which output weights count where so many pieces, at least 2, stand on the board. */
static inline int network_bucket(int buckets, int pieces)
{
    int bucket = (pieces - 2) / 4;
    return bucket < buckets ? bucket : buckets - 1;
}

/* The same for the variant's network, however few pieces there are. */
static inline int network_variant_bucket(Ruleset ruleset, int buckets, int pieces)
{
    int bucket = (pieces - 2) / variant_features_table[ruleset].bucket_step;
    return bucket < buckets ? bucket : buckets - 1;
}

/* Is there such a shape? */
bool network_shape_check(NetworkShape shape, Error *err) MUST_CHECK;

/* Bytes of the payload, of the whole file, for a shape that exists. */
size_t network_payload_size(NetworkShape shape);
size_t network_file_size(NetworkShape shape);

/* An array of the payload. */
typedef struct {
    size_t offset; /* from the payload's beginning, a multiple of 64 */
    size_t count;  /* of its numbers */
    int bits;      /* of a number: 8, 16 or 32 */
} NetworkArray;

enum { NETWORK_ARRAYS = 7 };

/* The arrays in the order of NetworkWeights. */
void network_layout(NetworkArray arrays[NETWORK_ARRAYS], NetworkShape shape);

/* Points the weights at a payload in memory. */
NetworkWeights network_weights_at(void *payload, NetworkShape shape);

/* Can no sum overflow, whatever the position? Kernels rest on these bounds:
 * a bias of the FT and the 32 largest weights of its column add up to at most 32767 (in variants,
 * as many as a game's board and hands switch on); no L1 weight is -128, and no L1 bias beyond
 * NETWORK_L1_BIAS_MAX; the weights of an L2 neuron, times QC, and its bias add up to at most
 * 2^31 - 1, and so do the L3 weights of a bucket times QC. */
bool network_weights_check(const NetworkInfo *info, const NetworkWeights *weights,
                           Error *err) MUST_CHECK;

/* The file of a network, malloc'ed: the caller frees `*bytes`. Of `info`, the name is not read:
 * the file is named `generation` (at most NETWORK_GENERATION_MAX letters and digits), "-" and the
 * first eight digits of the payload's hash. False where the shape or the weights are refused. */
bool network_file_write(uint8_t **bytes, size_t *size, const NetworkInfo *info,
                        const NetworkWeights *weights, const char *generation,
                        Error *err) MUST_CHECK;

/* Reads the header and checks all that can be checked without the weights: shape, constants, exact
 * size, hash. */
bool network_file_read(NetworkInfo *info, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;

/* What the header of a file that network_file_read() would take says. */
NetworkInfo network_file_info(const uint8_t *bytes);

/* Copies the weights of a file that network_file_read() took into the caller's arrays, and checks
 * them. On failure the arrays hold anything. */
bool network_file_read_weights(const NetworkWeights *weights, const NetworkInfo *info,
                               const uint8_t *bytes, Error *err) MUST_CHECK;
