/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network_file.h"

#include "engine/base/random.h"
#include "tests/support/unit.h"

#include <limits.h>

enum { WIDTH = 64, ACTIVE = 32, BUCKETS = 8, INPUTS = 8 * 768 };

typedef struct {
    NetworkInfo info;
    int16_t features[INPUTS * WIDTH];
    int16_t biases[WIDTH];
    int8_t l1[BUCKETS * 2 * ACTIVE * NETWORK_L1];
    int32_t l1_biases[BUCKETS * NETWORK_L1];
    int16_t l2[BUCKETS * NETWORK_L2_INPUTS * NETWORK_L2];
    int32_t l2_biases[BUCKETS * NETWORK_L2];
    int16_t l3[BUCKETS * NETWORK_L2];
    NetworkWeights weights; /* the arrays above */
} Sample;

static Sample sample(void)
{
    Sample s = { .info = { .width = WIDTH,
                           .buckets = BUCKETS,
                           .king_buckets = 8,
                           .activation = NETWORK_PRODUCTS,
                           .scale = 200 } };
    uint64_t seed = 1;
    for (int i = 0; i < INPUTS * WIDTH; i++)
        s.features[i] = (int16_t)((int)random_below(&seed, 1001) - 500);
    for (int i = 0; i < WIDTH; i++)
        s.biases[i] = (int16_t)((int)random_below(&seed, 1001) - 500);
    for (size_t i = 0; i < sizeof s.l1; i++)
        s.l1[i] = (int8_t)((int)random_below(&seed, 255) - 127);
    for (int i = 0; i < BUCKETS * NETWORK_L1; i++)
        s.l1_biases[i] = (int32_t)random_below(&seed, 2000001) - 1000000;
    for (size_t i = 0; i < sizeof s.l2 / sizeof *s.l2; i++)
        s.l2[i] = (int16_t)((int)random_below(&seed, 4001) - 2000);
    for (int i = 0; i < BUCKETS * NETWORK_L2; i++) {
        s.l2_biases[i] = (int32_t)random_below(&seed, 2000000001) - 1000000000;
        s.l3[i] = (int16_t)((int)random_below(&seed, 4001) - 2000);
    }
    for (int i = 0; i < NETWORK_HASH_SIZE; i++)
        s.info.manifest_sha256[i] = (uint8_t)random_next(&seed);
    return s;
}

/* Points at the arrays where they lie now. */
static const NetworkWeights *weights_of(Sample *s)
{
    s->weights =
        (NetworkWeights){ s->features, s->biases, s->l1, s->l1_biases, s->l2, s->l2_biases, s->l3 };
    return &s->weights;
}

static uint8_t *file_of(Sample *s, size_t *size)
{
    uint8_t *bytes = NULL;
    Error err = { 0 };
    if (!network_file_write(&bytes, size, &s->info, weights_of(s), "c1a", &err))
        fail_msg("%s", err.text);
    return bytes;
}

TEST(file_gives_back_every_weight)
{
    Sample in = sample(), out = { 0 };
    size_t size = 0;
    uint8_t *bytes = file_of(&in, &size);
    assert_true(network_file_read(&out.info, bytes, size, NULL));
    assert_true(network_file_read_weights(weights_of(&out), &out.info, bytes, NULL));
    free(bytes);
    assert_int_equal(out.info.width, WIDTH);
    assert_int_equal(out.info.buckets, BUCKETS);
    assert_int_equal(out.info.king_buckets, 8);
    assert_int_equal(out.info.activation, NETWORK_PRODUCTS);
    assert_int_equal(out.info.scale, 200);
    assert_memory_equal(out.info.manifest_sha256, in.info.manifest_sha256, NETWORK_HASH_SIZE);
    assert_memory_equal(out.features, in.features, sizeof in.features);
    assert_memory_equal(out.biases, in.biases, sizeof in.biases);
    assert_memory_equal(out.l1, in.l1, sizeof in.l1);
    assert_memory_equal(out.l1_biases, in.l1_biases, sizeof in.l1_biases);
    assert_memory_equal(out.l2, in.l2, sizeof in.l2);
    assert_memory_equal(out.l2_biases, in.l2_biases, sizeof in.l2_biases);
    assert_memory_equal(out.l3, in.l3, sizeof in.l3);
}

