/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_perft.h"

#include "engine/base/buf.h"
#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/core/perft.h"
#include "engine/core/uci_move.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64, MAX_DEPTH = 30 };

/* Reads DEPTH [FEN…]; the FEN may be one argument or one for each of its fields. */
static bool read_arguments(int argc, char **argv, int *depth, Position *pos, Error *err)
{
    int64_t value;
    if (argc < 1) {
        error_set(err, ERR_INVALID, "no depth given");
        return false;
    }
    if (!number_parse(argv[0], strlen(argv[0]), 0, MAX_DEPTH, &value, err)) {
        error_prefix(err, "depth");
        return false;
    }
    Buf fen;
    buf_init(&fen, 1024);
    bool ok = true;
    for (int i = 1; i < argc && ok; i++)
        ok = buf_printf(&fen, "%s%s", i > 1 ? " " : "", argv[i]);
    if (!ok)
        error_set(err, ERR_RANGE, "the FEN is too long");
    ok = ok && fen_read(pos, argc > 1 ? buf_view(&fen) : FEN_START, FEN_STRICT, NULL, err);
    buf_release(&fen);
    *depth = (int)value;
    return ok;
}

static int usage(const char *command, const Error *err)
{
    fprintf(stderr, "castled-uci %s: %s\nusage: castled-uci %s DEPTH [FEN]\n", command, err->text,
            command);
    return EXIT_USAGE;
}

int cmd_perft(int argc, char **argv)
{
    int depth;
    Position pos;
    Error err = { 0 };
    if (!read_arguments(argc, argv, &depth, &pos, &err))
        return usage("perft", &err);
    int64_t start_us = clock_now_us();
    uint64_t leaves = perft(&pos, depth);
    int64_t took_us = clock_now_us() - start_us;
    printf("%" PRIu64 "\n", leaves);
    fprintf(stderr, "%.3f s, %.1f million a second\n", (double)took_us / 1e6,
            took_us ? (double)leaves / (double)took_us : 0.0);
    return EXIT_SUCCESS;
}

int cmd_divide(int argc, char **argv)
{
    int depth;
    Position pos;
    Error err = { 0 };
    if (!read_arguments(argc, argv, &depth, &pos, &err))
        return usage("divide", &err);
    perft_divide(&pos, depth, stdout);
    return EXIT_SUCCESS;
}
