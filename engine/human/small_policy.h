/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_policy.h - castled's own network of people's moves: one hidden layer over the position, and
 * a vector for each trait of a move (move_traits.h). A move's logit is the inner product of the
 * hidden layer with the sum of its traits' vectors, plus the traits' own numbers. Some 17 us a
 * position of 512 units. The rating of the mover is one of its inputs.
 *
 * The file: SMALL_POLICY_MAGIC with its NUL, to 24 bytes; the width as 32 bits, 4 zeros and the
 * SHA-256 of the manifest's recipe; then int16 biases, int8 input rows, int16 numbers of the
 * traits, int8 vectors. All little-endian; biases and rows in steps of 1/64, numbers of 1/1024,
 * vectors of 1/256. */
#pragma once
#include "engine/base/error.h"
#include "engine/core/movegen.h"
#include "engine/human/move_traits.h"

#include <stddef.h>

enum {
    SMALL_POLICY_WIDTH_STEP = 32,
    SMALL_POLICY_WIDTH_MAX = 512,
    SMALL_POLICY_HASH_SIZE = 32,
    SMALL_POLICY_HEADER_SIZE = 64,
    SMALL_POLICY_INPUT_ONE = 64,    /* stands for 1 in input rows, biases and hidden units */
    SMALL_POLICY_VECTOR_ONE = 256,  /* … in the traits' vectors */
    SMALL_POLICY_NUMBER_ONE = 1024, /* … in the traits' own numbers */
    SMALL_POLICY_HIDDEN_MAX = 2047, /* hidden units are held to it */
};
#define SMALL_POLICY_MAGIC "castled people 2"

/* Views of a file's bytes. */
typedef struct {
    int width;
    const int16_t *biases;
    const int8_t *inputs; /* [TRAITS_INPUTS][width] */
    const int16_t *numbers;
    const int8_t *vectors; /* [TRAITS_COUNT][width] */
} SmallPolicy;

/* Are these the bytes of such a file, whole or not? */
bool small_policy_is(const uint8_t *bytes, size_t size);

/* How large a file of that width is. */
size_t small_policy_size(int width);

/* The bytes, at an even address, are lent as long as the view is used. */
bool small_policy_view(SmallPolicy *out, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;

/* The file that is built in. */
const uint8_t *small_policy_embedded(size_t *size);

/* The probability of each of the legal moves, sum 1. `pos` is the newest position of the history.
 * Allocates nothing. */
void small_policy_evaluate(const SmallPolicy *policy, const HumanHistory *history,
                           const Position *pos, const MoveList *moves, int elo,
                           float probability[MAX_MOVES]);
