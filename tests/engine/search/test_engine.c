/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/clock.h"
#include "engine/core/san.h"
#include "engine/search/engine.h"
#include "engine/search/params.h"
#include "engine/search/tt.h"
#include "engine/eval/network.h"
#include "tests/support/random_network.h"
#include "tests/support/syzygy_maker.h"
#include "tests/support/chess.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <time.h>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
    #define SLOWNESS 40 /* sanitizers, and machines that run them beside other things */
#else
    #define SLOWNESS 1
#endif

/* Every allocation of the process, counted by standing in for the C library's functions. */
static atomic_uint allocations;
#if defined(__GLIBC__) && SLOWNESS == 1
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

void *malloc(size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    atomic_fetch_add(&allocations, 1);
    return __libc_realloc(block, size);
}
#endif

/* What the callbacks saw. */
typedef struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int done;
    int infos;
    int64_t done_us;
    SearchResult result;
    SearchInfo lines[16]; /* the newest for each MultiPV line */
} Watcher;

static void on_info(void *user, const SearchInfo *info)
{
    Watcher *w = user;
    pthread_mutex_lock(&w->lock);
    w->infos++;
    if (info->line <= 16)
        w->lines[info->line - 1] = *info;
    pthread_mutex_unlock(&w->lock);
}

static void on_done(void *user, const SearchResult *result)
{
    Watcher *w = user;
    pthread_mutex_lock(&w->lock);
    w->done++;
    w->done_us = clock_now_us();
    w->result = *result;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

static void watcher_init(Watcher *w)
{
    *w = (Watcher){ .done = 0 };
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
}

static Engine *engine_with(EngineOptions options)
{
    Engine *engine = NULL;
    Error err = { 0 };
    if (!engine_new(&engine, &options, &err))
        fail_msg("%s", err.text);
    return engine;
}

static Engine *plain_engine(void)
{
    return engine_with((EngineOptions)ENGINE_OPTIONS_DEFAULT);
}

static void start(Engine *engine, const Position *pos, const SearchLimits *limits, Watcher *w)
{
    const SearchCallbacks callbacks = { .on_info = on_info, .on_done = on_done, .user = w };
    watcher_init(w);
    engine_set_position(engine, pos);
    engine_go(engine, limits, &callbacks);
}

static SearchResult think(Engine *engine, const Position *pos, const SearchLimits *limits)
{
    Watcher w;
    start(engine, pos, limits, &w);
    engine_wait(engine);
    assert_int_equal(w.done, 1);
    return w.result;
}

static SearchResult think_fen(Engine *engine, const char *fen, SearchLimits limits)
{
    Position pos = position_of(fen);
    return think(engine, &pos, &limits);
}

static void sleep_ms(int ms)
{
    const struct timespec pause = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L };
    nanosleep(&pause, NULL);
}

TEST(mates_are_found_and_counted)
{
    static const struct {
        const char *fen, *move;
        int plies;
    } rows[] = {
        { "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", 1 },
        { "k7/8/1K6/8/8/8/8/7R w - - 0 1", "h1h8", 1 },
        { "5rk1/1b3ppp/8/2RN4/8/8/2Q2PPP/6K1 w - - 0 1", "d5e7", 5 },
        { "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 5 },
    };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        engine_clear(engine);
        Position pos = position_of(rows[i].fen);
        SearchResult result = think(
            engine, &pos, &(SearchLimits){ .mate = (rows[i].plies + 1) / 2, .nodes = 3000000 });
        if (result.best != move_of(&pos, rows[i].move) ||
            result.info.score != SCORE_MATE - rows[i].plies)
            fail_msg("%s: score %d", rows[i].fen, result.info.score);
    }
    engine_free(engine);
}

