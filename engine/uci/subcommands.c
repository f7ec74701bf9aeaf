/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/subcommands.h"

#include "engine/uci/cmd_bench.h"
#include "engine/uci/cmd_perft.h"
#include "engine/uci/cmd_policy.h"
#include "engine/uci/cmd_selftest.h"

static const Subcommand subcommands[] = {
    { "bench", cmd_bench, "[DEPTH [NETWORK]]", "nodes and speed over a fixed set of positions" },
    { "divide", cmd_divide, "DEPTH [FEN] [--variant NAME]", "the leaves below each legal move" },
    { "perft", cmd_perft, "DEPTH [FEN] [--variant NAME] [--threads N] [--hash MIB]",
      "the leaves of the legal move tree" },
    { "policy", cmd_policy, "NETWORK [RATING]",
      "how likely people play each move of the positions read" },
    { "selftest", cmd_selftest, "[NETWORK]",
      "whether all kinds of vector instructions play alike" },
};

const Subcommand *subcommands_all(size_t *count)
{
    *count = sizeof subcommands / sizeof *subcommands;
    return subcommands;
}
