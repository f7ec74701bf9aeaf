/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_bench.h"

#include "tests/support/unit.h"

#include <inttypes.h>

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { DEPTH = 13 /* of the count that is written down */ };
#else
enum { DEPTH = 5 };
#endif

static uint64_t written_count(void)
{
    uint64_t nodes = 0;
    FILE *file = fopen(TEST_DATA_DIR "/bench.txt", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%" SCNu64, &nodes), 1);
    fclose(file);
    return nodes;
}

/* The test "bench" runs the program, with the fastest set. */
TEST(every_set_of_kernels_counts_the_nodes_that_are_written_down)
{
    Network network = network_embedded();
    uint64_t expected = DEPTH == 13 ? written_count() : 0;
    for (int n = 0; kernels_nth(n); n++) {
        uint64_t nodes = 0;
        network_force(&network, kernels_nth(n));
        assert_true(bench_run(&network, DEPTH, &nodes, NULL));
        expected = expected ? expected : nodes;
        if (nodes != expected)
            fail_msg("%s: %" PRIu64 " nodes, not %" PRIu64, kernels_nth(n)->name, nodes, expected);
    }
}
