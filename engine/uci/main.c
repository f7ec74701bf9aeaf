/* SPDX-License-Identifier: GPL-3.0-or-later */
/* castled-uci: the engine as a program. */
#include "engine/uci/cmd_uci.h"
#include "engine/uci/subcommands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { EXIT_USAGE = 64 };

static void print_help(FILE *out)
{
    size_t count;
    const Subcommand *commands = subcommands_all(&count);
    fputs("usage:\n  castled-uci\n      speak UCI on standard input and output\n", out);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "  castled-uci %s %s\n      print %s\n", commands[i].name, commands[i].words,
                commands[i].help);
}

int main(int argc, char **argv)
{
    size_t count;
    const Subcommand *commands = subcommands_all(&count);
    if (argc == 1)
        return cmd_uci();
    for (size_t i = 0; i < count; i++) {
        if (strcmp(argv[1], commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    }
    bool is_help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    print_help(is_help ? stdout : stderr);
    return is_help ? 0 : EXIT_USAGE;
}
