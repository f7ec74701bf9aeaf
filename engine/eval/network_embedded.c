/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network.h's network_embedded(): the file CASTLED_NETWORK lies in the program as it is, and behind
 * it CASTLED_VARIANT_NETWORKS, the files of the variants' networks. */
#include "engine/base/pages.h"
#include "engine/eval/network.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

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

static const uint8_t *embedded; /* the copy of the network, once it is made */

/* These bytes will hardly be read again. If they are, the system fetches them from the program's
 * file once more. */
static void forget(const uint8_t *bytes, size_t size)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), first = (uintptr_t)bytes;
    uintptr_t begin = (first + page - 1) / page * page, end = (first + size) / page * page;
    (void)madvise((void *)begin, end - begin, MADV_DONTNEED);
}

static void copy_embedded(void)
{
    size_t size;
    const uint8_t *file = network_embedded_file(&size);
    uint8_t *copy = pages_new(size);
    if (copy) {
        memcpy(copy, file, size);
        forget(file, size);
    }
    embedded = copy ? copy : file;
}

Network network_embedded(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, copy_embedded);
    return network_view(embedded);
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
