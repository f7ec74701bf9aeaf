/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/base/random.h"
#include "engine/tablebase/tablebase.h"

#include "engine/core/outcome.h"
#include "tests/support/games.h"
#include "tests/support/syzygy_maker.h"
#include "tests/support/chess.h"

#include <dirent.h>
#include <pthread.h>
#include <unistd.h>

#define SYZYGY_DIR SUITES_DIR "/syzygy"

enum { EXPECTED_MAX = 2000 };

/* Builds with asserts and sanitizers rank one position in STRIDE. */
#ifdef NDEBUG
enum { STRIDE = 1 };
#else
enum { STRIDE = 8 };
#endif

/* A line of expected.tsv: what another program found. */
typedef struct {
    Position pos;
    int wdl, dtz;
} Expected;

typedef struct {
    char dir[32];    /* a folder for tables of the test's own */
    Tablebase *real; /* the shared ones, or NULL */
    Expected *expected;
    int count;
} Fixture;

static Position lenient_position(const char *fen)
{
    return position_in(fen, FEN_LENIENT);
}

static void must_be(const Position *pos, const char *what, int is, int expected)
{
    char fen[FEN_SIZE];
    if (is == expected)
        return;
    fen_write(pos, fen);
    fail_msg("%s: %s %d, not %d", fen, what, is, expected);
}

/* Folders of files */

static void path_in(const Fixture *f, const char *name, char out[64])
{
    int len = snprintf(out, 64, "%s/%s", f->dir, name);
    assert_in_range(len, 1, 63);
}

static void write_file(const Fixture *f, const char *name, const uint8_t *bytes, size_t size)
{
    char path[64];
    path_in(f, name, path);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void link_file(const Fixture *f, const char *name)
{
    char path[64];
    char target[512];
    path_in(f, name, path);
    assert_in_range(snprintf(target, sizeof target, "%s/%s", SYZYGY_DIR, name), 1, 511);
    assert_int_equal(symlink(target, path), 0);
}

static int empty_folder(void **state)
{
    const Fixture *f = *state;
    DIR *dir = opendir(f->dir);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));) {
        char path[64];
        if (e->d_name[0] == '.')
            continue;
        path_in(f, e->d_name, path);
        unlink(path);
    }
    closedir(dir);
    return 0;
}

static Tablebase *open_folder(const Fixture *f)
{
    Tablebase *tb = NULL;
    Error err = { 0 };
    if (!tablebase_open(&tb, f->dir, &err))
        fail_msg("%s", err.text);
    return tb;
}

/* Values of another program */

static void check_values(Tablebase *tb, Position *pos, int wdl, int dtz)
{
    TablebaseValue value = TABLEBASE_DRAW;
    int distance = 0;
    must_be(pos, "WDL found", tablebase_probe_wdl(tb, pos, &value), true);
    must_be(pos, "DTZ found", tablebase_probe_dtz(tb, pos, &distance), true);
    must_be(pos, "WDL", value, wdl);
    must_be(pos, "DTZ", distance, dtz);
}

static void check_expected_values(Fixture *f, int i)
{
    check_values(f->real, &f->expected[i].pos, f->expected[i].wdl, f->expected[i].dtz);
}

TEST(all_positions_have_the_values_of_another_program)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    Error err = { 0 };
    if (!tablebase_verify(f->real, &err))
        fail_msg("%s", err.text);
    TablebaseInfo info = tablebase_info(f->real);
    assert_int_equal(info.wdl_files, 35);
    assert_int_equal(info.dtz_files, 35);
    assert_int_equal(info.max_pieces, 4);
    assert_true(f->count >= 1250);
    for (int i = 0; i < f->count; i++)
        check_expected_values(f, i);
}

static void *probe_in_thread(void *user)
{
    Fixture *f = user;
    intptr_t wrong = 0;
    for (int i = 0; i < f->count; i++) {
        Position pos = f->expected[i].pos;
        TablebaseValue value = TABLEBASE_DRAW;
        int dtz = 0;
        wrong += !tablebase_probe_wdl(f->real, &pos, &value) ||
                 !tablebase_probe_dtz(f->real, &pos, &dtz) || (int)value != f->expected[i].wdl ||
                 dtz != f->expected[i].dtz;
    }
    return (void *)wrong;
}

