/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small_policy.h's small_policy_embedded(): the file CASTLED_PEOPLE_NETWORK lies in the program. */
#include "engine/human/small_policy.h"

__asm__(".pushsection .rodata\n"
        ".balign 64\n"
        ".hidden castled_people_begin\n"
        ".hidden castled_people_end\n"
        ".global castled_people_begin\n"
        ".global castled_people_end\n"
        "castled_people_begin:\n"
        ".incbin \"" CASTLED_PEOPLE_NETWORK "\"\n"
        "castled_people_end:\n"
        ".byte 0\n"
        ".popsection\n");
extern const uint8_t castled_people_begin[], castled_people_end[];

const uint8_t *small_policy_embedded(size_t *size)
{
    *size = (size_t)(castled_people_end - castled_people_begin);
    return castled_people_begin;
}
