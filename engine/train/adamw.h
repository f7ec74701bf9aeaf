/* SPDX-License-Identifier: GPL-3.0-or-later */
/* adamw.h - one step of gradient descent: Adam with decoupled weight decay, and weights clipped to
 * what the network's integers can hold. Pure; threads may work on slices that do not overlap.
 * After: Loshchilov and Hutter, "Decoupled Weight Decay Regularization", 2017. */
#pragma once
#include <stddef.h>
#include <stdint.h>

#define ADAMW_CLIP 1.98F /* keeps the hidden units within 16 bits; export.c cuts layers further */

typedef struct {
    float *parameters;
    float *first, *second; /* running means of the gradient and of its square; 0 at first */
} AdamwState;

/* Step number `step`, from 1, at this learning rate, for the parameters [from, to). The gradient
 * is the sum of `count` arrays, added in their order; they are set to 0. */
void adamw_step(const AdamwState *state, float *const *gradients, int count, size_t from, size_t to,
                float rate, uint64_t step);
