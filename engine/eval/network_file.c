/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char magic[8] = { 'C', 'A', 'S', 'T', 'N', 'N', 'U', 'E' }; /* no NUL */

enum { VERSION = 3, FLAG_MIRRORED = 1, ARRAY_STEP = 64 };

/* Where a header's fields lie. */
enum {
    AT_MAGIC = 0,
    AT_VERSION = 8,
    AT_HEADER_SIZE = 12,
    AT_SHAPE_HASH = 16,
    AT_WIDTH = 20,
    AT_FLAGS = 22,
    AT_BUCKETS = 23,
    AT_KING_BUCKETS = 24,
    AT_RULESET = 25,
    AT_ACTIVATION = 26,
    AT_ZERO = 27,
    AT_QA = 28,
    AT_QB = 32,
    AT_SCALE = 36,
    AT_PAYLOAD_SIZE = 40,
    AT_HASH = 48,
    AT_ZEROS = 56,
    AT_MANIFEST_SHA256 = 80,
    AT_NAME = 112,
};

static uint64_t get(const uint8_t *at, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static void put(uint8_t *at, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* The numbers of an array between memory and the file. */
static void get_all(void *to, const uint8_t *at, size_t count, int bits)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t value = get(at + i * (size_t)bits / 8, bits / 8);
        if (bits == 8)
            ((int8_t *)to)[i] = (int8_t)value;
        else if (bits == 16)
            ((int16_t *)to)[i] = (int16_t)value;
        else
            ((int32_t *)to)[i] = (int32_t)value;
    }
}

static void put_all(uint8_t *at, const void *from, size_t count, int bits)
{
    for (size_t i = 0; i < count; i++) {
        int64_t value = bits == 8    ? ((const int8_t *)from)[i]
                        : bits == 16 ? ((const int16_t *)from)[i]
                                     : ((const int32_t *)from)[i];
        put(at + i * (size_t)bits / 8, bits / 8, (uint64_t)value);
    }
}