TEST(mate_limit_stops_at_the_mate)
{
    Engine *engine = plain_engine();
    SearchResult result =
        think_fen(engine, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", (SearchLimits){ .mate = 3 });
    assert_int_equal(result.info.score, SCORE_MATE - 5);
    engine_free(engine);
}

/* A mate's distance must not drift when it is found again through the table. */
TEST(mate_distance_holds_along_the_game)
{
    Engine *engine = plain_engine();
    Position pos = position_of("8/8/8/8/8/5K2/4Q3/7k w - - 0 1");
    int plies = 0;
    for (int i = 0; i < 12; i++) {
        SearchResult result = think(engine, &pos, &(SearchLimits){ .depth = 10 });
        if (result.best == MOVE_NONE)
            break;
        int distance = SCORE_MATE - abs(result.info.score);
        assert_in_range(distance, 1, MAX_PLY);
        if (plies)
            assert_true(distance <= plies - 1);
        plies = distance;
        Undo undo;
        position_make(&pos, result.best, &undo);
    }
    assert_int_equal(movegen_count(&pos), 0);
    assert_true(position_in_check(&pos));
    engine_free(engine);
}

TEST(weaker_play_takes_few_nodes_and_differs_by_the_dice)
{
    Engine *engine = plain_engine();
    Position pos = position_of(FEN_START);
    for (int elo = ELO_MIN; elo <= 1800; elo += 300) {
        bool seen[1 << 12] = { false };
        int different = 0;
        for (uint64_t seed = 0; seed < 40; seed++) {
            SearchLimits limits = { .elo = elo, .seed = seed };
            engine_clear(engine);
            SearchResult result = think(engine, &pos, &limits);
            assert_true(position_allows(&pos, result.best));
            assert_in_range(result.info.nodes, 1, 10000);
            different += !seen[result.best & 0xfff];
            seen[result.best & 0xfff] = true;
            engine_clear(engine);
            assert_int_equal(think(engine, &pos, &limits).best, result.best);
        }
        assert_in_range(different, 2, 20);
    }
    engine_free(engine);
}

TEST(weaker_play_still_takes_mates)
{
    Engine *engine = plain_engine();
    Position pos = position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    for (uint64_t seed = 0; seed < 100; seed++) {
        SearchLimits limits = { .elo = ELO_MIN, .seed = seed };
        assert_int_equal(think(engine, &pos, &limits).best, move_of(&pos, "a1a8"));
    }
    engine_free(engine);
}

/* A bishop took a knight. That it can be taken back shows at a glance: nobody who knows the game
 * forgets it, though other mistakes of that size are played. */
TEST(weaker_play_takes_back_what_was_taken)
{
    Engine *engine = plain_engine();
    Position pos = position_of("r1bqkbnr/1ppp1ppp/p1B5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4");
    int forgotten = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        SearchLimits limits = { .elo = 1350, .seed = seed };
        SearchResult result = think(engine, &pos, &limits);
        forgotten += result.best != move_of(&pos, "d7c6") && result.best != move_of(&pos, "b7c6");
    }
    assert_in_range(forgotten, 0, 3);
    engine_free(engine);
}

TEST(no_legal_move_gives_no_move)
{
    static const char *const fens[] = {
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", /* stalemate */
        "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        SearchResult result = think_fen(engine, fens[i], (SearchLimits){ .depth = 5 });
        assert_int_equal(result.best, MOVE_NONE);
        assert_int_equal(result.ponder, MOVE_NONE);
        assert_int_equal(result.info.depth, 0);
    }
    engine_free(engine);
}

TEST(stalemate_is_a_draw)
{
    Engine *engine = plain_engine();
    /* The pawn can only be stopped by stalemate: a bare king against a rook's pawn. */
    SearchResult result =
        think_fen(engine, "k7/P7/1K6/8/8/8/8/8 w - - 0 1", (SearchLimits){ .depth = 12 });
    assert_in_range(result.info.score + 5, 0, 10);
    engine_free(engine);
}

TEST(repetition_is_seen_and_used)
{
    Engine *engine = plain_engine();
    /* White is lost but for the perpetual check on e8 and h5. */
    SearchResult result =
        think_fen(engine, "6k1/6p1/8/7Q/8/1q6/2r5/7K w - - 0 1", (SearchLimits){ .nodes = 300000 });
    assert_in_range(result.info.score + 5, 0, 10);
    /* Black, a queen for a rook up, must not let the position come up a third time. */
    static const char *const moves[] = { "e1e2", "b3b2", "e2e1", "b2b3", "e1e2", "b3b2", "e2e1" };
    Position pos = position_of("6k1/8/8/8/8/1q6/8/4K2R w - - 0 1");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        play(&pos, moves[i]);
    result = think(engine, &pos, &(SearchLimits){ .nodes = 100000 });
    assert_true(result.best != move_of(&pos, "b2b3"));
    assert_true(result.info.score > 100);
    engine_free(engine);
}

/* One centipawn off is the search's own dice. */
static void assert_score(const SearchResult *result, int score)
{
    assert_in_range(result->info.score - score + 1, 0, 2);
}

TEST(contempt_makes_a_draw_worth_less)
{
    static const char *const drawn[] = {
        "7k/8/8/8/8/8/p7/K7 w - - 0 1",  /* bare kings next */
        "k7/P7/1K6/8/8/8/8/8 w - - 0 1", /* stalemate, or the pawn is lost */
        "k7/P7/8/8/8/8/8/7K b - - 0 1",  /* the same for Black */
    };
    static const int contempts[] = { 0, 60, -60, 0 };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof drawn / sizeof *drawn; i++) {
        for (size_t k = 0; k < sizeof contempts / sizeof *contempts; k++) {
            /* The hash is not cleared: what one contempt found must not answer for another. */
            SearchResult result = think_fen(
                engine, drawn[i], (SearchLimits){ .depth = 12, .contempt_cp = contempts[k] });
            assert_score(&result, -contempts[k]);
        }
    }
    engine_free(engine);
}