/* The layout as it is written down, byte by byte, not as the code reads it. */
TEST(bytes_lie_where_the_format_says)
{
    Sample in = sample();
    size_t size = 0;
    uint8_t *bytes = file_of(&in, &size);
    /* FNV-1a of "768hmx8-(64p)x2-16-32-1x8-qa255-qb96", by another program */
    static const uint8_t shape[4] = { 0xe9, 0xb6, 0xbe, 0xe9 };
    static const uint8_t before_scale[20] = { 64, 0, 1,  8, 8, 0, 1,   0, 255, 0,
                                              0,  0, 96, 0, 0, 0, 200, 0, 0,   0 };
    static const uint8_t zeros[24];
    uint64_t hash = UINT64_C(14695981039346656037);
    char name[17];
    assert_int_equal(size, 128 + 812160);
    assert_memory_equal(bytes, "CASTNNUE\3\0\0\0\200\0\0", 16);
    assert_memory_equal(bytes + 16, shape, 4);
    assert_memory_equal(bytes + 20, before_scale, 20);
    assert_int_equal(bytes[40] | bytes[41] << 8 | bytes[42] << 16, 812160);
    for (size_t i = 128; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    for (int i = 0; i < 8; i++)
        assert_int_equal(bytes[48 + i], hash >> 8 * i & 255);
    assert_memory_equal(bytes + 56, zeros, 24);
    assert_memory_equal(bytes + 80, in.info.manifest_sha256, 32);
    snprintf(name, sizeof name, "c1a-%08x", (unsigned)(hash >> 32));
    assert_string_equal((char *)bytes + 112, name);
    const uint8_t *payload = bytes + 128;
    assert_int_equal((int16_t)(payload[2] | payload[3] << 8), in.features[1]);
    /* Bucket 7, neuron 3 of L1, activation 6 of the other side. */
    const uint8_t *l1 = payload + 2 * 6145 * 64;
    const NetworkShape of_sample = network_shape_of(&in.info);
    assert_int_equal((int8_t)l1[7 * 64 * 16 + ((32 + 6) / 4 * 16 + 3) * 4 + 2],
                     in.l1[network_l1_at(of_sample, 7, 3, ACTIVE + 6)]);
    /* Bucket 6, neuron 30 of L2, input 29. */
    const uint8_t *l2 = l1 + 8 * 64 * 16 + 8 * 16 * 4;
    const uint8_t *weight = l2 + 2 * (((6 * 15 + 14) * 32 + 30) * 2 + 1);
    assert_int_equal((int16_t)(weight[0] | weight[1] << 8), in.l2[network_l2_at(6, 30, 29)]);
    const uint8_t *last = payload + 812160 - 2;
    assert_int_equal((int16_t)(last[0] | last[1] << 8), in.l3[8 * 32 - 1]);
    free(bytes);
}

typedef struct {
    const char *name;
    int at;
    uint8_t value;
    const char *complaint;
} Damage;

TEST(damaged_header_is_refused_with_a_reason)
{
    static const Damage rows[] = {
        { "magic", 0, 'X', "not a network: it does not begin with CASTNNUE" },
        { "version", 8, 1, "version: 1, not 3" },
        { "header size", 12, 64, "header size: 64, not 128" },
        { "shape hash", 16, 0, "another kind of network" },
        { "width no multiple", 20, 33, "a width of 33 and 8 output buckets" },
        { "width zero", 20, 0, "a width of 0 and 8" },
        { "width too large", 21, 255, "a width of 65344 and 8" },
        { "not mirrored", 22, 0, "flags: 0, not 1" },
        { "buckets", 23, 7, "a width of 64 and 7 output buckets" },
        { "no buckets", 23, 0, "a width of 64 and 0 output buckets" },
        { "king buckets", 24, 5, "5 king buckets: not 4 or 8" },
        { "no king buckets", 24, 0, "0 king buckets: not 4 or 8" },
        { "other king buckets", 24, 4, "another kind of network" },
        { "no rules", 25, 8, "rules: 8, not one of 8 sets" },
        { "rules of a variant", 25, 1, "8 king buckets: not 1, as variants have" },
        { "activations", 26, 2, "activations: 2, not 0 or 1" },
        { "other activations", 26, 0, "another kind of network" },
        { "unused byte", 27, 1, "unused byte: 1, not 0" },
        { "unused bytes", 56, 1, "unused bytes: 1, not 0" },
        { "last unused byte", 79, 1, "unused bytes: 1, not 0" },
        { "QA", 28, 254, "QA: 254, not 255" },
        { "QB", 32, 65, "QB: 65, not 96" },
        { "scale zero", 36, 0, "the scale is 0, not within 1..2000" },
        { "scale negative", 39, 255, "not within 1..2000" },
        { "payload size", 47, 1, "cut off or changed" },
        { "hash", 48, 0, "damaged" },
        { "weight", 128, 77, "damaged" },
        { "name", 112, '/', "the name is not letters" },
        { "no name", 112, 0, "the name is not letters" },
        { "bytes after the name", 127, 'x', "the name is not letters" },
    };
    Sample in = sample();
    size_t size = 0;
    uint8_t *bytes = file_of(&in, &size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Damage *row = &rows[i];
        NetworkInfo info = { .width = -1 };
        Error err = { 0 };
        uint8_t kept = bytes[row->at];
        assert_int_not_equal(kept, row->value);
        bytes[row->at] = row->value;
        bool ok = network_file_read(&info, bytes, size, &err);
        bytes[row->at] = kept;
        if (ok || !strstr(err.text, row->complaint) || info.width != -1)
            fail_msg("%s: \"%s\"", row->name, err.text);
    }
    free(bytes);
}

/* A seed that is refused for its version reaches nothing behind that check. */
TEST(fuzzing_begins_with_headers_of_this_version)
{
    static const char *const names[] = { "header", "header_crazyhouse", "header_products" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, TEST_DATA_DIR "/../fuzz/corpus/network/%s", names[i]);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        uint8_t bytes[1 + NETWORK_HEADER_SIZE]; /* behind the target's choice */
        assert_int_equal(fread(bytes, 1, sizeof bytes, file), sizeof bytes);
        fclose(file);
        NetworkInfo info;
        Error err = { 0 };
        assert_false(network_file_read(&info, bytes + 1, NETWORK_HEADER_SIZE, &err));
        assert_non_null(strstr(err.text, "cut off or changed"));
    }
}