TEST(two_threads_may_be_first_to_need_a_file)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    Fixture fresh = *f;
    Error err = { 0 };
    fresh.real = NULL;
    if (!tablebase_open(&fresh.real, SYZYGY_DIR, &err))
        fail_msg("%s", err.text);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, probe_in_thread, &fresh), 0);
    for (int i = 0; i < 2; i++) {
        void *wrong = NULL;
        assert_int_equal(pthread_join(threads[i], &wrong), 0);
        assert_null(wrong);
    }
    tablebase_free(fresh.real);
}

TEST(position_is_unchanged_after_every_probe)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    for (int i = 0; i < f->count; i += 10) {
        Position *pos = &f->expected[i].pos;
        Position before = *pos;
        TablebaseRanking ranking;
        check_expected_values(f, i);
        (void)!tablebase_rank_root_moves(f->real, pos, &ranking);
        assert_memory_equal(pos->pieces, before.pieces, sizeof pos->pieces);
        assert_int_equal(pos->key, before.key);
        assert_int_equal(pos->halfmove_clock, before.halfmove_clock);
        assert_int_equal(pos->ply, before.ply);
    }
}

/* Rankings */

static TablebaseRanking rank(Tablebase *tb, Position *pos)
{
    TablebaseRanking ranking;
    must_be(pos, "ranked", tablebase_rank_root_moves(tb, pos, &ranking), true);
    return ranking;
}

/* What `dtz` plies are worth when the 50-move counter is at `clock`. */
static int value_under_counter(int dtz, int clock)
{
    bool in_time = abs(dtz) + clock <= 100;
    return dtz == 0 ? 0 : (in_time ? 2 : 1) * (dtz > 0 ? 1 : -1);
}

TEST(best_move_keeps_what_the_counter_leaves_of_a_value)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    static const int clocks[] = { 0, 20, 50, 80, 90, 98 };
    int checked = 0;
    for (int i = 0; i < f->count; i += STRIDE)
        for (size_t j = 0; j < sizeof clocks / sizeof *clocks; j++) {
            Position pos = f->expected[i].pos;
            int dtz = f->expected[i].dtz;
            MoveList legal;
            movegen_legal(&pos, &legal);
            /* Captures and pawn moves start the counter anew. */
            if (legal.count == 0 || abs(dtz) == 1)
                continue;
            char fen[FEN_SIZE];
            char counted[FEN_SIZE + 16];
            fen_write(&pos, fen);
            *strrchr(fen, ' ') = '\0';
            *strrchr(fen, ' ') = '\0';
            assert_true(snprintf(counted, sizeof counted, "%s %d 80", fen, clocks[j]) > 0);
            pos = lenient_position(counted);
            TablebaseRanking ranking = rank(f->real, &pos);
            assert_true(ranking.has_distances);
            assert_int_equal(ranking.count, legal.count);
            /* Distances from tables that count in moves may be off by a ply. */
            int ours = ranking.moves[0].dtz;
            if (abs(ours - dtz) != 1)
                must_be(&pos, "best distance", ours, dtz);
            must_be(&pos, "best value", ranking.moves[0].value,
                    value_under_counter(ours, clocks[j]));
            must_be(&pos, "best holds", ranking.moves[0].holds, true);
            checked++;
        }
    assert_true(checked > 3000 / STRIDE);
}

typedef enum { PLAY_BEST, PLAY_ANY_THAT_HOLDS } Style;

/* Plays on until the game is over: the winner as `style` says, the loser as long as it can. */
static Outcome play_out(Tablebase *tb, Position *pos, Style style, uint64_t *seed)
{
    Colour winner = pos->side_to_move;
    for (int plies = 0; plies < 400; plies++) {
        Undo undo;
        Outcome outcome = position_outcome(pos);
        if (outcome != OUTCOME_NONE)
            return outcome;
        TablebaseRanking ranking = rank(tb, pos);
        int chosen = 0;
        if (style == PLAY_ANY_THAT_HOLDS && pos->side_to_move == winner)
            do
                chosen = (int)random_below(seed, (uint64_t)ranking.count);
            while (!ranking.moves[chosen].holds);
        position_make(pos, ranking.moves[chosen].move, &undo);
    }
    return OUTCOME_NONE;
}