TEST(contempt_avoids_a_repetition_that_costs_less)
{
    /* Black is a pawn down and can have a draw at once. */
    static const char *const moves[] = { "g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1" };
    Position pos = position_of("rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        play(&pos, moves[i]);
    Engine *engine = plain_engine();
    SearchResult result = think(engine, &pos, &(SearchLimits){ .nodes = 50000 });
    assert_true(result.best == move_of(&pos, "f6g8"));
    assert_score(&result, 0);
    result = think(engine, &pos, &(SearchLimits){ .nodes = 50000, .contempt_cp = CONTEMPT_MAX });
    assert_true(result.best != move_of(&pos, "f6g8"));
    assert_in_range(-result.info.score, 10, CONTEMPT_MAX);
    engine_free(engine);
}

TEST(fifty_moves_are_a_draw_but_mate_comes_first)
{
    Engine *engine = plain_engine();
    SearchResult result =
        think_fen(engine, "7k/8/8/8/8/8/1R6/K7 w - - 99 120", (SearchLimits){ .depth = 8 });
    assert_in_range(result.info.score + 5, 0, 10);
    result = think_fen(engine, "7k/R7/6K1/8/8/8/8/8 w - - 99 120", (SearchLimits){ .depth = 8 });
    assert_int_equal(result.info.score, SCORE_MATE - 1);
    engine_free(engine);
}

TEST(search_moves_are_respected)
{
    Engine *engine = plain_engine();
    Position pos = position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"); /* a1a8 mates */
    SearchLimits limits = { .depth = 6, .search_move_count = 2 };
    limits.search_moves[0] = move_of(&pos, "a1b1");
    limits.search_moves[1] = move_of(&pos, "e1e2");
    SearchResult result = think(engine, &pos, &limits);
    assert_true(result.best == limits.search_moves[0] || result.best == limits.search_moves[1]);
    engine_free(engine);
}

TEST(lines_are_distinct_and_in_order)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.multi_pv = 5;
    Engine *engine = engine_with(options);
    Position pos =
        position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    Watcher w;
    start(engine, &pos, &(SearchLimits){ .depth = 8 }, &w);
    engine_wait(engine);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(w.lines[i].line, i + 1);
        assert_int_equal(w.lines[i].depth, 8);
        for (int j = 0; j < i; j++) {
            assert_true(w.lines[j].pv[0] != w.lines[i].pv[0]);
            assert_true(w.lines[j].score >= w.lines[i].score);
        }
    }
    assert_int_equal(w.result.best, w.lines[0].pv[0]);
    /* More lines than moves: as many lines as moves. */
    Position few = position_of("7k/8/8/8/8/8/6r1/K7 w - - 0 1");
    start(engine, &few, &(SearchLimits){ .depth = 4 }, &w);
    engine_wait(engine);
    assert_int_equal(w.lines[1].line, 0);
    engine_free(engine);
}

TEST(principal_variations_are_legal)
{
    Engine *engine = plain_engine();
    static const char *const fens[] = {
        FEN_START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/P7/8/8/8/8/k6p/2K5 w - - 0 1",
    };
    for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
        SearchResult result = think_fen(engine, fens[i], (SearchLimits){ .nodes = 150000 });
        Position pos = position_of(fens[i]);
        assert_true(result.info.pv_length > 0);
        assert_int_equal(result.info.pv[0], result.best);
        for (int p = 0; p < result.info.pv_length; p++) {
            Undo undo;
            assert_true(position_allows(&pos, result.info.pv[p]));
            position_make(&pos, result.info.pv[p], &undo);
        }
    }
    engine_free(engine);
}

TEST(node_limit_is_exact)
{
    static const uint64_t limits[] = { 1, 2, 17, 1000, 54321 };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        SearchResult result = think_fen(engine, FEN_START, (SearchLimits){ .nodes = limits[i] });
        assert_int_equal(result.info.nodes, limits[i]);
        assert_int_not_equal(result.best, MOVE_NONE);
    }
    engine_free(engine);
}

TEST(same_search_same_nodes)
{
    Engine *engine = plain_engine();
    uint64_t first = 0;
    for (int i = 0; i < 3; i++) {
        engine_clear(engine);
        SearchResult result = think_fen(engine, FEN_START, (SearchLimits){ .depth = 9 });
        if (i == 0)
            first = result.info.nodes;
        assert_int_equal(result.info.nodes, first);
    }
    engine_free(engine);
}

TEST(depth_limit_is_kept)
{
    Engine *engine = plain_engine();
    for (int depth = 1; depth <= 7; depth++)
        assert_int_equal(think_fen(engine, FEN_START, (SearchLimits){ .depth = depth }).info.depth,
                         depth);
    engine_free(engine);
}

TEST(stop_is_answered_within_five_ms)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    for (int threads = 1; threads <= 2; threads++) {
        options.threads = threads;
        Engine *engine = engine_with(options);
        Position pos =
            position_of("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        int64_t best_us = INT64_MAX;
        /* The machine may be busy: the engine is judged by the best of many. */
        for (int i = 0; i < 60 && best_us > 5000; i++) {
            Watcher w;
            start(engine, &pos, &(SearchLimits){ .infinite = true }, &w);
            sleep_ms(10);
            int64_t asked_us = clock_now_us();
            engine_stop(engine);
            engine_wait(engine);
            assert_int_equal(w.done, 1);
            assert_int_not_equal(w.result.best, MOVE_NONE);
            int64_t took_us = w.done_us - asked_us;
            if (took_us < best_us)
                best_us = took_us;
        }
        if (best_us > 5000 * SLOWNESS)
            fail_msg("%d threads: %lld us", threads, (long long)best_us);
        engine_free(engine);
    }
}

