/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h's network_embedded(): the file CASTLED_NETWORK lies in the program as it is, and behind
 * it CASTLED_VARIANT_NETWORKS, the files of the variants' networks. */
#include "engine/eval/network.h"

#include <assert.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers in memory are as in the file");
static_assert(NETWORK_HEADER_SIZE % KERNELS_ALIGNMENT == 0, "weights are as aligned as the file");

__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".hidden castled_network_begin\n"
        ".hidden castled_network_end\n"
        ".global castled_network_begin\n"
        ".global castled_network_end\n"
        "castled_network_begin:\n"
        ".incbin \"" CASTLED_NETWORK "\"\n"
        "castled_network_end:\n"
        ".balign 64\n"
        ".hidden castled_variants_begin\n"
        ".hidden castled_variants_end\n"
        ".global castled_variants_begin\n"
        ".global castled_variants_end\n"
        "castled_variants_begin:\n"
        ".incbin \"" CASTLED_VARIANT_NETWORKS "\"\n"
        "castled_variants_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const uint8_t castled_network_begin[], castled_network_end[];
extern const uint8_t castled_variants_begin[], castled_variants_end[];

const uint8_t *network_embedded_file(size_t *size)
{
    *size = (size_t)(castled_network_end - castled_network_begin);
    return castled_network_begin;
}

Network network_embedded(void)
{
    size_t size;
    return network_view(network_embedded_file(&size));
}

const uint8_t *network_embedded_variants(size_t *size)
{
    *size = (size_t)(castled_variants_end - castled_variants_begin);
    return castled_variants_begin;
}

/* Whole files stay aligned: all their parts have sizes that are multiples of 64. */
bool network_embedded_of(Network *out, Ruleset ruleset)
{
    size_t size;
    const uint8_t *files = network_embedded_variants(&size);
    for (size_t at = 0; at < size;) {
        NetworkInfo info = network_file_info(files + at);
        if (info.ruleset == ruleset) {
            *out = network_view(files + at);
            return true;
        }
        at += network_file_size(network_shape_of(&info));
    }
    return false;
}