TEST(winners_mate_before_the_counter_or_a_repetition_saves_the_loser)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    uint64_t seed = 3;
    int games = 0;
    for (int i = 0; i < f->count; i += 5 * STRIDE) {
        if (f->expected[i].wdl != TABLEBASE_WIN)
            continue;
        for (Style style = PLAY_BEST; style <= PLAY_ANY_THAT_HOLDS; style++) {
            Position pos = f->expected[i].pos;
            must_be(&f->expected[i].pos, "outcome", (int)play_out(f->real, &pos, style, &seed),
                    OUTCOME_CHECKMATE);
            games++;
        }
    }
    assert_true(games > 100 / STRIDE);
}

static const TablebaseMove *ranked(const TablebaseRanking *ranking, const Position *pos,
                                   const char *text)
{
    Move m = move_of(pos, text);
    for (int i = 0; i < ranking->count; i++)
        if (ranking->moves[i].move == m)
            return &ranking->moves[i];
    fail_msg("%s is not ranked", text);
    return NULL;
}

TEST(third_repetitions_are_draws_and_second_ones_make_the_winner_hurry)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    Position pos = lenient_position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
    TablebaseRanking ranking = rank(f->real, &pos);
    assert_int_equal(ranking.moves[0].value, TABLEBASE_WIN);
    assert_true(ranked(&ranking, &pos, "b1c1")->holds);

    play(&pos, "b1c1 d5e5 c1b1 e5d5");
    ranking = rank(f->real, &pos);
    assert_int_equal(ranked(&ranking, &pos, "b1c1")->value, TABLEBASE_WIN);
    assert_false(ranked(&ranking, &pos, "b1c1")->holds);
    for (int i = 0; i < ranking.count; i++)
        assert_int_equal(ranking.moves[i].holds, ranking.moves[i].dtz == ranking.moves[0].dtz &&
                                                     ranking.moves[i].value == TABLEBASE_WIN);

    /* Now Black's reply would make the position of the start the third time, or White at once. */
    play(&pos, "b1c1 d5e5");
    ranking = rank(f->real, &pos);
    assert_int_equal(ranked(&ranking, &pos, "c1b1")->value, TABLEBASE_DRAW);
    play(&pos, "c1d1 e5f5 d1c1 f5e5");
    ranking = rank(f->real, &pos);
    assert_int_equal(ranking.moves[0].value, TABLEBASE_WIN);
}

TEST(losers_take_the_repetition)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    Position pos = lenient_position("8/8/3k4/8/8/8/8/K1Q5 b - - 0 1");
    play(&pos, "d6d5 c1b1 d5e5 b1c1 e5d5 c1b1 d5e5 b1c1");
    TablebaseRanking ranking = rank(f->real, &pos);
    assert_int_equal(ranking.moves[0].value, TABLEBASE_DRAW);
    assert_int_equal(ranking.moves[0].move, ranked(&ranking, &pos, "e5d5")->move);
    assert_true(ranking.moves[0].holds);
    assert_int_equal(ranking.moves[1].value, TABLEBASE_LOSS);
    assert_false(ranking.moves[1].holds);
}

TEST(mates_come_first)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    /* Taking the pawn wins too, and is as near by distance. */
    Position pos = lenient_position("k7/8/1K6/8/8/8/p6R/8 w - - 40 80");
    TablebaseRanking ranking = rank(f->real, &pos);
    assert_int_equal(ranking.moves[0].move, ranked(&ranking, &pos, "h2h8")->move);
    assert_int_equal(ranked(&ranking, &pos, "h2a2")->value, TABLEBASE_WIN);
    assert_int_equal(ranked(&ranking, &pos, "h2a2")->dtz, 1);
}