TEST(a_stop_before_the_search_began_still_gets_a_move_worth_playing)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Position pos = position_of("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5Q2/PPPP1PPP/RNB1KBNR w KQkq - 0 1");
    Position hanging = position_of("rnb1kbnr/pppp1Qpp/8/4p3/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 0 1");
    for (int threads = 1; threads <= 2; threads++) {
        options.threads = threads;
        Engine *engine = engine_with(options);
        for (int i = 0; i < 200; i++) {
            static const SearchLimits rows[] = {
                { .infinite = true }, { .nodes = 2000 }, { .movetime_ms = 100 }, { .ponder = true }
            };
            Watcher w;
            start(engine, i % 8 < 4 ? &pos : &hanging, &rows[i % 4], &w);
            if (rows[i % 4].ponder)
                engine_ponderhit(engine);
            engine_stop(engine);
            engine_stop(engine);
            engine_wait(engine);
            assert_int_equal(w.done, 1);
            assert_in_range(w.result.info.depth, 1, MAX_PLY);
            assert_true(abs(w.result.info.score) < 1500);
            if (i % 8 >= 4)
                assert_int_equal(w.result.best, move_of(&hanging, "e8f7"));
        }
        engine_free(engine);
    }
}

TEST(infinite_search_waits_for_stop)
{
    Engine *engine = plain_engine();
    Position pos = position_of("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    Watcher w;
    start(engine, &pos, &(SearchLimits){ .infinite = true, .depth = 1, .nodes = 50 }, &w);
    sleep_ms(50);
    pthread_mutex_lock(&w.lock);
    assert_int_equal(w.done, 0);
    pthread_mutex_unlock(&w.lock);
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(w.done, 1);
    engine_free(engine);
}

TEST(pondering_is_not_limited_by_the_clock)
{
    Engine *engine = plain_engine();
    Position pos = position_of(FEN_START);
    SearchLimits limits = {
        .has_clock = true, .time_ms = { 1000, 1000 }, .moves_to_go = 1, .ponder = true
    };
    Watcher w;
    start(engine, &pos, &limits, &w);
    sleep_ms(1200); /* longer than the clock */
    pthread_mutex_lock(&w.lock);
    assert_int_equal(w.done, 0);
    pthread_mutex_unlock(&w.lock);
    int64_t hit_us = clock_now_us();
    engine_ponderhit(engine);
    engine_wait(engine);
    assert_int_equal(w.done, 1);
    assert_in_range(w.done_us - hit_us, 0, 1000000 * SLOWNESS);
    /* A hit after the search has nothing left to do is answered at once. */
    limits = (SearchLimits){ .depth = 1, .ponder = true };
    start(engine, &pos, &limits, &w);
    sleep_ms(30);
    engine_ponderhit(engine);
    engine_wait(engine);
    assert_int_equal(w.done, 1);
    /* A miss is a stop. */
    start(engine, &pos, &limits, &w);
    engine_stop(engine);
    engine_wait(engine);
    assert_int_equal(w.done, 1);
    engine_free(engine);
}

/* White has one move, so that the time for it is known: a tenth of the soft limit, here one second.
 */
TEST(a_ponder_hit_after_the_moves_time_is_answered_at_once)
{
    Engine *engine = plain_engine();
    Position pos = position_of("rnb1kbnr/pppp1ppp/8/4P3/7q/8/PPPPP1PP/RNBQKBNR w KQkq - 1 3");
    SearchLimits limits = { .has_clock = true, .time_ms = { 220000, 220000 }, .ponder = true };
    Watcher w;
    start(engine, &pos, &limits, &w);
    sleep_ms(1300);
    int64_t hit_us = clock_now_us();
    engine_ponderhit(engine);
    engine_wait(engine);
    assert_in_range(w.done_us - hit_us, 0, 300000 * SLOWNESS);
    /* Before that, what is left of it is used: a second in all, as only one move is legal. */
    int64_t start_us = clock_now_us();
    start(engine, &pos, &limits, &w);
    sleep_ms(500);
    engine_ponderhit(engine);
    engine_wait(engine);
    assert_in_range(w.done_us - start_us, 900000, 60000000);
    engine_free(engine);
}

/* Nodes as the clock: what a search does with its time is exact, on any machine. */
TEST(a_clock_of_nodes_gives_the_same_search)
{
    Engine *engine = plain_engine();
    const SearchLimits limits = { .has_clock = true,
                                  .time_ms = { 3000, 3000 },
                                  .increment_ms = { 30, 30 },
                                  .nodes_per_ms = 100 };
    SearchResult first = think_fen(engine, FEN_START, limits);
    engine_clear(engine);
    SearchResult second = think_fen(engine, FEN_START, limits);
    assert_int_equal(first.info.nodes, second.info.nodes);
    assert_int_equal(first.best, second.best);
    /* A share of three seconds, and never five of them. */
    assert_in_range(first.info.nodes, 100 * 40, 100 * 1000);
    engine_free(engine);
}

/* A search that ponders on a reply which does not come: to depth 5, then it waits for the stop. */
static void ponder_in_vain(Engine *engine, const Position *pos)
{
    const SearchLimits limits = { .depth = 5, .ponder = true };
    Watcher w;
    start(engine, pos, &limits, &w);
    for (int depth = 0; depth < 5;) {
        sleep_ms(1);
        pthread_mutex_lock(&w.lock);
        depth = w.lines[0].depth;
        pthread_mutex_unlock(&w.lock);
    }
    engine_stop(engine);
    engine_wait(engine);
}

/* White throws a knight away; how many nodes the next move gets. Without the moves before, the
 * position is that of another game. */
static uint64_t nodes_after_a_blunder(int64_t clock_ms, bool is_same_game, bool is_ponder_missed)
{
    const SearchLimits limits = { .has_clock = true,
                                  .time_ms = { clock_ms, clock_ms },
                                  .nodes_per_ms = 100 };
    Engine *engine = plain_engine();
    Position pos = position_of("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    play(&pos, "g1f3 b8c6");
    think(engine, &pos, &limits);
    play(&pos, "f3g5");
    if (is_ponder_missed) {
        Position other = pos;
        play(&other, "h7h6");
        ponder_in_vain(engine, &other);
    }
    play(&pos, "d8g5");
    char fen[FEN_SIZE];
    fen_write(&pos, fen);
    SearchResult result =
        is_same_game ? think(engine, &pos, &limits) : think_fen(engine, fen, limits);
    engine_free(engine);
    return result.info.nodes;
}

TEST(a_score_below_the_last_moves_gets_more_time)
{
    for (int is_ponder_missed = 0; is_ponder_missed < 2; is_ponder_missed++) {
        uint64_t here = 0, elsewhere = 0;
        for (int64_t clock_ms = 4000; clock_ms <= 10000; clock_ms += 500) {
            here += nodes_after_a_blunder(clock_ms, true, is_ponder_missed);
            elsewhere += nodes_after_a_blunder(clock_ms, false, is_ponder_missed);
        }
        if (here <= elsewhere * 5 / 4)
            fail_msg("%llu nodes, in another game %llu", (unsigned long long)here,
                     (unsigned long long)elsewhere);
    }
}

TEST(clock_is_never_overstepped)
{
    static const SearchLimits rows[] = {
        { .has_clock = true, .time_ms = { 1, 1 } },
        { .has_clock = true, .time_ms = { -5, -5 } },
        { .has_clock = true, .time_ms = { 60, 60 }, .increment_ms = { 10, 10 } },
        { .has_clock = true, .time_ms = { 200, 200 }, .moves_to_go = 1 },
        { .movetime_ms = 100 },
        { .movetime_ms = 1 },
    };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t allowed = rows[i].movetime_ms ? rows[i].movetime_ms : rows[i].time_ms[WHITE];
        allowed = (allowed < 20 ? 20 : allowed) * SLOWNESS;
        /* The machine may be busy: the engine is judged by the best of many. */
        int64_t best_ms = INT64_MAX;
        for (int t = 0; t < 40 && best_ms > allowed; t++) {
            int64_t start_us = clock_now_us();
            SearchResult result = think_fen(engine, FEN_START, rows[i]);
            int64_t took_ms = (clock_now_us() - start_us) / 1000;
            assert_int_not_equal(result.best, MOVE_NONE);
            if (took_ms < best_ms)
                best_ms = took_ms;
        }
        if (best_ms > allowed)
            fail_msg("row %zu: %lld ms", i, (long long)best_ms);
    }
    engine_free(engine);
}

TEST(nothing_is_allocated_between_go_and_best_move)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.threads = 2;
    Engine *engine = engine_with(options);
    Position pos = position_of(FEN_START);
    think(engine, &pos, &(SearchLimits){ .nodes = 1000 });
    unsigned before = atomic_load(&allocations);
    think(engine, &pos, &(SearchLimits){ .nodes = 50000 });
    unsigned after = atomic_load(&allocations);
    engine_free(engine);
    if (before == 0)
        skip(); /* this C library, or a sanitizer, does not let us count */
    assert_int_equal(after, before);
}