TEST(file_of_another_length_is_refused)
{
    Sample in = sample();
    size_t size = 0;
    uint8_t *bytes = file_of(&in, &size);
    NetworkInfo info;
    for (size_t length = 0; length < size; length += length < 256 ? 1 : 997) {
        uint8_t *cut = malloc(length + !length); /* so that reads beyond the end are noticed */
        assert_non_null(cut);
        memcpy(cut, bytes, length);
        assert_false(network_file_read(&info, cut, length, NULL));
        free(cut);
    }
    uint8_t *longer = calloc(1, size + 64);
    assert_non_null(longer);
    memcpy(longer, bytes, size);
    assert_false(network_file_read(&info, longer, size + 64, NULL));
    free(longer);
    free(bytes);
}

/* The same column at the bound, and one beyond it. */
TEST(hidden_unit_that_could_overflow_is_refused)
{
    enum { UNIT = 5 };
    Sample s = sample();
    for (int input = 0; input < INPUTS; input++)
        s.features[input * WIDTH + UNIT] = (int16_t)(input % 24 == 7 ? -1000 : 100);
    s.biases[UNIT] = -767; /* 32 * 1000 + 767 = 32767 */
    Error err = { 0 };
    assert_true(network_weights_check(&s.info, weights_of(&s), &err));
    s.features[9 * WIDTH + UNIT] = 1001;
    assert_false(network_weights_check(&s.info, weights_of(&s), &err));
    assert_string_equal(err.text, "hidden unit 5 can reach 32768, not at most 32767");
    s.features[9 * WIDTH + UNIT] = INT16_MIN;
    assert_false(network_weights_check(&s.info, weights_of(&s), NULL));
}

