/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/syzygy_maker.h"

#include <string.h>

enum {
    INDICES = 31332,
    BLOCK_BITS = 6, /* 64 bytes, 512 codes of one bit */
    SPAN_BITS = 8,
    CODES_PER_BLOCK = 512,
    BLOCKS = 62,
    SPANS = 123,
    SPARSE_AT = 50,
    LENGTHS_AT = SPARSE_AT + 2 * SPANS * 6,
    DATA_AT = 1792,
};

static size_t put_head(uint8_t *out, const uint8_t magic[4], int piece)
{
    int king = 6;
    int other_king = 14;
    memcpy(out, magic, 4);
    out[4] = 1; /* two-sided, no pawns */
    out[5] = 0; /* the three pieces are the only digit of the index */
    out[6] = (uint8_t)(king << 4 | king);
    out[7] = (uint8_t)(piece << 4 | piece);
    out[8] = (uint8_t)(other_king << 4 | other_king);
    out[9] = 0;
    return 10;
}

static const uint8_t wdl_magic[4] = { 0x71, 0xe8, 0x23, 0x5d };
static const uint8_t dtz_magic[4] = { 0xd7, 0x66, 0x0c, 0xa5 };

void maker_constant_wdl(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int white, int black)
{
    memset(out, 0, MAKER_CONSTANT_SIZE);
    size_t at = put_head(out, wdl_magic, piece);
    out[at++] = 0x80;
    out[at++] = (uint8_t)white;
    out[at++] = 0x80;
    out[at++] = (uint8_t)black;
}

void maker_constant_dtz(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int flags, int value)
{
    memset(out, 0, MAKER_CONSTANT_SIZE);
    size_t at = put_head(out, dtz_magic, piece);
    out[at++] = (uint8_t)(0x80 | flags);
    out[at++] = (uint8_t)value;
}

static void put_le16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)value;
    at[1] = (uint8_t)(value >> 8);
}

void maker_mapped_dtz(uint8_t out[MAKER_CONSTANT_SIZE], int piece, int flags, int value)
{
    maker_constant_dtz(out, piece, 2 | flags, value);
    uint8_t *at = out + 12;
    for (size_t list = 0; list < 4; list++)
        for (size_t i = 0; i < 3; i++) {
            size_t first = 10 * list + (flags & 16 ? 300 : 30);
            size_t number = i == 0 ? 2 : first + i - 1;
            if (flags & 16)
                put_le16(at, number);
            else
                *at = (uint8_t)number;
            at += flags & 16 ? 2 : 1;
        }
}

int maker_bit(size_t index, int side)
{
    uint64_t mixed = ((uint64_t)index * 2 + (uint64_t)side + 1) * 0x9e3779b97f4a7c15ULL;
    return (int)(mixed >> 63);
}

/* Two symbols with codes 0 and 1, each a single value. */
static size_t put_code(uint8_t *out, size_t at, int zero, int one)
{
    const uint8_t code[] = {
        0,
        BLOCK_BITS,
        SPAN_BITS,
        0,
        BLOCKS,
        0,
        0,
        0,
        1,
        1, /* longest and shortest code */
        0,
        0, /* first symbol of length 1 */
        2,
        0, /* symbols */
        (uint8_t)zero,
        0xf0,
        0xff,
        (uint8_t)one,
        0xf0,
        0xff,
    };
    memcpy(out + at, code, sizeof code);
    return at + sizeof code;
}

void maker_bits_wdl(uint8_t out[MAKER_BITS_SIZE], int piece)
{
    memset(out, 0, MAKER_BITS_SIZE);
    size_t at = put_head(out, wdl_magic, piece);
    at = put_code(out, at, 2, 4);
    put_code(out, at, 0, 2);
    for (int side = 0; side < 2; side++) {
        for (size_t span = 0; span < SPANS; span++) {
            /* Block and place of the span's middle value; the last one lies beyond the end. */
            size_t middle = (span << SPAN_BITS) + ((size_t)1 << SPAN_BITS) / 2;
            uint8_t *entry = out + SPARSE_AT + (size_t)side * SPANS * 6 + span * 6;
            put_le16(entry, middle / CODES_PER_BLOCK);
            put_le16(entry + 4, middle % CODES_PER_BLOCK);
        }
        for (size_t block = 0; block < BLOCKS; block++)
            put_le16(out + LENGTHS_AT + ((size_t)side * BLOCKS + block) * 2, CODES_PER_BLOCK - 1);
        for (size_t index = 0; index < INDICES; index++)
            if (maker_bit(index, side))
                out[DATA_AT + ((size_t)side * BLOCKS << BLOCK_BITS) + index / 8] |=
                    (uint8_t)(0x80 >> index % 8);
    }
}