TEST(two_engines_think_at_once)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.threads = 2;
    options.hash_mib = 1;
    Engine *a = engine_with(options);
    Engine *b = engine_with(options);
    Position start_pos = position_of(FEN_START);
    Position mate = position_of("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    Watcher wa;
    Watcher wb;
    start(a, &start_pos, &(SearchLimits){ .nodes = 60000 }, &wa);
    start(b, &mate, &(SearchLimits){ .nodes = 60000 }, &wb);
    engine_wait(a);
    engine_wait(b);
    assert_int_equal(wa.done, 1);
    assert_int_equal(wb.done, 1);
    assert_int_not_equal(wa.result.best, MOVE_NONE);
    assert_int_equal(wb.result.best, move_of(&mate, "f6a6"));
    engine_free(a);
    engine_free(b);
}

TEST(engines_share_a_hash)
{
    EngineHash *hash = NULL;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    assert_true(engine_hash_new(&hash, 4, NULL));
    options.hash = hash;
    Engine *engines[] = { engine_with(options), engine_with(options) };
    Position pos = position_of(FEN_START);
    SearchLimits limits = { .depth = 6 };
    for (int i = 0; i < 2; i++) {
        tt_clear(hash);
        think(engines[i], &pos, &limits);
        assert_true(tt_probe(hash, pos.key, 0).depth > 0);
    }
    engine_free(engines[0]);
    options.hash = NULL; /* back to one of its own */
    assert_true(engine_set_options(engines[1], &options, NULL));
    tt_clear(hash);
    think(engines[1], &pos, &limits);
    assert_int_equal(tt_probe(hash, pos.key, 0).depth, TT_DEPTH_NONE);
    engine_free(engines[1]);
    engine_hash_free(hash);
}

