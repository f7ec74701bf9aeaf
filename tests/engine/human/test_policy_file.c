/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/human/policy_file.h"
#include "tests/support/policy_maker.h"
#include "tests/support/unit.h"

#include <stdlib.h>
#include <string.h>

TEST(files_that_are_no_such_network_are_refused)
{
    static const struct {
        PolicyShape shape;
        const char *why;
    } rows[] = {
        { { .magic_xor = 1 }, "no network of Lc0's" },
        { { .format_field = 1, .format_value = 2 }, "input format 2, not 1" },
        { { .format_field = 3, .format_value = 1 }, "network format 1, not 4" },
        { { .format_field = 4, .format_value = 1 }, "policy format 1, not 2" },
        { { .format_field = 6, .format_value = 1 }, "moves left format 1, not 0" },
        { { .format_field = 7, .format_value = 2 }, "activation format 2, not 0" },
        { { .encoding = 2 }, "another encoding than 16 bits" },
        { { .range_is_wrong = true }, "without a range" },
        { { .variance_is_wrong = true }, "a variance below zero" },
        { { .policy_is_small = true }, "heads have other sizes" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PolicyShape shape = rows[i].shape;
        PolicyWeights weights;
        Error err = { 0 };
        shape.filters = 4;
        shape.blocks = 1;
        PolicyFile file = policy_file_make(&shape);
        assert_false(policy_file_read(&weights, file.bytes, file.size, &err));
        if (!strstr(err.text, rows[i].why))
            fail_msg("row %zu: %s", i, err.text);
        policy_file_release(&file);
    }
}

TEST(whole_files_are_read)
{
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 12, .blocks = 3, .seed = 9 });
    PolicyWeights weights;
    Error err = { 0 };
    if (!policy_file_read(&weights, file.bytes, file.size, &err))
        fail_msg("%s", err.text);
    assert_int_equal(weights.filters, 12);
    assert_int_equal(weights.block_count, 3);
    assert_int_equal(weights.policy.outputs, 80);
    assert_int_equal(weights.input.stride, 32);
    policy_weights_release(&weights);
    policy_file_release(&file);
}

TEST(cut_files_are_refused)
{
    PolicyFile file = policy_file_make(&(PolicyShape){ .filters = 4, .blocks = 1 });
    for (size_t size = 0; size < file.size; size += 1 + file.size / 200) {
        PolicyWeights weights;
        Error err = { 0 };
        assert_false(policy_file_read(&weights, file.bytes, size, &err));
        assert_string_equal(err.text, "cut short, or not packed by gzip");
    }
    policy_file_release(&file);
}

/* The message itself, behind the gzip that would notice. */
TEST(cut_and_changed_messages_do_no_harm)
{
    PolicyFile file = policy_message_make(&(PolicyShape){ .filters = 4, .blocks = 1 });
    uint8_t *copy = malloc(file.size);
    assert_non_null(copy);
    for (size_t i = 0; i < file.size; i += 1 + file.size / 300) {
        PolicyWeights weights;
        Error err = { 0 };
        assert_false(policy_message_read(&weights, file.bytes, i, &err));
        assert_true(error_is_set(&err));
        memcpy(copy, file.bytes, file.size);
        copy[i] ^= 0xff;
        if (policy_message_read(&weights, copy, file.size, NULL)) /* a weight was hit */
            policy_weights_release(&weights);
    }
    free(copy);
    policy_file_release(&file);
}
