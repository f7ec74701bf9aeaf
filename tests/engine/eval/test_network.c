/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/network.h"

#include "tests/support/random_network.h"
#include "tests/support/unit.h"

#include <unistd.h>

/* Writes the bytes into a new file; `path` is a template for mkstemp(). */
static void write_file(char *path, const uint8_t *bytes, size_t size)
{
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, size), size);
    close(fd);
}

TEST(network_is_loaded_from_its_file)
{
    static const NetworkShape shapes[] = {
        { 32, 1, RULES_STANDARD, 4, NETWORK_SQUARES },
        { 128, 8, RULES_STANDARD, 4, NETWORK_SQUARES },
        { 768, 8, RULES_STANDARD, 8, NETWORK_PRODUCTS },
        { 1024, 1, RULES_STANDARD, 8, NETWORK_SQUARES },
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        int width = shapes[i].width, buckets = shapes[i].buckets;
        int inputs = 768 * shapes[i].king_buckets;
        char path[] = "/tmp/castled-network-XXXXXX";
        size_t size = 0;
        uint8_t *bytes = random_network_file_of(shapes[i], i, &size);
        write_file(path, bytes, size);
        Network *network = NULL;
        bool ok = network_load(&network, path, NULL);
        unlink(path);
        assert_true(ok);
        assert_int_equal(network->info.width, width);
        assert_int_equal(network->info.buckets, buckets);
        assert_int_equal(network->info.king_buckets, shapes[i].king_buckets);
        assert_int_equal(network->info.activation, shapes[i].activation);
        assert_ptr_equal(network->kernels, kernels_best());
        /* x86 and arm64 keep numbers in memory as the file does. */
        const uint8_t *payload = bytes + NETWORK_HEADER_SIZE;
        size_t row = (size_t)width * 2;
        for (int input = 0; input < inputs; input++) {
            assert_memory_equal(network_feature(network, input), payload + (size_t)input * row,
                                row);
            assert_int_equal((uintptr_t)network_feature(network, input) % KERNELS_ALIGNMENT, 0);
        }
        const uint8_t *l1 = payload + (size_t)(inputs + 1) * row;
        size_t active = shapes[i].activation == NETWORK_PRODUCTS ? row / 4 : row / 2;
        size_t l1_size = (size_t)buckets * 2 * active * 16;
        assert_memory_equal(network->weights.l1_weights, l1, l1_size);
        assert_memory_equal(network->weights.l1_biases, l1 + l1_size, (size_t)buckets * 64);
        const uint8_t *l2 = l1 + l1_size + (size_t)buckets * 64;
        assert_memory_equal(network->weights.l2_weights, l2, (size_t)buckets * 1920);
        assert_memory_equal(network->weights.l2_biases, l2 + (size_t)buckets * 1920,
                            (size_t)buckets * 128);
        assert_memory_equal(network->weights.l3_weights, l2 + (size_t)buckets * 2048,
                            (size_t)buckets * 64);
        network_free(network);
        free(bytes);
    }
}

TEST(file_that_is_no_network_is_refused_by_name)
{
    char path[] = "/tmp/castled-network-XXXXXX";
    static const char text[] = "[engine]\nthreads = 1\n";
    write_file(path, (const uint8_t *)text, sizeof text - 1);
    Network *network = NULL;
    Error errors[2] = { { 0 } };
    bool ok = network_load(&network, path, &errors[0]);
    unlink(path);
    assert_false(ok);
    assert_non_null(strstr(errors[0].text, path));
    assert_non_null(strstr(errors[0].text, "not a network"));
    assert_false(network_load(&network, "/nonexistent/net", &errors[1]));
    assert_non_null(strstr(errors[1].text, "/nonexistent/net"));
    assert_null(network);
}

TEST(every_damaged_bit_is_noticed)
{
    size_t size = 0;
    uint8_t *bytes = random_network_file_of(
        (NetworkShape){ 64, 1, RULES_STANDARD, 8, NETWORK_PRODUCTS }, 1, &size);
    Network *network = NULL;
    /* Another scale, manifest or name is another network, no damaged one. */
    for (size_t at = 0; at < size; at += at < NETWORK_HEADER_SIZE ? 1 : 509) {
        if (at == 36 || at == 37 || (at >= 80 && at < NETWORK_HEADER_SIZE))
            continue;
        for (int bit = 0; bit < 8; bit++) {
            bytes[at] ^= (uint8_t)(1 << bit);
            assert_false(network_read(&network, bytes, size, NULL));
            bytes[at] ^= (uint8_t)(1 << bit);
        }
    }
    assert_true(network_read(&network, bytes, size, NULL));
    network_free(network);
    free(bytes);
}

TEST(embedded_network_is_sound)
{
    size_t size;
    const uint8_t *file = network_embedded_file(&size);
    Network *read = NULL;
    Error err = { 0 };
    if (!network_read(&read, file, size, &err))
        fail_msg("%s", err.text);
    assert_string_equal(network_embedded().info.name, read->info.name);
    network_free(read);
}

TEST(copy_of_the_embedded_network_is_the_same)
{
    size_t size;
    const uint8_t *file = network_embedded_file(&size) + NETWORK_HEADER_SIZE;
    Network *copy = network_embedded_copy();
    assert_non_null(copy);
    assert_string_equal(copy->info.name, network_embedded().info.name);
    assert_true((const uint8_t *)copy->weights.ft_weights != file);
    assert_memory_equal(copy->weights.ft_weights, file, size - NETWORK_HEADER_SIZE);
    network_free(copy);
}

static void assert_info_equal(const NetworkInfo *a, const NetworkInfo *b)
{
    const NetworkShape shapes[] = { network_shape_of(a), network_shape_of(b) };
    assert_int_equal(shapes[0].width, shapes[1].width);
    assert_int_equal(shapes[0].buckets, shapes[1].buckets);
    assert_int_equal(shapes[0].ruleset, shapes[1].ruleset);
    assert_int_equal(shapes[0].king_buckets, shapes[1].king_buckets);
    assert_int_equal(shapes[0].activation, shapes[1].activation);
    assert_int_equal(a->scale, b->scale);
    assert_string_equal(a->name, b->name);
    assert_memory_equal(a->manifest_sha256, b->manifest_sha256, sizeof a->manifest_sha256);
}

/* What is not copied is read where it lies, and is the same. */
TEST(view_of_a_file_is_the_network_that_reading_gives)
{
    size_t size;
    uint8_t *bytes = random_network_file(3, 96, 8, &size);
    uint8_t *aligned = aligned_alloc(KERNELS_ALIGNMENT, size);
    Network *read = random_network(3, 96, 8);
    assert_non_null(aligned);
    memcpy(aligned, bytes, size);
    const Network view = network_view(aligned);
    assert_info_equal(&view.info, &read->info);
    assert_memory_equal(network_feature(&view, 767), network_feature(read, 767), 192);
    assert_memory_equal(view.weights.ft_biases, read->weights.ft_biases, 192);
    assert_memory_equal(view.weights.l1_weights, read->weights.l1_weights, 8 * 192 * 16);
    assert_memory_equal(view.weights.l3_weights, read->weights.l3_weights, 8 * 64);
    assert_int_equal((uintptr_t)view.weights.l1_weights % KERNELS_ALIGNMENT, 0);
    assert_int_equal((uintptr_t)view.weights.l2_weights % KERNELS_ALIGNMENT, 0);
    network_free(read);
    free(aligned);
    free(bytes);
}