/* Missing and damaged files */

TEST_IN(without_distances_moves_are_ranked_by_value, NULL, empty_folder)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    link_file(f, "KRvK.rtbw");
    Tablebase *tb = open_folder(f);
    Position pos = lenient_position("8/8/8/3k4/8/8/4R3/K7 w - - 0 1");
    TablebaseRanking ranking = rank(tb, &pos);
    int dtz = 0;
    assert_false(tablebase_probe_dtz(tb, &pos, &dtz));
    assert_false(ranking.has_distances);
    assert_int_equal(ranking.moves[0].value, TABLEBASE_WIN);
    assert_true(ranking.moves[0].holds);
    assert_true(ranked(&ranking, &pos, "a1b2")->holds);

    pos = lenient_position("8/8/8/3k4/4R3/8/8/K7 w - - 0 1");
    ranking = rank(tb, &pos);
    assert_int_equal(ranked(&ranking, &pos, "a1b2")->value, TABLEBASE_DRAW);
    assert_false(ranked(&ranking, &pos, "a1b2")->holds);
    tablebase_free(tb);
}

TEST_IN(positions_outside_the_tables_are_not_found, NULL, empty_folder)
{
    Fixture *f = *state;
    if (!f->real)
        skip();
    link_file(f, "KRvK.rtbw");
    link_file(f, "KPvK.rtbw");
    link_file(f, "KRPvK.rtbw");
    static const struct {
        const char *fen;
        bool found;
    } rows[] = {
        { "8/8/8/3k4/8/8/4R3/K7 w - - 0 1", true },
        { "8/8/8/3k4/8/8/4r3/K7 b - - 0 1", true },
        { "8/8/8/3k4/8/8/8/K7 b - - 0 1", true }, /* kings alone need no table */
        { "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1", false },
        { "8/8/8/3k4/8/8/8/4K2R w K - 0 1", false },
        { "8/8/8/3k4/8/8/8/4K2R w - - 0 1", true },
        { "8/8/8/3k4/4P3/8/8/K6R b - - 0 1", true },
        { "8/8/8/3k4/4p3/8/8/K6R w - - 0 1", false },
        { "8/8/8/3k4/4p3/8/P7/K6R w - - 0 1", false },
        { FEN_START, false },
    };
    Tablebase *tb = open_folder(f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = lenient_position(rows[i].fen);
        TablebaseValue value = TABLEBASE_CURSED_WIN;
        bool found = tablebase_probe_wdl(tb, &pos, &value);
        must_be(&pos, "found", found, rows[i].found);
        assert_true(found || value == TABLEBASE_CURSED_WIN);
    }
    tablebase_free(tb);
}

TEST_IN(folders_without_tables_are_refused, NULL, empty_folder)
{
    const Fixture *f = *state;
    static const uint8_t bytes[MAKER_CONSTANT_SIZE] = { 0 };
    Tablebase *tb = NULL;
    Error err = { 0 };
    assert_false(tablebase_open(&tb, f->dir, &err));
    assert_non_null(strstr(err.text, f->dir));

    write_file(f, "KQvK.txt", bytes, sizeof bytes);
    write_file(f, "KvKQ.rtbw", bytes, sizeof bytes);
    write_file(f, ".rtbw", bytes, sizeof bytes);
    write_file(f, "KQvK.rtbz", bytes, sizeof bytes);
    assert_false(tablebase_open(&tb, f->dir, NULL));

    err = (Error){ 0 };
    assert_false(tablebase_open(&tb, "/nonexistent/syzygy", &err));
    assert_non_null(strstr(err.text, "/nonexistent/syzygy"));
    assert_false(tablebase_open(&tb, "", NULL));
    assert_false(tablebase_open(&tb, ":", NULL));
    assert_null(tb);
}

