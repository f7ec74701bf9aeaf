/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h - a network in memory, ready for evaluating.
 *
 * Once made it is read-only: any number of engines and threads share one, as long as its owner
 * keeps it. Bytes that are no network are refused with a reason, never replaced by another one. */
#pragma once
#include "engine/eval/kernels.h"
#include "engine/eval/network_file.h"

typedef struct Network {
    NetworkInfo info;
    NetworkWeights weights; /* rows aligned for the kernels */
    const Kernels *kernels; /* the fastest that this processor has, or what network_force() chose */
} Network;

/* The networks that positions are evaluated with, by their rules. All are lent. That of chess is
 * there; NULL elsewhere: hand-written terms. */
typedef struct {
    const Network *of[RULESET_COUNT];
} Networks;

/* Reads a network file's bytes; they are not needed any more after. The caller frees. */
bool network_read(Network **out, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;

/* The same for a file; the Error names the path. */
bool network_load(Network **out, const char *path, Error *err) MUST_CHECK;

/* A view of the network that was built into the program, which owns nothing and is not freed;
 * nothing is copied, and nothing checked but by the tests. */
Network network_embedded(void);

/* The same network in memory of its own, in huge pages, which the program's bytes cannot have: a
 * search takes 3 % less time. The pages of those bytes are given back to the system until somebody
 * reads them again. NULL: no memory; what is built in does as well. The caller frees. */
Network *network_embedded_copy(void);

/* Its file, aligned for the kernels, for network_embedded() and the tests. */
const uint8_t *network_embedded_file(size_t *size);

/* The same for the network of a variant; false where there is none. */
bool network_embedded_of(Network *out, Ruleset ruleset);

/* The files of all of them, one behind the other; `size` may be 0. */
const uint8_t *network_embedded_variants(size_t *size);

/* A network in the bytes of a file that is known to be sound and aligned for the kernels. */
Network network_view(const uint8_t *file);

/* No engine may have it any more. NULL is fine. */
void network_free(Network *network);

/* Evaluates with these kernels from now on; no other thread may use the network. The results are
 * the same with all: for tests and measurements. */
void network_force(Network *network, const Kernels *kernels);

/* The weights of an input. */
static inline const int16_t *network_feature(const Network *network, int input)
{
    return network->weights.ft_weights + (size_t)input * (size_t)network->info.width;
}
