/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-uci: the engine as a program. */
#include "engine/uci/cmd_bench.h"
#include "engine/uci/cmd_perft.h"
#include "engine/uci/cmd_uci.h"

#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 64 };

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *synopsis;
} commands[] = {
    { "bench", cmd_bench, "bench [DEPTH]        nodes and speed over a fixed set of positions" },
    { "divide", cmd_divide, "divide DEPTH [FEN]   the leaves below each legal move" },
    { "perft", cmd_perft, "perft DEPTH [FEN]    the leaves of the legal move tree" },
};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

int main(int argc, char **argv)
{
    if (argc == 1)
        return cmd_uci();
    for (int i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    }
    fprintf(stderr,
            "usage:\n  castled-uci                      speak UCI on standard input and output\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(stderr, "  castled-uci %s\n", commands[i].synopsis);
    return EXIT_USAGE;
}
