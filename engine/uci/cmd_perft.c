/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_perft.h"

#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/core/perft.h"
#include "engine/core/perft_parallel.h"
#include "engine/core/variant_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64, MAX_DEPTH = 30, MAX_FEN_TEXT = 1024 };

typedef struct {
    int64_t depth;
    int64_t threads;
    int64_t hash_mib;
    Ruleset ruleset;
    Buf fen; /* the words that are no option, with blanks between them */
} Arguments;

/* `--name N` at argv[*i], if that is what stands there. */
static bool read_option(const char *name, int argc, char **argv, int *i, int64_t lo, int64_t hi,
                        int64_t *value, Error *err)
{
    if (strcmp(argv[*i], name) != 0)
        return false;
    const char *text = *i + 1 < argc ? argv[++*i] : "";
    if (!number_parse(text, strlen(text), lo, hi, value, err))
        error_prefix(err, "%s", name);
    return true;
}

/* `--variant NAME`, as UCI_Variant names it. */
static bool read_variant(int argc, char **argv, int *i, Ruleset *ruleset, Error *err)
{
    if (strcmp(argv[*i], "--variant") != 0)
        return false;
    const char *name = *i + 1 < argc ? argv[++*i] : "";
    *ruleset = ruleset_of_uci_name(name, strlen(name));
    if (*ruleset == RULESET_COUNT)
        error_set(err, ERR_INVALID, "--variant: no variant \"%s\"", name);
    return true;
}

/* What both commands do with their arguments: count and print, or say what is wrong. */
typedef struct {
    const char *name, *synopsis;
    int64_t least_depth;
    bool takes_options;
    bool (*count)(Position *pos, const Arguments *args, Error *err);
} Command;

static bool read_arguments(const Command *command, int argc, char **argv, Arguments *args,
                           Error *err)
{
    if (argc < 1) {
        error_set(err, ERR_INVALID, "no depth given");
        return false;
    }
    if (!number_parse(argv[0], strlen(argv[0]), command->least_depth, MAX_DEPTH, &args->depth,
                      err)) {
        error_prefix(err, "depth");
        return false;
    }
    for (int i = 1; i < argc && !error_is_set(err); i++) {
        if (command->takes_options &&
            (read_option("--threads", argc, argv, &i, 1, PERFT_MAX_THREADS, &args->threads, err) ||
             read_option("--hash", argc, argv, &i, 0, PERFT_MAX_HASH_MIB, &args->hash_mib, err)))
            continue;
        if (read_variant(argc, argv, &i, &args->ruleset, err))
            continue;
        if (!buf_printf(&args->fen, "%s%s", args->fen.len ? " " : "", argv[i]))
            error_set(err, ERR_RANGE, "the FEN is too long");
    }
    return !error_is_set(err);
}

static bool read_position(Position *pos, const Arguments *args, Error *err)
{
    const char *fen =
        args->fen.len ? buf_view(&args->fen) : variant_rules_table[args->ruleset].start_fen;
    return fen_read_as(pos, args->ruleset, fen, FEN_STRICT, NULL, err);
}

static int run(const Command *command, int argc, char **argv)
{
    Arguments args = { .threads = 1 };
    buf_init(&args.fen, MAX_FEN_TEXT);
    Position pos;
    Error err = { 0 };
    int status = EXIT_SUCCESS;
    if (!read_arguments(command, argc, argv, &args, &err) || !read_position(&pos, &args, &err)) {
        fprintf(stderr, "castled-uci %s: %s\nusage: castled-uci %s %s\n", command->name, err.text,
                command->name, command->synopsis);
        status = EXIT_USAGE;
    } else if (!command->count(&pos, &args, &err)) {
        fprintf(stderr, "castled-uci %s: %s\n", command->name, err.text);
        status = EXIT_FAILURE;
    }
    buf_release(&args.fen);
    return status;
}

static bool print_count(Position *pos, const Arguments *args, Error *err)
{
    PerftOptions options = { .threads = (int)args->threads, .hash_mib = (int)args->hash_mib };
    uint64_t leaves;
    int64_t start_us = clock_now_us();
    if (options.threads == 1 && options.hash_mib == 0)
        leaves = perft(pos, (int)args->depth);
    else if (!perft_parallel(pos, (int)args->depth, &options, &leaves, err))
        return false;
    int64_t took_us = clock_now_us() - start_us;
    printf("Nodes searched: %" PRIu64 "\n", leaves);
    fprintf(stderr, "%.3f s, %.1f million nodes a second\n", (double)took_us / 1e6,
            took_us ? (double)leaves / (double)took_us : 0.0);
    return true;
}

static bool print_divided(Position *pos, const Arguments *args, Error *err)
{
    (void)err;
    perft_divide(pos, (int)args->depth, stdout);
    return true;
}

int cmd_perft(int argc, char **argv)
{
    static const Command command = { "perft",
                                     "DEPTH [FEN] [--variant NAME] [--threads N] [--hash MIB]", 0,
                                     true, print_count };
    return run(&command, argc, argv);
}

int cmd_divide(int argc, char **argv)
{
    static const Command command = { "divide", "DEPTH [FEN] [--variant NAME]", 1, false,
                                     print_divided };
    return run(&command, argc, argv);
}
