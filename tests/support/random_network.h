/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random_network.h - networks with random weights, for tests that need any network. */
#pragma once
#include "engine/eval/network.h"

/* The bytes of a file, malloc'ed; the same for the same arguments. */
uint8_t *random_network_file(uint64_t seed, int width, int buckets, size_t *size);

/* The network of such a file; the caller frees. */
Network *random_network(uint64_t seed, int width, int buckets);

/* Both for the rules of a variant. */
uint8_t *random_network_file_of(Ruleset ruleset, uint64_t seed, int width, int buckets,
                                size_t *size);
Network *random_network_of(Ruleset ruleset, uint64_t seed, int width, int buckets);
