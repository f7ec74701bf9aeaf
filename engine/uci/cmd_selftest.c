/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_selftest.h"

#include "engine/uci/cmd_bench.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_USAGE = 64, DEPTH = 8 /* seconds, and a million evaluations */ };

static bool compare_kernels(Network *network, Error *err)
{
    uint64_t expected = 0;
    for (int n = 0; kernels_nth(n); n++) {
        const Kernels *kernels = kernels_nth(n);
        uint64_t nodes;
        network_force(network, kernels);
        if (!bench_run(network, DEPTH, &nodes, err))
            return false;
        printf("%-8s %10" PRIu64 " nodes\n", kernels->name, nodes);
        if (n == 0)
            expected = nodes;
        if (nodes != expected) {
            error_set(err, ERR_INVALID, "%s evaluates otherwise than %s", kernels->name,
                      kernels_nth(0)->name);
            return false;
        }
    }
    return true;
}

int cmd_selftest(int argc, char **argv)
{
    Error err = { 0 };
    Network *loaded = NULL, built_in = network_embedded();
    if (argc > 1) {
        fputs("castled-uci selftest: too many arguments\nusage: castled-uci selftest [NETWORK]\n",
              stderr);
        return EXIT_USAGE;
    }
    bool ok = (argc == 0 || network_load(&loaded, argv[0], &err)) &&
              compare_kernels(argc == 0 ? &built_in : loaded, &err);
    network_free(loaded);
    if (ok)
        return EXIT_SUCCESS;
    fprintf(stderr, "castled-uci selftest: %s\n", err.text);
    return EXIT_FAILURE;
}
