/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_batch.h - what a network such as Maia's makes of many positions at once: each takes a
 * third of policy_evaluate()'s time. For making labels. */
#pragma once
#include "engine/human/policy_network.h"

enum { POLICY_BATCH_MAX = 16 };

/* Weights in the form that this needs, some 8 MB, and room for one batch. The network is lent while
 * it lives; of our own kind there is none (an Error). The caller frees. */
typedef struct PolicyBatch PolicyBatch;
bool policy_batch_new(PolicyBatch **out, const PolicyNetwork *network, Error *err) MUST_CHECK;
void policy_batch_free(PolicyBatch *batch);

/* As policy_evaluate() takes and gives them. */
typedef struct {
    const HumanHistory *history;
    const Position *pos;
    const MoveList *moves;
    float *probability; /* of each move, sum 1 */
} PolicyQuery;

/* Up to POLICY_BATCH_MAX; each is answered as it would be alone. Allocates nothing. */
void policy_batch_evaluate(PolicyBatch *batch, const PolicyQuery *queries, int count);

/* Computes with the n-th kind of instructions from now on (winograd_nth()); false: there is none.
 * For tests and measurements. */
bool policy_batch_force(PolicyBatch *batch, int n);
