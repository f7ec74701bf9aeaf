/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/tt.h"
#include "tests/support/unit.h"

#include <pthread.h>

static Tt *table_of_mib(int mib)
{
    Tt *tt = NULL;
    Error err = { 0 };
    if (!tt_new(&tt, mib, &err))
        fail_msg("%s", err.text);
    return tt;
}

/* Keys that spread as real ones do. */
static uint64_t nth_key(uint64_t n)
{
    n += 0x9e3779b97f4a7c15ULL * (n + 1);
    n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ n >> 27) * 0x94d049bb133111ebULL;
    return n ^ n >> 31;
}

TEST(what_was_stored_is_found)
{
    static const TtEntry rows[] = {
        { 0x1234, 25, -30, 7, BOUND_EXACT, true },
        { MOVE_NONE, -19999, 20000, MAX_PLY, BOUND_LOWER, false },
        { 0xffff, 0, SCORE_NONE, TT_DEPTH_QUIESCENCE, BOUND_UPPER, false },
        { 0x0001, SCORE_NONE, -20000, TT_DEPTH_NONE, BOUND_UPPER, true },
    };
    Tt *tt = table_of_mib(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t key = nth_key(i);
        tt_store(tt, &PARAMS_DEFAULT, key, 3, &rows[i]);
        TtEntry got = tt_probe(tt, key, 3);
        if (got.move != rows[i].move || got.score != rows[i].score || got.eval != rows[i].eval ||
            got.depth != rows[i].depth || got.bound != rows[i].bound || got.tt_pv != rows[i].tt_pv)
            fail_msg("row %zu: move %x score %d eval %d depth %d bound %d pv %d", i, got.move,
                     got.score, got.eval, got.depth, (int)got.bound, got.tt_pv);
    }
    tt_free(tt);
}

TEST(shares_make_up_the_whole_table)
{
    enum { KEYS = 1000, MOST = 7 };
    const TtEntry entry = { 0x1234, 25, -30, 7, BOUND_EXACT, true };
    Tt *tt = table_of_mib(1);
    for (int of = 1; of <= MOST; of++) {
        int found = 0;
        for (uint64_t i = 0; i < KEYS; i++)
            tt_store(tt, &PARAMS_DEFAULT, nth_key(i), 0, &entry);
        for (int share = 0; share < of; share++) {
            int before = found;
            found = 0;
            for (uint64_t i = 0; i < KEYS; i++)
                found += tt_probe(tt, nth_key(i), 0).bound == BOUND_EXACT &&
                         tt_probe(tt, nth_key(i), 0).move == entry.move;
            /* Each share has its part, and no more than that. */
            if (share > 0)
                assert_in_range(before - found, KEYS / of / 2, KEYS / of * 2);
            tt_clear_share(tt, share, of);
        }
        for (uint64_t i = 0; i < KEYS; i++)
            assert_int_equal(tt_probe(tt, nth_key(i), 0).move, MOVE_NONE);
    }
    tt_free(tt);
}

TEST(unknown_key_gives_an_entry_of_nothing)
{
    Tt *tt = table_of_mib(1);
    TtEntry got = tt_probe(tt, 0, 0);
    assert_int_equal(got.move, MOVE_NONE);
    assert_int_equal(got.score, SCORE_NONE);
    assert_int_equal(got.eval, SCORE_NONE);
    assert_int_equal(got.depth, TT_DEPTH_NONE);
    assert_false(tt_bound_applies(&got, -100, 100));
    tt_free(tt);
}

TEST(mate_scores_count_from_the_probing_ply)
{
    static const struct {
        int stored, at_ply, read, from_ply;
    } rows[] = {
        { SCORE_MATE - 10, 4, SCORE_MATE - 10, 4 },   { SCORE_MATE - 10, 4, SCORE_MATE - 8, 2 },
        { SCORE_MATE - 10, 4, SCORE_MATE - 16, 10 },  { -SCORE_MATE + 10, 4, -SCORE_MATE + 6, 0 },
        { -SCORE_MATE + 10, 10, -SCORE_MATE + 5, 5 }, { 500, 4, 500, 60 },
    };
    Tt *tt = table_of_mib(1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TtEntry entry = { .score = rows[i].stored, .depth = 5, .bound = BOUND_EXACT };
        tt_store(tt, &PARAMS_DEFAULT, nth_key(i), rows[i].at_ply, &entry);
        int score = tt_probe(tt, nth_key(i), rows[i].from_ply).score;
        if (score != rows[i].read)
            fail_msg("row %zu: %d, not %d", i, score, rows[i].read);
    }
    tt_free(tt);
}

