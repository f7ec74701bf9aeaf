/* SPDX-License-Identifier: GPL-3.0-or-later */
/* policy_maker.h - small policy networks of random weights, in Lc0's file format. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int filters, blocks;
    uint64_t seed;
    /* What is to be wrong; zeros: nothing. */
    uint32_t magic_xor;
    int format_field, format_value; /* of NetworkFormat, instead of what Maia has */
    int encoding;                   /* instead of LINEAR16; 0: that */
    bool range_is_wrong, variance_is_wrong, policy_is_small;
} PolicyShape;

typedef struct {
    uint8_t *bytes;
    size_t size;
} PolicyFile;

/* The caller releases. */
PolicyFile policy_file_make(const PolicyShape *shape);
/* The same, not packed. */
PolicyFile policy_message_make(const PolicyShape *shape);
void policy_file_release(PolicyFile *file);
