/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/perft.h"

#include "engine/core/perft_parallel.h"
#include "engine/core/variant_rules.h"
#include "tests/support/perft_suite.h"
#include "tests/support/chess.h"

#ifdef NDEBUG
enum { MOST_LEAVES = 20000000 };
#else
enum { MOST_LEAVES = 1000000 };
#endif

TEST(well_known_positions_have_their_published_counts)
{
    assert_true(
        perft_suite_run(TEST_DATA_DIR "/perft.epd", RULES_STANDARD, MOST_LEAVES, PERFT_FAST) >= 28);
}

TEST(positions_stay_valid_all_the_way)
{
    assert_true(perft_suite_run(TEST_DATA_DIR "/perft.epd", RULES_STANDARD, MOST_LEAVES / 200,
                                PERFT_CAREFUL) > 0);
}

static void run_suite(const char *path, int lines)
{
    assert_true(perft_suite_run(path, RULES_STANDARD, MOST_LEAVES / 20, PERFT_FAST) == lines);
}

TEST(standard_suite_agrees)
{
    run_suite(TEST_DATA_DIR "/perft/standard.epd", 72);
}

TEST(random_suite_agrees)
{
    run_suite(TEST_DATA_DIR "/perft/random.epd", 600);
}

TEST(chess960_suite_agrees)
{
    run_suite(TEST_DATA_DIR "/perft/chess960.epd", 487);
}

static void run_variants(uint64_t most_leaves, PerftCare care)
{
    for (Ruleset r = RULES_STANDARD + 1; r < RULESET_COUNT; r++) {
        char path[256];
        int wrote = snprintf(path, sizeof path, "%s/variants/%s.epd", TEST_DATA_DIR,
                             variant_rules_table[r].uci_name);
        assert_true(wrote > 0 && (size_t)wrote < sizeof path);
        assert_true(perft_suite_run(path, r, most_leaves, care) > 50);
    }
}

TEST(variants_have_counts_that_two_programs_agree_on)
{
    run_variants(MOST_LEAVES / 200, PERFT_FAST);
}

TEST(variants_stay_valid_all_the_way)
{
    run_variants(MOST_LEAVES / 4000, PERFT_CAREFUL);
}

TEST(divide_writes_what_stockfish_writes)
{
    Position pos = position_of("K7/8/2n5/1n6/8/8/8/k6N w - - 0 1");
    FILE *out = tmpfile();
    assert_non_null(out);
    perft_divide(&pos, 2, out);
    char text[256];
    rewind(out);
    size_t len = fread(text, 1, sizeof text - 1, out);
    text[len] = '\0';
    fclose(out);
    assert_non_null(strstr(text, "h1g3: 17\n"));
    assert_non_null(strstr(text, "\n\nNodes searched: 51\n"));
}

TEST(threads_and_hash_count_the_same)
{
    static const PerftOptions options[] = { { 1, 0 }, { 1, 1 }, { 3, 0 }, { 4, 1 } };
    static const struct {
        const char *fen;
        int depth;
        uint64_t leaves;
    } rows[] = {
        { FEN_START, 0, 1 },
        { FEN_START, 1, 20 },
        { FEN_START, 2, 400 },
        { FEN_START, 5, 4865609 },
        { "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4085603 },
        { "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674624 },
        { "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
            uint64_t leaves = 4711;
            assert_true(perft_parallel(&pos, rows[i].depth, &options[k], &leaves, NULL));
            assert_true(leaves == rows[i].leaves);
        }
    }
}
