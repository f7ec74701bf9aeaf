/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h's network_embedded(): the file CASTLED_NETWORK lies in the program as it is. */
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
        ".byte 0\n"
        ".popsection\n");
extern const uint8_t castled_network_begin[], castled_network_end[];

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
