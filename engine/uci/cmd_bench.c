/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/uci/cmd_bench.h"

#include "engine/base/clock.h"
#include "engine/base/number.h"
#include "engine/core/fen.h"
#include "engine/search/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 64, DEFAULT_DEPTH = 13 };

/* The Bratko-Kopec test, positions of the perft suite, and well-known endgames: openings, tactics,
 * blocked and open boards, few pieces, stalemate tricks. */
static const char *const positions[] = {
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - -",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - -",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - -",
    "rnbqkb1r/p3pppp/1p6/2ppP3/3N4/2P5/PPP1QPPP/R1B1KB1R w KQkq -",
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - -",
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - -",
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - -",
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - -",
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - -",
    "3rr1k1/pp3pp1/1qn2np1/8/3p4/PP1R1P2/2P1NQPP/R1B3K1 b - -",
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - -",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - -",
    "r2q1rk1/4bppp/p2p4/2pP4/3pP3/3Q4/PP1B1PPP/R3R1K1 w - -",
    "rnb2r1k/pp2p2p/2pp2p1/q2P1p2/8/1Pb2NP1/PB2PPBP/R2Q1RK1 w - -",
    "2r3k1/1p2q1pp/2b1pr2/p1pp4/6Q1/1P1PP1R1/P1PN2PP/5RK1 w - -",
    "r1bqkb1r/4npp1/p1p4p/1p1pP1B1/8/1B6/PPPN1PPP/R2Q1RK1 w kq -",
    "r2q1rk1/1ppnbppp/p2p1nb1/3Pp3/2P1P1P1/2N2N1P/PPB1QP2/R1B2RK1 b - -",
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - -",
    "3rr3/2pq2pk/p2p1pnp/8/2QBPP2/1P6/P5PP/4RRK1 b - -",
    "r4k2/pb2bp1r/1p1qp2p/3pNp2/3P1P2/2N3P1/PPP1Q2P/2KRR3 w - -",
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - -",
    "2r2rk1/1bqnbpp1/1p1ppn1p/pP6/N1P1P3/P2B1N1P/1B2QPP1/R2R2K1 b - -",
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq -",
    "r2qnrnk/p2b2b1/1p1p2pp/2pPpp2/1PP1P3/PRNBB3/3QNPPP/5RK1 w - -",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - -",
    "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - -",
    "1q1k4/2Rr4/8/2Q3K1/8/8/8/8 w - -",
    "7k/5K2/5P1p/3p4/6P1/3p4/8/8 w - -",
    "8/6B1/p5p1/Pp4kp/1P5r/5P1Q/4q1PK/8 w - -",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - -",
    "8/8/8/8/5kp1/P7/8/1K1N4 w - -",
    "8/8/8/5N2/8/p7/8/2NK3k w - -",
    "8/3k4/8/8/8/4B3/4KB2/2B5 w - -",
    "8/8/1P6/5pr1/8/4R3/7k/2K5 w - -",
    "8/2p4P/8/kr6/6R1/8/8/1K6 w - -",
    "8/8/3P3k/8/1p6/8/1P6/1K3n2 b - -",
    "8/R7/2q5/8/6k1/8/1P5p/K6R w - -",
    "6k1/3b3r/1p1p4/p1n2p2/1PPNpP1q/P3Q1p1/1R1RB1P1/5K2 b - -",
    "r2r1n2/pp2bk2/2p1p2p/3q4/3PN1QP/2P3R1/P4PP1/5RK1 w - -",
};
enum { POSITIONS = sizeof positions / sizeof *positions };

static void note_result(void *user, const SearchResult *result)
{
    *(SearchResult *)user = *result;
}

static bool search_all(Engine *engine, int depth, uint64_t *nodes, Error *err)
{
    for (int i = 0; i < POSITIONS; i++) {
        Position pos;
        SearchResult result = { 0 };
        const SearchLimits limits = { .depth = depth };
        const SearchCallbacks callbacks = { .on_done = note_result, .user = &result };
        if (!fen_read(&pos, positions[i], FEN_STRICT, NULL, err)) {
            error_prefix(err, "bench position %d", i + 1);
            return false;
        }
        engine_clear(engine);
        engine_set_position(engine, &pos);
        engine_go(engine, &limits, &callbacks);
        engine_wait(engine);
        *nodes += result.info.nodes;
        fprintf(stderr, "%2d/%d %10" PRIu64 " nodes  %s\n", i + 1, POSITIONS, result.info.nodes,
                positions[i]);
    }
    return true;
}

bool bench_run(const Network *network, int depth, uint64_t *nodes, Error *err)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine;
    options.network = network;
    if (!engine_new(&engine, &options, err))
        return false;
    *nodes = 0;
    bool ok = search_all(engine, depth, nodes, err);
    engine_free(engine);
    return ok;
}

int cmd_bench(int argc, char **argv)
{
    Error err = { 0 };
    int64_t depth = DEFAULT_DEPTH;
    if (argc > 2 ||
        (argc >= 1 && !number_parse(argv[0], strlen(argv[0]), 1, MAX_PLY - 1, &depth, &err))) {
        fprintf(stderr, "castled-uci bench: %s\nusage: castled-uci bench [DEPTH [NETWORK]]\n",
                argc > 2 ? "too many arguments" : err.text);
        return EXIT_USAGE;
    }
    Network *network;
    uint64_t nodes;
    if (argc < 2) {
        network = network_embedded_copy();
    } else if (!network_load(&network, argv[1], &err)) {
        fprintf(stderr, "castled-uci bench: %s\n", err.text);
        return EXIT_FAILURE;
    }
    int64_t start_us = clock_now_us();
    bool ok = bench_run(network, (int)depth, &nodes, &err);
    int64_t took_us = clock_now_us() - start_us;
    network_free(network);
    if (!ok) {
        fprintf(stderr, "castled-uci bench: %s\n", err.text);
        return EXIT_FAILURE;
    }
    printf("%" PRIu64 " nodes %" PRIu64 " nps\n", nodes,
           nodes * 1000000 / (uint64_t)(took_us > 0 ? took_us : 1));
    return EXIT_SUCCESS;
}
