/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/perft.h"

#include "engine/core/fen.h"
#include "tests/perft_suite.h"
#include "tests/unit.h"

#ifdef NDEBUG
enum { MOST_LEAVES = 20000000 };
#else
enum { MOST_LEAVES = 1000000 };
#endif

static void well_known_positions_have_their_published_counts(void **state)
{
    (void)state;
    assert_true(perft_suite_run(TEST_DATA_DIR "/perft.epd", MOST_LEAVES) >= 28);
}

static void run_shared(const char *name)
{
    char path[256];
    int wrote = snprintf(path, sizeof path, "%s/perft/%s.epd", SHARED_DATA_DIR, name);
    assert_true(wrote > 0 && (size_t)wrote < sizeof path);
    if (perft_suite_run(path, MOST_LEAVES / 20) < 0)
        skip();
}

static void standard_suite_agrees(void **state)
{
    (void)state;
    run_shared("standard");
}

static void random_suite_agrees(void **state)
{
    (void)state;
    run_shared("random");
}

static void chess960_suite_agrees(void **state)
{
    (void)state;
    run_shared("chess960");
}

static void divide_writes_what_stockfish_writes(void **state)
{
    (void)state;
    Position pos;
    assert_true(fen_read(&pos, "K7/8/2n5/1n6/8/8/8/k6N w - - 0 1", FEN_STRICT, NULL, NULL));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_known_positions_have_their_published_counts),
        cmocka_unit_test(standard_suite_agrees),
        cmocka_unit_test(random_suite_agrees),
        cmocka_unit_test(chess960_suite_agrees),
        cmocka_unit_test(divide_writes_what_stockfish_writes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
