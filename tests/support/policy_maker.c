/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/policy_maker.h"

#include "engine/base/random.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* A message while it is written; grows. */
typedef struct {
    uint8_t *bytes;
    size_t size;
} Message;

static void put(Message *m, const void *bytes, size_t size)
{
    m->bytes = realloc(m->bytes, m->size + size + 1);
    assert_non_null(m->bytes);
    memcpy(m->bytes + m->size, bytes, size);
    m->size += size;
}

static void put_varint(Message *m, uint64_t value)
{
    do {
        uint8_t byte = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
        put(m, &byte, 1);
    } while (value >>= 7);
}

static void put_number(Message *m, int field, uint64_t value)
{
    put_varint(m, (uint64_t)field << 3);
    put_varint(m, value);
}

static void put_four(Message *m, int field, const void *bytes)
{
    put_varint(m, (uint64_t)field << 3 | 5);
    put(m, bytes, 4);
}

/* Takes the part's memory. */
static void put_message(Message *m, int field, Message part)
{
    put_varint(m, (uint64_t)field << 3 | 2);
    put_varint(m, part.size);
    put(m, part.bytes, part.size);
    free(part.bytes);
}

static Message layer(size_t count, float low, float high, uint64_t *seed)
{
    Message m = { 0 }, numbers = { 0 };
    for (size_t i = 0; i < count; i++) {
        uint16_t word = (uint16_t)random_next(seed);
        put(&numbers, &word, sizeof word);
    }
    put_four(&m, 1, &low);
    put_four(&m, 2, &high);
    put_message(&m, 3, numbers);
    return m;
}

static Message convolution(const PolicyShape *shape, int inputs, int outputs, int size,
                           bool is_normalised, uint64_t *seed)
{
    Message m = { 0 };
    float weight = 1.0F / (float)(inputs * size);
    size_t taps = (size_t)(size * size);
    float low = shape->range_is_wrong ? 1 : -weight;
    put_message(&m, 1, layer((size_t)inputs * (size_t)outputs * taps, low, weight, seed));
    if (!is_normalised) {
        put_message(&m, 2, layer((size_t)outputs, -1, 1, seed));
        return m;
    }
    put_message(&m, 3, layer((size_t)outputs, -0.1F, 0.1F, seed));
    put_message(&m, 4,
                layer((size_t)outputs, shape->variance_is_wrong ? -1 : 0.01F,
                      shape->variance_is_wrong ? -0.5F : 0.1F, seed));
    put_message(&m, 5, layer((size_t)outputs, 0.1F, 0.3F, seed));
    put_message(&m, 6, layer((size_t)outputs, -0.1F, 0.1F, seed));
    return m;
}

static Message residual(const PolicyShape *shape, uint64_t *seed)
{
    Message m = { 0 }, excitation = { 0 };
    size_t filters = (size_t)shape->filters, squeezed = 4;
    put_message(&m, 1, convolution(shape, shape->filters, shape->filters, 3, true, seed));
    put_message(&m, 2, convolution(shape, shape->filters, shape->filters, 3, true, seed));
    put_message(&excitation, 1, layer(squeezed * filters, -1, 1, seed));
    put_message(&excitation, 2, layer(squeezed, -1, 1, seed));
    put_message(&excitation, 3, layer(2 * filters * squeezed, -0.5F, 0.5F, seed));
    put_message(&excitation, 4, layer(2 * filters, -0.5F, 0.5F, seed));
    put_message(&m, 3, excitation);
    return m;
}

static Message weights(const PolicyShape *shape)
{
    enum { VALUE_PLANES = 4, VALUE_HIDDEN = 8 };
    uint64_t random = shape->seed, *seed = &random;
    Message m = { 0 };
    put_message(&m, 1, convolution(shape, 112, shape->filters, 3, true, seed));
    for (int i = 0; i < shape->blocks; i++)
        put_message(&m, 2, residual(shape, seed));
    put_message(&m, 11, convolution(shape, shape->filters, shape->filters, 3, true, seed));
    put_message(
        &m, 3,
        convolution(shape, shape->filters, shape->policy_is_small ? 73 : 80, 3, false, seed));
    put_message(&m, 6, convolution(shape, shape->filters, VALUE_PLANES, 1, true, seed));
    put_message(&m, 7, layer((size_t)VALUE_HIDDEN * VALUE_PLANES * 64, -0.1F, 0.1F, seed));
    put_message(&m, 8, layer(VALUE_HIDDEN, -0.1F, 0.1F, seed));
    put_message(&m, 9, layer((size_t)3 * VALUE_HIDDEN, -1, 1, seed));
    put_message(&m, 10, layer(3, -1, 1, seed));
    return m;
}

static Message format(const PolicyShape *shape)
{
    static const int values[] = { 0, 1, 2, 4, 2, 2 };
    Message m = { 0 }, network = { 0 };
    for (int i = 1; i <= 5; i++)
        put_number(&network, i,
                   (uint64_t)(i == shape->format_field ? shape->format_value : values[i]));
    if (shape->format_field > 5)
        put_number(&network, shape->format_field, (uint64_t)shape->format_value);
    put_number(&m, 1, shape->encoding ? (uint64_t)shape->encoding : 1);
    put_message(&m, 2, network);
    return m;
}

PolicyFile policy_message_make(const PolicyShape *shape)
{
    Message m = { 0 };
    uint32_t magic = 0x1c0 ^ shape->magic_xor;
    put_four(&m, 1, &magic);
    put_message(&m, 4, format(shape));
    put_message(&m, 10, weights(shape));
    return (PolicyFile){ m.bytes, m.size };
}

PolicyFile policy_file_make(const PolicyShape *shape)
{
    PolicyFile message = policy_message_make(shape);
    z_stream stream = { .next_in = message.bytes, .avail_in = (uInt)message.size };
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY),
                     Z_OK);
    uLong room = deflateBound(&stream, (uLong)message.size);
    PolicyFile file = { malloc(room), 0 };
    assert_non_null(file.bytes);
    stream.next_out = file.bytes;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    file.size = stream.total_out;
    deflateEnd(&stream);
    policy_file_release(&message);
    return file;
}

void policy_file_release(PolicyFile *file)
{
    free(file->bytes);
    *file = (PolicyFile){ 0 };
}