TEST(a_decided_score_beyond_the_fifty_moves_is_not_certain)
{
    enum { WIN = SCORE_TABLEBASE_BOUND - 1 };
    static const struct {
        const char *name;
        int score, ply, plies_left, seen;
    } rows[] = {
        { "an evaluation stays", 500, 4, 0, 500 },
        { "nothing stays nothing", SCORE_NONE, 4, 0, SCORE_NONE },
        { "a mate with the last ply holds", SCORE_MATE - 24, 4, 20, SCORE_MATE - 24 },
        { "a mate one ply later does not", SCORE_MATE - 25, 4, 20, WIN },
        { "nor does one against us", -SCORE_MATE + 25, 4, 20, -WIN },
        { "a tablebase win in time holds", SCORE_TABLEBASE - 24, 4, 20, SCORE_TABLEBASE - 24 },
        { "a tablebase win too late does not", SCORE_TABLEBASE - 25, 4, 20, WIN },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int seen = score_before_fifty_moves(rows[i].score, rows[i].ply, rows[i].plies_left);
        if (seen != rows[i].seen)
            fail_msg("%s: %d", rows[i].name, seen);
    }
}

TEST(bounds_answer_only_what_they_can)
{
    static const struct {
        int score;
        ScoreBound bound;
        bool answers; /* the window (10, 20) */
    } rows[] = {
        { 15, BOUND_EXACT, true },  { 25, BOUND_EXACT, true },  { 25, BOUND_LOWER, true },
        { 20, BOUND_LOWER, true },  { 15, BOUND_LOWER, false }, { 5, BOUND_LOWER, false },
        { 5, BOUND_UPPER, true },   { 10, BOUND_UPPER, true },  { 15, BOUND_UPPER, false },
        { 25, BOUND_UPPER, false },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        TtEntry entry = { .score = rows[i].score, .bound = rows[i].bound };
        if (tt_bound_applies(&entry, 10, 20) != rows[i].answers)
            fail_msg("row %zu", i);
    }
}

TEST(store_without_a_move_keeps_the_known_one)
{
    Tt *tt = table_of_mib(1);
    TtEntry entry = { .move = 0x1234, .depth = 5, .bound = BOUND_LOWER };
    tt_store(tt, &PARAMS_DEFAULT, 1, 0, &entry);
    entry = (TtEntry){ .move = MOVE_NONE, .depth = 6, .bound = BOUND_UPPER };
    tt_store(tt, &PARAMS_DEFAULT, 1, 0, &entry);
    assert_int_equal(tt_probe(tt, 1, 0).move, 0x1234);
    assert_int_equal(tt_probe(tt, 1, 0).depth, 6);
    tt_free(tt);
}

TEST(deeper_result_is_kept_but_takes_the_newer_move)
{
    Tt *tt = table_of_mib(1);
    TtEntry entry = { .move = 0x1234, .score = 50, .eval = 7, .depth = 20, .bound = BOUND_LOWER };
    tt_store(tt, &PARAMS_DEFAULT, 1, 0, &entry);
    entry = (TtEntry){ .move = 0x0fed, .score = -9, .eval = 7, .depth = 3, .bound = BOUND_UPPER };
    tt_store(tt, &PARAMS_DEFAULT, 1, 0, &entry);
    const TtEntry kept = tt_probe(tt, 1, 0);
    assert_int_equal(kept.move, 0x0fed);
    assert_int_equal(kept.depth, 20);
    assert_int_equal(kept.score, 50);
    assert_int_equal(kept.bound, BOUND_LOWER);
    tt_free(tt);
}

