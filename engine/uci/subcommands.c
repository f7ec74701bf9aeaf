/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/subcommands.h"

#include "engine/uci/cmd_bench.h"
#include "engine/uci/cmd_perft.h"

static const Subcommand subcommands[] = {
    { "bench", cmd_bench, "[DEPTH]", "nodes and speed over a fixed set of positions" },
    { "divide", cmd_divide, "DEPTH [FEN]", "the leaves below each legal move" },
    { "perft", cmd_perft, "DEPTH [FEN]", "the leaves of the legal move tree" },
};

const Subcommand *subcommands_all(size_t *count)
{
    *count = sizeof subcommands / sizeof *subcommands;
    return subcommands;
}