/* Memory of this process that is no file's, in KiB. */
static long memory_kib(void)
{
    char line[128];
    long kib = 0;
    FILE *status = fopen("/proc/self/status", "r");
    assert_non_null(status);
    while (fgets(line, sizeof line, status) && sscanf(line, "RssAnon: %ld", &kib) != 1)
        continue;
    fclose(status);
    assert_true(kib > 0);
    return kib;
}

/* How much memory one more engine with this network takes, on average, once it has searched. */
static long engine_kib(const Network *network)
{
    enum { ENGINES = 8 };
    Engine *engines[ENGINES];
    EngineHash *hash = NULL;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    long before = 0;
    assert_true(engine_hash_new(&hash, 1, NULL));
    options.hash = hash;
    options.network = network;
    for (int i = 0; i < ENGINES; i++) {
        engines[i] = engine_with(options);
        think_fen(engines[i], FEN_START, (SearchLimits){ .depth = 6 });
        if (i == 0)
            before = memory_kib();
    }
    long grown = memory_kib() - before;
    for (int i = 0; i < ENGINES; i++)
        engine_free(engines[i]);
    engine_hash_free(hash);
    return grown / (ENGINES - 1);
}

/* An engine takes less memory than the weights, so it has none of its own. */
TEST(engines_share_the_networks_weights)
{
    if (SLOWNESS > 1)
        skip(); /* a sanitizer keeps memory of its own */
    size_t built_in_bytes = 0;
    network_embedded_file(&built_in_bytes);
    Network *lent = random_network(3, 1024, 8);
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* no pages of 2 MiB for a few written bytes */
    assert_in_range(engine_kib(NULL), 1, built_in_bytes / 1024);
    assert_in_range(engine_kib(lent), 1,
                    network_payload_size(network_shape_of(&lent->info)) / 1024);
    prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0);
    network_free(lent);
}

/* A hash that forgets everything after each iteration. */
typedef struct {
    EngineHash *hash;
    SearchResult result;
} LostHash;

static void lose_all(void *user, const SearchInfo *info)
{
    (void)info;
    tt_clear(((LostHash *)user)->hash);
}

static void keep_result(void *user, const SearchResult *result)
{
    ((LostHash *)user)->result = *result;
}

/* Others may write over our root's entry in a hash that is shared. Nothing can be taken and nobody
 * checked here, so that lines are as long as the search is deep; from this depth on a node without
 * an entry is searched less deep, and the root alone has it. */
TEST(a_root_that_the_hash_has_lost_is_searched_to_its_whole_depth)
{
    EngineHash *hash = NULL;
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    assert_true(engine_hash_new(&hash, 4, NULL));
    options.hash = hash;
    Engine *engine = engine_with(options);
    Position pos = position_of("4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1");
    LostHash lost = { .hash = hash };
    engine_set_position(engine, &pos);
    const int depth = PARAMS_DEFAULT.iir_depth;
    engine_go(engine, &(SearchLimits){ .depth = depth },
              &(SearchCallbacks){ .on_info = lose_all, .on_done = keep_result, .user = &lost });
    engine_wait(engine);
    assert_int_equal(lost.result.info.depth, depth);
    assert_int_equal(lost.result.info.seldepth, depth);
    engine_free(engine);
    engine_hash_free(hash);
}

TEST(a_search_may_use_fewer_threads)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.threads = 3;
    Engine *engine = engine_with(options);
    Engine *single = plain_engine();
    Position pos = position_of(FEN_START);
    SearchLimits limits = { .nodes = 20000, .threads = 1 };
    uint64_t alone = think(single, &pos, &limits).info.nodes;
    assert_int_equal(think(engine, &pos, &limits).info.nodes, alone); /* exact with one thread */
    limits.threads = 0;
    assert_int_not_equal(think(engine, &pos, &limits).best, MOVE_NONE);
    engine_free(single);
    engine_free(engine);
}