TEST(deep_entries_outlive_shallow_ones_until_they_age)
{
    enum { SHALLOW = 400000 /* many times what 1 MiB holds */ };
    Tt *tt = table_of_mib(1);
    TtEntry deep = { .move = 77, .depth = 30, .bound = BOUND_EXACT };
    TtEntry shallow = { .move = 5, .depth = 2, .bound = BOUND_LOWER };
    tt_store(tt, &PARAMS_DEFAULT, nth_key(1), 0, &deep);
    for (uint64_t i = 2; i < SHALLOW; i++)
        tt_store(tt, &PARAMS_DEFAULT, nth_key(i), 0, &shallow);
    assert_int_equal(tt_probe(tt, nth_key(1), 0).move, 77);
    for (int i = 0; i < 6; i++)
        tt_new_search(tt);
    for (uint64_t i = SHALLOW; i < 2 * SHALLOW; i++)
        tt_store(tt, &PARAMS_DEFAULT, nth_key(i), 0, &shallow);
    assert_int_equal(tt_probe(tt, nth_key(1), 0).move, MOVE_NONE);
    tt_free(tt);
}

TEST(hashfull_counts_this_search_alone)
{
    Tt *tt = table_of_mib(1);
    assert_int_equal(tt_hashfull(tt), 0);
    TtEntry entry = { .move = 5, .depth = 2, .bound = BOUND_LOWER };
    for (uint64_t i = 0; i < 1000000; i++)
        tt_store(tt, &PARAMS_DEFAULT, nth_key(i), 0, &entry);
    assert_in_range(tt_hashfull(tt), 990, 1000);
    tt_new_search(tt);
    assert_int_equal(tt_hashfull(tt), 0);
    tt_clear(tt);
    assert_int_equal(tt_probe(tt, nth_key(999999), 0).move, MOVE_NONE);
    tt_free(tt);
}

TEST(absurd_size_is_refused)
{
    Tt *tt = NULL;
    Error err = { 0 };
    /* More than an address space of 47 bits holds. */
    assert_false(tt_new(&tt, 1 << 28, &err));
    assert_int_equal(err.code, ERR_MEMORY);
    assert_null(tt);
}

/* What an entry of a key looks like, so that a mixture of two is seen. */
static TtEntry entry_of(uint64_t n)
{
    uint64_t noise = nth_key(n + 1000);
    return (TtEntry){ .move = (Move)(noise | 1),
                      .score = (int)(noise >> 16 & 0x3fff),
                      .eval = (int)(noise >> 32 & 0x3fff),
                      .depth = (int)(noise >> 48 & 63),
                      .bound = (ScoreBound)(n % 3) };
}

typedef struct {
    Tt *tt;
    uint64_t seed;
    uint64_t hits, wrong;
} Hammer;

static void *hammer(void *argument)
{
    enum { KEYS = 6, ROUNDS = 300000 };
    Hammer *h = argument;
    for (uint64_t i = 0; i < ROUNDS; i++) {
        h->seed = h->seed * 6364136223846793005ULL + 1442695040888963407ULL;
        uint64_t n = (h->seed >> 33) % KEYS;
        uint64_t key = nth_key(n) >> 20; /* small keys share one bucket */
        TtEntry mine = entry_of(n);
        if (h->seed >> 63) {
            tt_store(h->tt, &PARAMS_DEFAULT, key, 0, &mine);
            continue;
        }
        TtEntry got = tt_probe(h->tt, key, 0);
        if (got.move == MOVE_NONE)
            continue;
        h->hits++;
        h->wrong += got.score != mine.score || got.eval != mine.eval || got.move != mine.move ||
                    got.depth != mine.depth;
    }
    return NULL;
}

TEST(torn_entries_are_not_believed)
{
    enum { THREADS = 4 };
    Tt *tt = table_of_mib(1);
    Hammer hammers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        hammers[i] = (Hammer){ .tt = tt, .seed = (uint64_t)i * 77 + 1 };
        assert_int_equal(pthread_create(&threads[i], NULL, hammer, &hammers[i]), 0);
    }
    uint64_t hits = 0;
    uint64_t wrong = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        hits += hammers[i].hits;
        wrong += hammers[i].wrong;
    }
    assert_true(hits > 1000);
    /* One in 65,536 torn entries may slip through, and few are torn. */
    if (wrong > hits / 10000)
        fail_msg("%llu of %llu hits were of another entry", (unsigned long long)wrong,
                 (unsigned long long)hits);
    tt_free(tt);
}
