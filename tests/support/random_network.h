/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_network.h - networks with random weights, for tests that need any network. */
#pragma once
#include "engine/eval/network.h"

/* The bytes of the file of a chess network of squares with 4 king buckets, malloc'ed; the same for
 * the same arguments. */
uint8_t *random_network_file(uint64_t seed, int width, int buckets, size_t *size);

/* The network of such a file; the caller frees. */
Network *random_network(uint64_t seed, int width, int buckets);

/* Both for any shape. */
uint8_t *random_network_file_of(NetworkShape shape, uint64_t seed, size_t *size);
Network *random_network_of(NetworkShape shape, uint64_t seed);

/* The shape of a variant's network. */
NetworkShape variant_network_shape(Ruleset ruleset, int width, int buckets);