static uint32_t shape_hash(NetworkShape shape)
{
    char text[96];
    bool is_chess = shape.ruleset == RULES_STANDARD;
    int length =
        snprintf(text, sizeof text, "%s%s%dhmx%d-(%d%s)x2-%d-%d-1x%d-qa%d-qb%d",
                 is_chess ? "" : variant_rules_table[shape.ruleset].uci_name, is_chess ? "" : "-",
                 network_inputs(shape) / shape.king_buckets, shape.king_buckets, shape.width,
                 shape.activation == NETWORK_PRODUCTS ? "p" : "", NETWORK_L1, NETWORK_L2,
                 shape.buckets, NETWORK_QA, NETWORK_QB);
    assert(length > 0 && (size_t)length < sizeof text);
    uint32_t hash = 0x811c9dc5;
    for (int i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x01000193;
    return hash;
}

static uint64_t payload_hash(const uint8_t *bytes, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool network_shape_check(NetworkShape shape, Error *err)
{
    int width = shape.width, buckets = shape.buckets, kings = shape.king_buckets;
    int step = shape.activation == NETWORK_PRODUCTS ? 2 * NETWORK_WIDTH_STEP : NETWORK_WIDTH_STEP;
    bool is_chess = shape.ruleset == RULES_STANDARD;
    if (width < step || width > NETWORK_WIDTH_MAX || width % step != 0 ||
        (buckets != 1 && buckets != NETWORK_BUCKETS_MAX))
        error_set(
            err, ERR_RANGE,
            "a width of %d and %d output buckets: not a multiple of %d within %d..%d, and 1 or %d",
            width, buckets, step, step, NETWORK_WIDTH_MAX, NETWORK_BUCKETS_MAX);
    else if (is_chess ? kings != 4 && kings != FEATURES_KING_BUCKETS_MAX : kings != 1)
        error_set(err, ERR_RANGE, "%d king buckets: not %s", kings,
                  is_chess ? "4 or 8" : "1, as variants have");
    else
        return true;
    return false;
}

void network_layout(NetworkArray arrays[NETWORK_ARRAYS], NetworkShape shape)
{
    const size_t w = (size_t)shape.width, b = (size_t)shape.buckets;
    const NetworkArray shapes[NETWORK_ARRAYS] = {
        { .count = (size_t)network_inputs(shape) * w, .bits = 16 },
        { .count = w, .bits = 16 },
        { .count = b * 2 * (size_t)network_activations(shape) * NETWORK_L1, .bits = 8 },
        { .count = b * NETWORK_L1, .bits = 32 },
        { .count = b * NETWORK_L2_INPUTS * NETWORK_L2, .bits = 16 },
        { .count = b * NETWORK_L2, .bits = 32 },
        { .count = b * NETWORK_L2, .bits = 16 },
    };
    size_t offset = 0;
    for (int i = 0; i < NETWORK_ARRAYS; i++) {
        arrays[i] = shapes[i];
        arrays[i].offset = offset;
        offset += arrays[i].count * (size_t)arrays[i].bits / 8;
        assert(offset % ARRAY_STEP == 0);
    }
}

NetworkWeights network_weights_at(void *payload, NetworkShape shape)
{
    NetworkArray arrays[NETWORK_ARRAYS];
    uint8_t *at = payload;
    network_layout(arrays, shape);
    return (NetworkWeights){
        .ft_weights = (void *)(at + arrays[0].offset),
        .ft_biases = (void *)(at + arrays[1].offset),
        .l1_weights = (void *)(at + arrays[2].offset),
        .l1_biases = (void *)(at + arrays[3].offset),
        .l2_weights = (void *)(at + arrays[4].offset),
        .l2_biases = (void *)(at + arrays[5].offset),
        .l3_weights = (void *)(at + arrays[6].offset),
    };
}

/* The array with this number. */
static void *array_of(const NetworkWeights *weights, int number)
{
    void *const arrays[NETWORK_ARRAYS] = {
        weights->ft_weights, weights->ft_biases, weights->l1_weights, weights->l1_biases,
        weights->l2_weights, weights->l2_biases, weights->l3_weights,
    };
    return arrays[number];
}

size_t network_payload_size(NetworkShape shape)
{
    NetworkArray arrays[NETWORK_ARRAYS];
    network_layout(arrays, shape);
    const NetworkArray *last = &arrays[NETWORK_ARRAYS - 1];
    return last->offset + last->count * (size_t)last->bits / 8;
}

size_t network_file_size(NetworkShape shape)
{
    return NETWORK_HEADER_SIZE + network_payload_size(shape);
}

/* The most that a hidden unit's sum can differ from zero with the king in this bucket. */
static int hidden_bound(const NetworkInfo *info, const NetworkWeights *weights, int unit,
                        int king_bucket)
{
    int largest[VARIANT_FEATURES_ACTIVE_MAX] = { 0 }; /* falling */
    int inputs = network_inputs(network_shape_of(info)) / info->king_buckets;
    int first = king_bucket * inputs, active_max = NETWORK_ACTIVE_MAX;
    if (info->ruleset != RULES_STANDARD)
        active_max = variant_features_table[info->ruleset].active_max;
    for (int input = first; input < first + inputs; input++) {
        int weight = abs(weights->ft_weights[input * info->width + unit]);
        int at = active_max;
        while (at > 0 && largest[at - 1] < weight)
            at--;
        if (at == active_max)
            continue;
        memmove(&largest[at + 1], &largest[at], (size_t)(active_max - 1 - at) * sizeof *largest);
        largest[at] = weight;
    }
    int sum = abs(weights->ft_biases[unit]);
    for (int i = 0; i < active_max; i++)
        sum += largest[i];
    return sum;
}

static bool features_check(const NetworkInfo *info, const NetworkWeights *weights, Error *err)
{
    int buckets = info->king_buckets;
    for (int i = 0; i < info->width * buckets; i++) {
        int unit = i / buckets;
        int bound = hidden_bound(info, weights, unit, i % buckets);
        if (bound > INT16_MAX) {
            error_set(err, ERR_RANGE, "hidden unit %d can reach %d, not at most %d", unit, bound,
                      INT16_MAX);
            return false;
        }
    }
    return true;
}

static bool l1_check(const NetworkInfo *info, const NetworkWeights *weights, Error *err)
{
    NetworkShape shape = network_shape_of(info);
    size_t count = network_l1_at(shape, info->buckets, 0, 0);
    for (size_t i = 0; i < count; i++) {
        if (weights->l1_weights[i] == INT8_MIN) {
            error_set(err, ERR_RANGE, "L1 weight %zu is -128, not within -127..127", i);
            return false;
        }
    }
    for (int i = 0; i < info->buckets * NETWORK_L1; i++) {
        if (weights->l1_biases[i] < -NETWORK_L1_BIAS_MAX ||
            weights->l1_biases[i] > NETWORK_L1_BIAS_MAX) {
            error_set(err, ERR_RANGE, "L1 bias %d is %d, not within -%d..%d", i,
                      weights->l1_biases[i], NETWORK_L1_BIAS_MAX, NETWORK_L1_BIAS_MAX);
            return false;
        }
    }
    return true;
}

/* The most that neuron `neuron` of L2, or with -1 what L3 adds to the
 * logit, can differ from zero. */
static int64_t l2_l3_bound(const NetworkWeights *weights, int bucket, int neuron)
{
    int64_t sum = 0, bias = 0;
    if (neuron < 0) {
        for (int i = 0; i < NETWORK_L2; i++)
            sum += abs(weights->l3_weights[bucket * NETWORK_L2 + i]);
    } else {
        bias = weights->l2_biases[bucket * NETWORK_L2 + neuron];
        for (int i = 0; i < NETWORK_L2_INPUTS; i++)
            sum += abs(weights->l2_weights[network_l2_at(bucket, neuron, i)]);
    }
    return sum * NETWORK_QC + (bias < 0 ? -bias : bias);
}

static bool l2_l3_check(const NetworkInfo *info, const NetworkWeights *weights, Error *err)
{
    for (int bucket = 0; bucket < info->buckets; bucket++)
        for (int neuron = -1; neuron < NETWORK_L2; neuron++) {
            int64_t bound = l2_l3_bound(weights, bucket, neuron);
            if (bound <= INT32_MAX)
                continue;
            if (neuron < 0)
                error_set(err, ERR_RANGE, "the output of bucket %d can reach %lld, not at most %d",
                          bucket, (long long)bound, INT32_MAX);
            else
                error_set(err, ERR_RANGE,
                          "L2 neuron %d of bucket %d can reach %lld, not at most %d", neuron,
                          bucket, (long long)bound, INT32_MAX);
            return false;
        }
    return true;
}

bool network_weights_check(const NetworkInfo *info, const NetworkWeights *weights, Error *err)
{
    if (info->scale < 1 || info->scale > NETWORK_SCALE_MAX) {
        error_set(err, ERR_RANGE, "scale = %d: not within 1..%d", info->scale, NETWORK_SCALE_MAX);
        return false;
    }
    return l1_check(info, weights, err) && l2_l3_check(info, weights, err) &&
           features_check(info, weights, err);
}

static bool is_alphanumeric(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool generation_check(const char *generation, Error *err)
{
    size_t length = strlen(generation);
    bool ok = length > 0 && length <= NETWORK_GENERATION_MAX;
    for (size_t i = 0; ok && i < length; i++)
        ok = is_alphanumeric(generation[i]);
    if (!ok)
        error_set(err, ERR_INVALID, "generation \"%s\": not 1 to %d letters and digits", generation,
                  NETWORK_GENERATION_MAX);
    return ok;
}

static void write_header(uint8_t *at, const NetworkInfo *info, const char *generation)
{
    memcpy(at + AT_MAGIC, magic, sizeof magic);
    put(at + AT_VERSION, 4, VERSION);
    put(at + AT_HEADER_SIZE, 4, NETWORK_HEADER_SIZE);
    put(at + AT_SHAPE_HASH, 4, shape_hash(network_shape_of(info)));
    put(at + AT_WIDTH, 2, (uint64_t)info->width);
    put(at + AT_FLAGS, 1, FLAG_MIRRORED);
    put(at + AT_BUCKETS, 1, (uint64_t)info->buckets);
    put(at + AT_KING_BUCKETS, 1, (uint64_t)info->king_buckets);
    put(at + AT_RULESET, 1, info->ruleset);
    put(at + AT_ACTIVATION, 1, info->activation);
    put(at + AT_QA, 4, NETWORK_QA);
    put(at + AT_QB, 4, NETWORK_QB);
    put(at + AT_SCALE, 4, (uint64_t)info->scale);
    size_t size = network_payload_size(network_shape_of(info));
    uint64_t hash = payload_hash(at + NETWORK_HEADER_SIZE, size);
    put(at + AT_PAYLOAD_SIZE, 8, size);
    put(at + AT_HASH, 8, hash);
    memcpy(at + AT_MANIFEST_SHA256, info->manifest_sha256, NETWORK_HASH_SIZE);
    char name[NETWORK_NAME_SIZE] = { 0 };
    int length = snprintf(name, sizeof name, "%s-%08x", generation, (uint32_t)(hash >> 32));
    assert(length > 0 && (size_t)length < sizeof name);
    (void)length; /* builds without asserts */
    memcpy(at + AT_NAME, name, sizeof name - 1);
}

bool network_file_write(uint8_t **bytes, size_t *size, const NetworkInfo *info,
                        const NetworkWeights *weights, const char *generation, Error *err)
{
    if (!network_shape_check(network_shape_of(info), err) ||
        !network_weights_check(info, weights, err) || !generation_check(generation, err))
        return false;
    NetworkArray arrays[NETWORK_ARRAYS];
    size_t total = network_file_size(network_shape_of(info));
    uint8_t *file = calloc(1, total);
    if (!file) {
        error_set(err, ERR_MEMORY, "no memory for a network of %zu bytes", total);
        return false;
    }
    network_layout(arrays, network_shape_of(info));
    for (int i = 0; i < NETWORK_ARRAYS; i++)
        put_all(file + NETWORK_HEADER_SIZE + arrays[i].offset, array_of(weights, i),
                arrays[i].count, arrays[i].bits);
    write_header(file, info, generation);
    *bytes = file;
    *size = total;
    return true;
}

/* A field of the header that can have one value only. */
typedef struct {
    const char *name;
    int at;
    int bytes;
    uint32_t value;
} Constant;

static bool constants_check(const uint8_t *bytes, Error *err)
{
    Ruleset ruleset = bytes[AT_RULESET];
    if (ruleset >= RULESET_COUNT) {
        error_set(err, ERR_INVALID, "rules: %u, not one of %d sets", ruleset, RULESET_COUNT);
        return false;
    }
    const Constant constants[] = {
        { "version", AT_VERSION, 4, VERSION },
        { "header size", AT_HEADER_SIZE, 4, NETWORK_HEADER_SIZE },
        { "flags", AT_FLAGS, 1, FLAG_MIRRORED },
        { "unused byte", AT_ZERO, 1, 0 },
        { "QA", AT_QA, 4, NETWORK_QA },
        { "QB", AT_QB, 4, NETWORK_QB },
    };
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        const Constant *c = &constants[i];
        uint32_t value = (uint32_t)get(bytes + c->at, c->bytes);
        if (value != c->value) {
            error_set(err, ERR_INVALID, "%s: %u, not %u", c->name, value, c->value);
            return false;
        }
    }
    if (bytes[AT_ACTIVATION] >= NETWORK_ACTIVATIONS) {
        error_set(err, ERR_INVALID, "activations: %u, not 0 or 1", bytes[AT_ACTIVATION]);
        return false;
    }
    for (int at = AT_ZEROS; at < AT_MANIFEST_SHA256; at++)
        if (bytes[at] != 0) {
            error_set(err, ERR_INVALID, "unused bytes: %u, not 0", bytes[at]);
            return false;
        }
    return true;
}

static bool name_check(const uint8_t *name, Error *err)
{
    bool ended = false, ok = name[0] != 0;
    for (int i = 0; ok && i < NETWORK_NAME_SIZE - 1; i++) {
        ended = ended || name[i] == 0;
        ok = ended ? name[i] == 0 : is_alphanumeric((char)name[i]) || name[i] == '-';
    }
    if (!ok)
        error_set(err, ERR_INVALID, "the name is not letters, digits and '-' alone");
    return ok;
}

NetworkInfo network_file_info(const uint8_t *bytes)
{
    NetworkInfo info = {
        .width = (int)get(bytes + AT_WIDTH, 2),
        .buckets = (int)get(bytes + AT_BUCKETS, 1),
        .scale = (int)get(bytes + AT_SCALE, 4),
        .ruleset = bytes[AT_RULESET],
        .king_buckets = bytes[AT_KING_BUCKETS],
        .activation = (NetworkActivation)bytes[AT_ACTIVATION],
    };
    memcpy(info.name, bytes + AT_NAME, NETWORK_NAME_SIZE - 1);
    memcpy(info.manifest_sha256, bytes + AT_MANIFEST_SHA256, NETWORK_HASH_SIZE);
    return info;
}

static bool shape_check(const NetworkInfo *info, const uint8_t *bytes, Error *err)
{
    uint32_t scale = (uint32_t)get(bytes + AT_SCALE, 4);
    if (scale < 1 || scale > NETWORK_SCALE_MAX) {
        error_set(err, ERR_RANGE, "the scale is %u, not within 1..%d", scale, NETWORK_SCALE_MAX);
        return false;
    }
    if (!network_shape_check(network_shape_of(info), err))
        return false;
    uint32_t hash = shape_hash(network_shape_of(info));
    if (get(bytes + AT_SHAPE_HASH, 4) == hash)
        return true;
    error_set(err, ERR_INVALID,
              "made for another kind of network (hash of the shape %08x, not %08x)",
              (uint32_t)get(bytes + AT_SHAPE_HASH, 4), hash);
    return false;
}

bool network_file_read(NetworkInfo *info, const uint8_t *bytes, size_t size, Error *err)
{
    if (size < NETWORK_HEADER_SIZE || memcmp(bytes, magic, sizeof magic) != 0) {
        error_set(err, ERR_INVALID, "not a network: it does not begin with %.8s", magic);
        return false;
    }
    const NetworkInfo read = network_file_info(bytes);
    if (!constants_check(bytes, err) || !shape_check(&read, bytes, err) ||
        !name_check(bytes + AT_NAME, err))
        return false;
    size_t payload = network_payload_size(network_shape_of(&read));
    if (size != NETWORK_HEADER_SIZE + payload || get(bytes + AT_PAYLOAD_SIZE, 8) != payload) {
        error_set(err, ERR_INVALID, "%zu bytes, not %zu: cut off or changed", size,
                  NETWORK_HEADER_SIZE + payload);
        return false;
    }
    if (get(bytes + AT_HASH, 8) != payload_hash(bytes + NETWORK_HEADER_SIZE, payload)) {
        error_set(err, ERR_INVALID, "the weights are not those of the hash in the header: damaged");
        return false;
    }
    *info = read;
    return true;
}

bool network_file_read_weights(const NetworkWeights *weights, const NetworkInfo *info,
                               const uint8_t *bytes, Error *err)
{
    NetworkArray arrays[NETWORK_ARRAYS];
    network_layout(arrays, network_shape_of(info));
    for (int i = 0; i < NETWORK_ARRAYS; i++)
        get_all(array_of(weights, i), bytes + NETWORK_HEADER_SIZE + arrays[i].offset,
                arrays[i].count, arrays[i].bits);
    return network_weights_check(info, weights, err);
}