TEST_IN(damaged_files_are_as_if_missing_and_named_by_verify, NULL, empty_folder)
{
    const Fixture *f = *state;
    uint8_t bytes[MAKER_CONSTANT_SIZE];
    maker_constant_wdl(bytes, MAKER_QUEEN, 4, 0);
    write_file(f, "KQvK.rtbw", bytes, sizeof bytes);
    bytes[0] ^= 1;
    write_file(f, "KRvK.rtbw", bytes, sizeof bytes);
    Tablebase *tb = open_folder(f);
    Position queen = lenient_position("8/8/8/3k4/8/8/4Q3/K7 w - - 0 1");
    Position rook = lenient_position("8/8/8/3k4/8/8/4R3/K7 w - - 0 1");
    TablebaseValue value = TABLEBASE_DRAW;
    Error err = { 0 };
    assert_true(tablebase_probe_wdl(tb, &queen, &value));
    assert_int_equal(value, TABLEBASE_WIN);
    assert_false(tablebase_probe_wdl(tb, &rook, &value));
    assert_false(tablebase_verify(tb, &err));
    assert_non_null(strstr(err.text, "KRvK.rtbw"));
    tablebase_free(tb);

    write_file(f, "KRvK.rtbw", bytes, 17);
    tb = open_folder(f);
    assert_int_equal(tablebase_info(tb).wdl_files, 1);
    assert_false(tablebase_probe_wdl(tb, &rook, &value));
    err = (Error){ 0 };
    assert_false(tablebase_verify(tb, &err));
    assert_non_null(strstr(err.text, "KRvK.rtbw"));
    tablebase_free(tb);
}

TEST_IN(wins_beyond_the_50_moves_are_cursed, NULL, empty_folder)
{
    const Fixture *f = *state;
    uint8_t bytes[MAKER_CONSTANT_SIZE];
    maker_constant_wdl(bytes, MAKER_QUEEN, 3, 1);
    write_file(f, "KQvK.rtbw", bytes, sizeof bytes);
    maker_constant_dtz(bytes, MAKER_QUEEN, 0, 10);
    write_file(f, "KQvK.rtbz", bytes, sizeof bytes);
    Tablebase *tb = open_folder(f);
    static const struct {
        const char *fen;
        int value, dtz;
    } rows[] = {
        { "8/8/8/3k4/8/8/4Q3/K7 w - - 0 1", TABLEBASE_CURSED_WIN, 121 },
        { "8/8/8/3k4/8/8/8/KQ6 b - - 0 1", TABLEBASE_BLESSED_LOSS, -122 },
        { "8/8/8/3K4/8/8/8/kq6 b - - 0 1", TABLEBASE_CURSED_WIN, 121 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = lenient_position(rows[i].fen);
        check_values(tb, &pos, rows[i].value, rows[i].dtz);
        TablebaseRanking ranking = rank(tb, &pos);
        must_be(&pos, "value", ranking.moves[0].value, rows[i].value);
    }
    tablebase_free(tb);
}

static int read_expected(Fixture *f)
{
    FILE *file = fopen(SYZYGY_DIR "/expected.tsv", "r");
    char line[256];
    if (!file)
        return 0;
    f->expected = malloc(EXPECTED_MAX * sizeof *f->expected);
    assert_non_null(f->expected);
    while (fgets(line, sizeof line, file)) {
        char *tab = strchr(line, '\t');
        if (line[0] == '#' || !tab)
            continue;
        assert_true(f->count < EXPECTED_MAX);
        *tab = '\0';
        Expected *e = &f->expected[f->count++];
        e->pos = lenient_position(line);
        e->wdl = (int)strtol(tab + 1, &tab, 10);
        e->dtz = (int)strtol(tab, NULL, 10);
    }
    fclose(file);
    return f->count;
}

static int set_up(void **state)
{
    Fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    memcpy(f->dir, "/tmp/castled-syzygy-XXXXXX", sizeof "/tmp/castled-syzygy-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    if (read_expected(f)) {
        Error err = { 0 };
        if (!tablebase_open(&f->real, SYZYGY_DIR, &err))
            fail_msg("%s", err.text);
    }
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    Fixture *f = *state;
    tablebase_free(f->real);
    free(f->expected);
    rmdir(f->dir);
    free(f);
    return 0;
}

TESTS_IN(set_up, tear_down)