/* Each at its bound, and one beyond it. */
TEST(l1_to_l3_that_could_overflow_are_refused)
{
    Sample s = sample();
    Error err = { 0 };
    s.l1[77] = INT8_MIN;
    assert_false(network_weights_check(&s.info, weights_of(&s), &err));
    assert_string_equal(err.text, "L1 weight 77 is -128, not within -127..127");
    err = (Error){ 0 };
    s.l1[77] = -127;
    s.l1_biases[127] = -(1 << 24);
    assert_true(network_weights_check(&s.info, weights_of(&s), &err));
    s.l1_biases[127]--;
    assert_false(network_weights_check(&s.info, weights_of(&s), &err));
    s.l1_biases[127] = 0;
    err = (Error){ 0 };

    /* 30 * 12192 * 5800 + 26075647 = 2^31 - 1 */
    for (int i = 0; i < NETWORK_L2_INPUTS; i++)
        s.l2[network_l2_at(3, 9, i)] = i % 2 ? 5800 : -5800;
    s.l2_biases[3 * NETWORK_L2 + 9] = -26075647;
    assert_true(network_weights_check(&s.info, weights_of(&s), &err));
    s.l2_biases[3 * NETWORK_L2 + 9]--;
    assert_false(network_weights_check(&s.info, weights_of(&s), &err));
    assert_string_equal(err.text,
                        "L2 neuron 9 of bucket 3 can reach 2147483648, not at most 2147483647");
    s.l2_biases[3 * NETWORK_L2 + 9] = INT32_MIN;
    assert_false(network_weights_check(&s.info, weights_of(&s), NULL));
    s.l2_biases[3 * NETWORK_L2 + 9] = 0;
    err = (Error){ 0 };

    /* 12192 * 176138 is the last multiple within 2^31 - 1. */
    for (int k = 0; k < NETWORK_L2; k++)
        s.l3[5 * NETWORK_L2 + k] = (int16_t)(k % 2 ? 5504 : -5504);
    s.l3[5 * NETWORK_L2] = -5514;
    assert_true(network_weights_check(&s.info, weights_of(&s), &err));
    s.l3[5 * NETWORK_L2] = -5515;
    assert_false(network_weights_check(&s.info, weights_of(&s), &err));
    assert_string_equal(err.text,
                        "the output of bucket 5 can reach 2147486688, not at most 2147483647");
}

/* Such a file passes the header's check: its hash is right. */
TEST(reading_checks_the_weights_too)
{
    Sample in = sample(), out = { 0 };
    size_t size = 0;
    uint8_t *bytes = file_of(&in, &size);
    uint64_t hash = UINT64_C(14695981039346656037);
    bytes[128 + 2 * 6145 * 64] = 128;
    for (size_t i = 128; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    for (int i = 0; i < 8; i++)
        bytes[48 + i] = (uint8_t)(hash >> 8 * i);
    assert_true(network_file_read(&out.info, bytes, size, NULL));
    assert_false(network_file_read_weights(weights_of(&out), &out.info, bytes, NULL));
    free(bytes);
}

TEST(writer_refuses_what_the_reader_would)
{
    Sample s = sample();
    uint8_t *bytes = NULL;
    size_t size = 0;
    static const char *const names[] = { "", "c1/", "c 1", "12345678" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_false(network_file_write(&bytes, &size, &s.info, weights_of(&s), names[i], NULL));
    static const int shapes[][4] = { { 32, 8, 8, 200 },  { 96, 8, 8, 200 }, { 1088, 8, 8, 200 },
                                     { 64, 2, 8, 200 },  { 64, 0, 8, 200 }, { 64, 8, 8, 0 },
                                     { 64, 8, 8, 2001 }, { 64, 8, 2, 200 } };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        s.info.width = shapes[i][0];
        s.info.buckets = shapes[i][1];
        s.info.king_buckets = shapes[i][2];
        s.info.scale = shapes[i][3];
        assert_false(network_file_write(&bytes, &size, &s.info, weights_of(&s), "c1a", NULL));
    }
    assert_null(bytes);
}

TEST(weights_are_rounded_to_the_nearest_integer)
{
    assert_int_equal(network_quantise(1.98F, NETWORK_QA), 505);
    assert_int_equal(network_quantise(-1.98F, NETWORK_QB), -190);
    assert_int_equal(network_quantise(0.0019F, NETWORK_QA), 0);
    assert_int_equal(network_quantise(0.002F, NETWORK_QA), 1);
    assert_int_equal(network_quantise(-0.002F, NETWORK_QA), -1);
}

TEST(bucket_follows_the_number_of_pieces)
{
    static const int rows[][2] = { { 2, 0 },  { 5, 0 },  { 6, 1 },  { 9, 1 },
                                   { 29, 6 }, { 30, 7 }, { 32, 7 }, { 64, 7 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(network_bucket(8, rows[i][0]), rows[i][1]);
        assert_int_equal(network_bucket(1, rows[i][0]), 0);
    }
}