/* Whichever thread found it. */
TEST(the_move_is_the_first_of_the_last_line_that_is_told)
{
    static const char *const fens[] = {
        "r1bqk2r/p2nbppp/1pn1p3/2ppP3/5P2/3P1NP1/PPP3BP/R1BQK1NR w KQkq - 0 9",
        "r1bq1rk1/p2nppbp/1pp2np1/3p4/2PP4/2N1PN1P/PP2BPP1/R1BQ1RK1 w - - 0 9",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    };
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.threads = 6;
    Engine *engine = engine_with(options);
    for (uint64_t i = 0; i < 30; i++) {
        Position pos = position_of(fens[i % 3]);
        Watcher w;
        engine_clear(engine);
        start(engine, &pos, &(SearchLimits){ .nodes = (20000 + 1000 * i) / SLOWNESS }, &w);
        engine_wait(engine);
        assert_int_equal(w.lines[0].pv[0], w.result.best);
    }
    engine_free(engine);
}

TEST(options_change_between_searches)
{
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    Engine *engine = engine_with(options);
    static const struct {
        int threads, hash_mib;
    } rows[] = { { 4, 16 }, { 4, 1 }, { 1, 1 }, { 3, 32 } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        options.threads = rows[i].threads;
        options.hash_mib = rows[i].hash_mib;
        assert_true(engine_set_options(engine, &options, NULL));
        assert_int_not_equal(think_fen(engine, FEN_START, (SearchLimits){ .depth = 6 }).best,
                             MOVE_NONE);
    }
    /* What the machine cannot give leaves all as it was. */
    Error err = { 0 };
    EngineOptions absurd = options;
    absurd.hash_mib = 1 << 28;
    assert_false(engine_set_options(engine, &absurd, &err));
    assert_int_equal(err.code, ERR_MEMORY);
    assert_int_not_equal(think_fen(engine, FEN_START, (SearchLimits){ .depth = 6 }).best,
                         MOVE_NONE);
    engine_free(engine);
    engine_free(NULL);
}

TEST(tables_are_used_at_the_root_and_below)
{
    static const struct {
        const char *fen;
        int lo, hi; /* score */
    } rows[] = {
        /* Won, drawn and lost by the tables; the fourth man goes below the root. */
        { "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", SCORE_TABLEBASE - MAX_PLY, SCORE_MATE },
        { "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", SCORE_TABLEBASE - MAX_PLY, SCORE_MATE },
        { "8/8/8/4k3/4P3/4K3/8/8 w - - 0 1", -5, 5 },
        { "8/8/8/8/3k4/8/1r6/K2N1n2 w - - 0 1", -SCORE_MATE, 0 },
    };
    Tablebase *tablebase = NULL;
    if (!tablebase_open(&tablebase, SUITES_DIR "/syzygy", NULL))
        skip();
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.tablebase = tablebase;
    Engine *engine = engine_with(options);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SearchResult result = think_fen(engine, rows[i].fen, (SearchLimits){ .nodes = 20000 });
        if (result.info.score < rows[i].lo || result.info.score > rows[i].hi)
            fail_msg("%s: score %d", rows[i].fen, result.info.score);
    }
    engine_free(engine);
    tablebase_free(tablebase);
}

/* With six men a probe may have to read from a disk: the last plies of a short search cannot pay
 * for that. The fifth man stands here, so that each capture leads to the largest tables at hand. */
TEST(the_largest_tables_are_not_asked_at_the_last_ply)
{
    Tablebase *tablebase = NULL;
    if (!tablebase_open(&tablebase, SUITES_DIR "/syzygy", NULL))
        skip();
    if (tablebase_info(tablebase).max_pieces != 4) {
        tablebase_free(tablebase);
        skip();
    }
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.tablebase = tablebase;
    Engine *engine = engine_with(options);
    const char *fen = "8/8/8/3k4/8/1r6/2P5/K6n w - - 0 1";
    assert_int_equal(think_fen(engine, fen, (SearchLimits){ .depth = 2 }).info.tablebase_hits, 0);
    engine_clear(engine);
    assert_true(think_fen(engine, fen, (SearchLimits){ .depth = 8 }).info.tablebase_hits > 0);
    engine_free(engine);
    tablebase_free(tablebase);
}

/* Whole iterations count, so that one clock may make no difference. */
TEST(an_engine_that_ponders_takes_more_time)
{
    Engine *engine = plain_engine();
    uint64_t nodes[2] = { 0 };
    for (int ponders = 0; ponders <= 1; ponders++)
        for (int64_t clock_ms = 2000; clock_ms <= 6000; clock_ms += 100) {
            const SearchLimits limits = { .has_clock = true,
                                          .time_ms = { clock_ms, clock_ms },
                                          .ponders = ponders,
                                          .nodes_per_ms = 20 };
            engine_clear(engine);
            nodes[ponders] += think_fen(engine, FEN_START, limits).info.nodes;
        }
    assert_in_range(nodes[1] * 100 / nodes[0], 110, 140);
    engine_free(engine);
}

static void count_root_moves(void *user, const RootMoveInfo *info)
{
    int *told = user;
    assert_true(info->time_ms >= 3000 && info->number >= 1 && info->depth >= 1);
    assert_int_not_equal(info->move, MOVE_NONE);
    (*told)++;
}

static void ignore_result(void *user, const SearchResult *result)
{
    (void)user;
    (void)result;
}

/* With a node a millisecond three seconds are soon over. */
TEST(long_searches_tell_which_move_they_are_at)
{
    static const struct {
        uint64_t nodes;
        bool are_told;
    } rows[] = { { 2900, false }, { 20000, true } };
    Engine *engine = plain_engine();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int told = 0;
        const SearchLimits limits = { .nodes = rows[i].nodes, .nodes_per_ms = 1 };
        engine_clear(engine);
        engine_go(engine, &limits,
                  &(SearchCallbacks){
                      .on_root_move = count_root_moves, .on_done = ignore_result, .user = &told });
        engine_wait(engine);
        assert_int_equal(told > 0, rows[i].are_told);
    }
    engine_free(engine);
}

TEST(what_the_tables_say_of_the_game_is_told)
{
    static const struct {
        const char *name, *fen;
        TablebaseVerdict verdict;
    } rows[] = {
        { "won", "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", TABLEBASE_VERDICT_WIN },
        { "drawn", "8/8/8/4k3/4P3/4K3/8/8 w - - 0 1", TABLEBASE_VERDICT_DRAW },
        { "lost", "8/8/8/8/8/2k5/3q4/K7 w - - 0 1", TABLEBASE_VERDICT_LOSS },
        { "lost, but not in time", "8/8/8/8/4k3/8/3q4/K7 w - - 95 80", TABLEBASE_VERDICT_DRAW },
        { "won, but not in time", "8/8/8/4k3/8/8/8/K2Q4 w - - 98 80",
          TABLEBASE_VERDICT_CURSED_WIN },
        { "too many pieces", FEN_START, TABLEBASE_VERDICT_NONE },
    };
    Tablebase *tablebase = NULL;
    if (!tablebase_open(&tablebase, SUITES_DIR "/syzygy", NULL))
        skip();
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.tablebase = tablebase;
    Engine *engine = engine_with(options);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        SearchResult result = think_fen(engine, rows[i].fen, (SearchLimits){ .nodes = 2000 });
        if (result.tablebase_verdict != rows[i].verdict)
            fail_msg("%s: %d", rows[i].name, (int)result.tablebase_verdict);
    }
    /* Weakened play does not probe them. */
    SearchResult weak =
        think_fen(engine, rows[0].fen, (SearchLimits){ .nodes = 2000, .elo = ELO_MIN });
    assert_int_equal(weak.tablebase_verdict, TABLEBASE_VERDICT_NONE);
    engine_free(engine);
    tablebase_free(tablebase);
}

/* The counter of such a loss may have made a draw of it already. */
TEST(a_loss_by_tables_without_distances_is_not_told)
{
    static const char path[] = "KQvK.rtbw";
    uint8_t file[MAKER_CONSTANT_SIZE];
    maker_constant_wdl(file, MAKER_QUEEN, 4, 0);
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(file, 1, sizeof file, f), sizeof file);
    assert_int_equal(fclose(f), 0);
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    assert_true(tablebase_open(&options.tablebase, ".", NULL));
    Engine *engine = engine_with(options);
    SearchLimits limits = { .nodes = 2000 };
    SearchResult won = think_fen(engine, "8/8/8/8/8/2k5/8/K2Q4 w - - 0 1", limits);
    assert_int_equal(won.tablebase_verdict, TABLEBASE_VERDICT_WIN);
    SearchResult lost = think_fen(engine, "8/8/8/8/8/2k5/8/K3q3 w - - 30 60", limits);
    assert_int_equal(lost.tablebase_verdict, TABLEBASE_VERDICT_NONE);
    engine_free(engine);
    tablebase_free(options.tablebase);
    remove(path);
}

static void linger_in_on_done(void *user, const SearchResult *result)
{
    const struct timespec pause = { .tv_nsec = 2000000L };
    (void)result;
    atomic_fetch_add((atomic_int *)user, 1);
    nanosleep(&pause, NULL);
}

TEST(the_next_search_may_begin_before_on_done_has_returned)
{
    enum { SEARCHES = 10 };
    EngineOptions options = ENGINE_OPTIONS_DEFAULT;
    options.threads = 2;
    Engine *engine = engine_with(options);
    Position pos = position_of(FEN_START);
    atomic_int done = 0;
    int64_t end = clock_now_ms() + 20000;
    for (int i = 1; i <= SEARCHES; i++) {
        engine_set_position(engine, &pos);
        engine_go(engine, &(SearchLimits){ .nodes = 500 },
                  &(SearchCallbacks){ .on_done = linger_in_on_done, .user = &done });
        while (atomic_load(&done) < i && clock_now_ms() < end)
            continue;
        assert_int_equal(atomic_load(&done), i);
    }
    engine_wait(engine);
    assert_int_equal(atomic_load(&done), SEARCHES);
    engine_free(engine);
}

TEST(free_ends_a_running_search)
{
    Engine *engine = plain_engine();
    Position pos = position_of(FEN_START);
    Watcher w;
    start(engine, &pos, &(SearchLimits){ .infinite = true }, &w);
    engine_free(engine);
    assert_int_equal(w.done, 1);
}
