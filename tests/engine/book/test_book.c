/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book.h"
#include "engine/book/book_file.h"

#include "tests/support/chess.h"

#include <pthread.h>
#include <unistd.h>

#define POLYGLOT_DIR SUITES_DIR "/polyglot"

enum { ENTRIES_MAX = 16 };

/* A book of a few entries, made by hand. */
typedef struct {
    uint8_t bytes[ENTRIES_MAX * 16];
    size_t size;
} Pages;

static void put_entry(Pages *pages, uint64_t key, unsigned code, unsigned weight)
{
    uint8_t *at = pages->bytes + pages->size;
    assert_true(pages->size < sizeof pages->bytes);
    for (int i = 0; i < 8; i++)
        at[i] = (uint8_t)(key >> (56 - 8 * i));
    at[8] = (uint8_t)(code >> 8);
    at[9] = (uint8_t)code;
    at[10] = (uint8_t)(weight >> 8);
    at[11] = (uint8_t)weight;
    memset(at + 12, 0xaa, 4);
    pages->size += 16;
}

static Book *view(const Pages *pages)
{
    Book *book = NULL;
    Error err = { 0 };
    if (!book_view(&book, pages->bytes, pages->size, &err))
        fail_msg("%s", err.text);
    return book;
}

static unsigned square_code(const char *name)
{
    return (unsigned)(name[1] - '1') << 3 | (unsigned)(name[0] - 'a');
}

/* "e7e8", 4 -> to, from and promotion as the format packs them. */
static unsigned code_of(const char *squares, unsigned promotion)
{
    return promotion << 12 | square_code(squares) << 6 | square_code(squares + 2);
}

TEST(entries_become_the_legal_moves_they_mean)
{
    static const struct {
        const char *fen, *squares;
        unsigned promotion;
        const char *move; /* NULL: skipped */
    } rows[] = {
        { FEN_START, "e2e4", 0, "e2e4" },
        { FEN_START, "g1f3", 0, "g1f3" },
        { FEN_START, "e2e5", 0, NULL },
        { FEN_START, "e7e5", 0, NULL },
        { FEN_START, "e2e4", 4, NULL },
        { FEN_START, "a1a1", 0, NULL },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", 0, "e1g1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", 0, "e1c1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 0, "e1g1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 0, "e1c1" },
        { "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1e1", 0, NULL },
        { "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", 0, NULL },
        { "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8h8", 0, "e8g8" },
        { "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8a8", 0, "e8c8" },
        { "r3k2r/8/8/8/8/8/8/4RK2 b kq - 0 1", "e8a8", 0, NULL },
        /* Chess960: the king's own way may be a step. */
        { "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", "f1g1", 0, "f1g1" },
        { "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1g1", 0, "f1g1" },
        { "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1h1", 0, "f1h1" },
        { "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1b1", 0, "f1b1" },
        { "4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "f1c1", 0, NULL },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 1, "a7a8n" },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 2, "a7a8b" },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 3, "a7a8r" },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 4, "a7a8q" },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 0, NULL },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 5, NULL },
        { "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", 8 | 4, NULL },
        { "1n6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7b8", 4, "a7b8q" },
        { "8/7k/8/3pP3/8/8/8/K7 w - d6 0 1", "e5d6", 0, "e5d6" },
        { "8/7k/8/3pP3/8/8/8/K7 w - - 0 1", "e5d6", 0, NULL },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        Pages pages = { .size = 0 };
        put_entry(&pages, pos.key, code_of(rows[i].squares, rows[i].promotion), 7);
        Book *book = view(&pages);
        BookMoves moves;
        char text[UCI_MOVE_SIZE] = "";
        book_find(book, &pos, &moves, NULL);
        if (moves.count == 1)
            uci_move_write(&pos, moves.moves[0].move,
                           pos.rules.chess960 ? CASTLING_KING_TAKES_ROOK : CASTLING_KING_TO_TARGET,
                           text);
        if (moves.count != (rows[i].move ? 1 : 0) ||
            (rows[i].move && strcmp(text, rows[i].move) != 0))
            fail_msg("%s: %s/%u becomes \"%s\" (of %d)", rows[i].fen, rows[i].squares,
                     rows[i].promotion, text, moves.count);
        book_free(book);
    }
}

/* The start position with e2e4 30, d2d4 60 in two entries, g1f3 0, c2c4 10, between other keys. */
static Pages example_pages(uint64_t key)
{
    Pages pages = { .size = 0 };
    put_entry(&pages, 0, code_of("a2a3", 0), 1000);
    put_entry(&pages, key - 1, code_of("a2a3", 0), 1000);
    put_entry(&pages, key, code_of("g1f3", 0), 0);
    put_entry(&pages, key, code_of("e2e4", 0), 30);
    put_entry(&pages, key, code_of("d2d4", 0), 50);
    put_entry(&pages, key, code_of("d2d5", 0), 999); /* not legal */
    put_entry(&pages, key, code_of("c2c4", 0), 10);
    put_entry(&pages, key, code_of("d2d4", 0), 10);
    put_entry(&pages, key + 1, code_of("a2a3", 0), 1000);
    put_entry(&pages, UINT64_MAX, code_of("a2a3", 0), 1000);
    return pages;
}

static int index_of(const BookMoves *moves, Move m)
{
    for (int i = 0; i < moves->count; i++)
        if (moves->moves[i].move == m)
            return i;
    return -1;
}

TEST(moves_are_chosen_as_the_rules_say)
{
    enum { TRIES = 10000 };
    static const struct {
        BookRules rules;
        int percent[4]; /* of d2d4 60, e2e4 30, c2c4 10, g1f3 0 */
    } rows[] = {
        { { .pick = BOOK_BEST }, { 100, 0, 0, 0 } },
        { { .pick = BOOK_BEST, .min_weight = 61 }, { 0, 0, 0, 0 } },
        { { .pick = BOOK_WEIGHTED }, { 60, 30, 10, 0 } },
        { { .pick = BOOK_WEIGHTED, .min_weight = 11 }, { 67, 33, 0, 0 } },
        { { .pick = BOOK_WEIGHTED, .min_weight = 100 }, { 0, 0, 0, 0 } },
        { { .pick = BOOK_UNIFORM }, { 25, 25, 25, 25 } },
        { { .pick = BOOK_UNIFORM, .min_weight = 1 }, { 33, 33, 33, 0 } },
        { { .pick = BOOK_UNIFORM, .min_weight = 60 }, { 100, 0, 0, 0 } },
    };
    Position pos = position_of(FEN_START);
    Pages pages = example_pages(pos.key);
    Book *book = view(&pages);
    BookMoves moves;
    assert_int_equal(book_entries(book), 10);
    book_find(book, &pos, &moves, NULL);
    assert_int_equal(moves.count, 4);
    static const uint32_t weights[] = { 60, 30, 10, 0 };
    for (int i = 0; i < 4; i++)
        assert_int_equal(moves.moves[i].weight, weights[i]);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t random = i;
        int chosen[4] = { 0 };
        int total = 0;
        for (int j = 0; j < TRIES; j++) {
            Move m = book_move(book, &pos, &rows[i].rules, &random);
            if (m == MOVE_NONE)
                continue;
            int index = index_of(&moves, m);
            assert_in_range(index, 0, 3);
            chosen[index]++;
            total++;
        }
        for (int k = 0; k < 4; k++) {
            int percent = chosen[k] * 100 / TRIES;
            if (abs(percent - rows[i].percent[k]) > 2 || (!rows[i].percent[k] && chosen[k]))
                fail_msg("row %zu, move %d: %d %% of %d", i, k, percent, total);
        }
    }
    book_free(book);
}

TEST(the_same_seed_makes_the_same_choices)
{
    Position pos = position_of(FEN_START);
    Pages pages = example_pages(pos.key);
    Book *book = view(&pages);
    const BookRules rules = { .pick = BOOK_WEIGHTED };
    uint64_t one = 42;
    uint64_t other = 42;
    for (int i = 0; i < 100; i++)
        assert_int_equal(book_move(book, &pos, &rules, &one),
                         book_move(book, &pos, &rules, &other));
    book_free(book);
}

TEST(factors_multiply_weights_but_not_the_least_one)
{
    enum { TRIES = 10000, ONE = BOOK_FACTOR_ONE };
    static const struct {
        BookRules rules;
        uint32_t factors[3];
        int percent[3]; /* of moves of weight 60, 30 and 10 */
    } rows[] = {
        { { .pick = BOOK_BEST }, { ONE, ONE, ONE }, { 100, 0, 0 } },
        { { .pick = BOOK_BEST }, { ONE / 4, ONE, ONE }, { 0, 100, 0 } },
        { { .pick = BOOK_BEST }, { ONE / 4, ONE / 4, 4 * ONE }, { 0, 0, 100 } },
        { { .pick = BOOK_BEST }, { ONE / 2, ONE, ONE }, { 100, 0, 0 } },
        { { .pick = BOOK_WEIGHTED }, { ONE, 2 * ONE, 4 * ONE }, { 37, 37, 25 } },
        { { .pick = BOOK_WEIGHTED }, { ONE / 4, ONE, ONE }, { 27, 54, 18 } },
        { { .pick = BOOK_WEIGHTED, .min_weight = 30 }, { ONE / 4, ONE / 4, ONE }, { 67, 33, 0 } },
        { { .pick = BOOK_UNIFORM }, { ONE / 4, ONE, 4 * ONE }, { 33, 33, 33 } },
    };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        BookMoves moves = { .count = 3, .moves = { { 1, 60, 0 }, { 2, 30, 0 }, { 3, 10, 0 } } };
        int times[4] = { 0 };
        for (int k = 0; k < 3; k++)
            moves.moves[k].factor = rows[i].factors[k];
        for (int n = 0; n < TRIES; n++)
            times[book_choose(&moves, &rows[i].rules, &random)]++;
        for (int k = 0; k < 3; k++)
            if (abs(times[k + 1] * 100 - rows[i].percent[k] * TRIES) > 2 * TRIES)
                fail_msg("row %zu, move %d: %d times of %d", i, k, times[k + 1], TRIES);
    }
}

TEST(weightless_moves_are_best_or_uniform_but_never_weighted)
{
    Position pos = position_of(FEN_START);
    Pages pages = { .size = 0 };
    uint64_t random = 1;
    put_entry(&pages, pos.key, code_of("g1f3", 0), 0);
    Book *book = view(&pages);
    assert_int_not_equal(book_move(book, &pos, &(BookRules){ .pick = BOOK_BEST }, &random), 0);
    assert_int_not_equal(book_move(book, &pos, &(BookRules){ .pick = BOOK_UNIFORM }, &random), 0);
    assert_int_equal(book_move(book, &pos, &(BookRules){ .pick = BOOK_WEIGHTED }, &random), 0);
    book_free(book);
}

TEST(book_ends_at_its_depth)
{
    static const struct {
        const char *fen;
        int max_plies;
        bool answers;
    } rows[] = {
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 0, true },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 1, true },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5", 8, false },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5", 9, true },
        { "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 8 5", 0, true },
    };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Position pos = position_of(rows[i].fen);
        Pages pages = example_pages(pos.key);
        Book *book = view(&pages);
        BookRules rules = { .pick = BOOK_BEST, .max_plies = rows[i].max_plies };
        if ((book_move(book, &pos, &rules, &random) != MOVE_NONE) != rows[i].answers)
            fail_msg("%s, limit %d", rows[i].fen, rows[i].max_plies);
        book_free(book);
    }
}

TEST(every_key_of_a_book_is_found_at_its_first_entry)
{
    Position pos = position_of(FEN_START);
    for (int entries = 1; entries <= ENTRIES_MAX; entries++)
        for (int at = 0; at < entries; at++) {
            Pages pages = { .size = 0 };
            BookMoves moves;
            for (int i = 0; i < entries; i++)
                put_entry(&pages,
                          i < at       ? pos.key - 1
                          : i < at + 2 ? pos.key
                                       : pos.key + 1,
                          code_of(i == at ? "e2e4" : "d2d4", 0), 1);
            Book *book = view(&pages);
            book_find(book, &pos, &moves, NULL);
            assert_int_equal(moves.count, at + 1 < entries ? 2 : 1);
            book_free(book);
        }
}

TEST(files_that_are_no_books_are_refused)
{
    Position pos = position_of(FEN_START);
    Pages good = example_pages(pos.key);
    Book *book = NULL;
    for (size_t size = 0; size < good.size; size++) {
        Error err = { 0 };
        bool ok = book_view(&book, good.bytes, size, &err);
        assert_int_equal(ok, size > 0 && size % 16 == 0);
        assert_int_equal(ok, !error_is_set(&err));
        if (ok)
            book_free(book);
    }
    Error err = { 0 };
    Pages unsorted = { .size = 0 };
    put_entry(&unsorted, 5, 0, 0);
    put_entry(&unsorted, 5, 0, 0);
    put_entry(&unsorted, 4, 0, 0);
    assert_false(book_view(&book, unsorted.bytes, unsorted.size, &err));
    assert_non_null(strstr(err.text, "entry 2"));

    err = (Error){ 0 };
    assert_false(book_open(&book, "/nonexistent/book.bin", &err));
    assert_non_null(strstr(err.text, "/nonexistent/book.bin"));
    err = (Error){ 0 };
    assert_false(book_open(&book, "/tmp", &err));
    assert_non_null(strstr(err.text, "/tmp"));
    assert_false(book_open(&book, "/dev/null", NULL));
}

/* Two million entries of one position took 0.2 s of the thread that asks: the daemon's loop. */
TEST(of_a_position_with_endless_entries_the_first_ones_count)
{
    enum { ENTRIES = 100000 };
    Position pos = position_of(FEN_START);
    BookMoves moves;
    Book *book = NULL;
    uint8_t *bytes = malloc(ENTRIES * 16);
    assert_non_null(bytes);
    for (int i = 0; i < ENTRIES; i++) {
        Pages entry = { .size = 0 };
        put_entry(&entry, pos.key, code_of(i < 3 ? "e2e4" : "d2d4", 0), 1);
        memcpy(bytes + (size_t)i * 16, entry.bytes, 16);
    }
    assert_true(book_view(&book, bytes, ENTRIES * 16, NULL));
    book_find(book, &pos, &moves, NULL);
    assert_int_equal(moves.count, 2);
    assert_int_equal(moves.moves[0].weight, BOOK_ENTRIES_MAX - 3);
    assert_int_equal(moves.moves[1].weight, 3);
    book_free(book);
    free(bytes);
}

/* All 65,536 codes, each beside a legal move. */
/* A book of a variant has the key of the board alone: of the same men as in chess. */
TEST(variants_are_found_by_their_board)
{
    static const struct {
        Ruleset ruleset;
        const char *fen, *board, *squares;
        unsigned promotion;
        const char *move; /* NULL: skipped */
    } rows[] = {
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NQp] w - - 0 1",
          "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "g1f3", 0, "g1f3" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NQp] w - - 0 1",
          "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "f3f3", 1, "N@f3" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NQp] w - - 0 1",
          "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "f3f3", 4, "Q@f3" },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NQp] w - - 0 1",
          "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "f3f3", 3, NULL },
        { RULES_CRAZYHOUSE, "4k3/8/8/8/8/8/8/4K1N1[NQp] w - - 0 1",
          "4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", "b1f3", 0, NULL },
        { RULES_ANTICHESS, "8/P6k/8/8/8/8/8/K7 w - - 0 1", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8",
          5, "a7a8k" },
        { RULES_ANTICHESS, "8/P6k/8/8/8/8/8/K7 w - - 0 1", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8",
          0, NULL },
        { RULES_THREE_CHECK, "4k3/8/8/8/8/8/4P3/4K3 w - - 1+3 0 1",
          "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", 0, "e2e4" },
        { RULES_ATOMIC, FEN_START, FEN_START, "g1f3", 0, "g1f3" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Position pos = position_by(rows[i].ruleset, rows[i].fen);
        Position board = position_of(rows[i].board);
        Pages pages = { .size = 0 };
        BookMoves moves;
        put_entry(&pages, board.key, code_of(rows[i].squares, rows[i].promotion), 1);
        Book *book = view(&pages);
        assert_true(book_find(book, &pos, &moves, NULL));
        book_free(book);
        Move expected = rows[i].move ? move_of(&pos, rows[i].move) : MOVE_NONE;
        Move found = moves.count > 0 ? moves.moves[0].move : MOVE_NONE;
        if (moves.count > 1 || found != expected)
            fail_msg("%s %s %u", rows[i].fen, rows[i].squares, rows[i].promotion);
    }
}

TEST(crafted_entries_are_no_moves)
{
    Position pos = position_of(FEN_START);
    BookMoves moves;
    for (unsigned code = 0; code <= 0xffff; code++) {
        Pages pages = { .size = 0 };
        put_entry(&pages, pos.key, code, 65535);
        put_entry(&pages, pos.key, code_of("e2e4", 0), 65535);
        Book *book = view(&pages);
        book_find(book, &pos, &moves, NULL);
        assert_in_range(moves.count, 1, 2);
        for (int i = 0; i < moves.count; i++)
            assert_true(position_is_legal(&pos, moves.moves[i].move));
        book_free(book);
    }
}

TEST(books_are_read_from_files)
{
    char path[] = "/tmp/castled-book-XXXXXX";
    Position pos = position_of(FEN_START);
    Pages pages = example_pages(pos.key);
    Book *book = NULL;
    Error err = { 0 };
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, pages.bytes, pages.size), pages.size);
    bool ok = book_open(&book, path, &err);
    assert_int_equal(ftruncate(fd, 15), 0);
    Book *cut = NULL;
    Error cut_err = { 0 };
    bool cut_ok = book_open(&cut, path, &cut_err);
    assert_int_equal(ftruncate(fd, 0), 0);
    bool empty_ok = book_open(&cut, path, NULL);
    close(fd);
    unlink(path);
    assert_true(ok);
    assert_int_equal(book_entries(book), 10);
    assert_false(cut_ok);
    assert_non_null(strstr(cut_err.text, path));
    assert_false(empty_ok);
    book_free(book);
    book_free(NULL);
}

/* Writes a book of `size` bytes, all of them of key 0 but for the entries at its end. */
static void put_book(int fd, size_t size, const Pages *end)
{
    off_t at = (off_t)(size - end->size);
    assert_int_equal(ftruncate(fd, at), 0);
    assert_int_equal(pwrite(fd, end->bytes, end->size, at), end->size);
}

/* A mapped file that is cut short kills whoever reads it. */
TEST(books_that_are_written_over_do_no_harm)
{
    Position pos = position_of(FEN_START);
    Pages pages = example_pages(pos.key);
    static const struct {
        size_t size;
        int found;     /* as long as the file is there, */
        int found_cut; /* when it has been cut, */
        bool is_error; /* and that is told */
    } rows[] = {
        { 10 * 16, 4, 4, false },
        { BOOK_FILE_IN_MEMORY_MAX, 4, 4, false },
        { BOOK_FILE_IN_MEMORY_MAX + 16, 4, 0, true },
        { BOOK_FILE_IN_MEMORY_MAX + 4096, 4, 0, true },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[] = "/tmp/castled-book-XXXXXX";
        BookMoves before;
        BookMoves after;
        Book *book = NULL;
        Error err = { 0 };
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        put_book(fd, rows[i].size, &pages);
        if (!book_open(&book, path, &err))
            fail_msg("%s", err.text);
        assert_true(book_find(book, &pos, &before, &err));
        assert_int_equal(ftruncate(fd, 0), 0);
        bool is_read = book_find(book, &pos, &after, &err);
        unlink(path);
        close(fd);
        assert_int_equal(before.count, rows[i].found);
        assert_int_equal(after.count, rows[i].found_cut);
        assert_int_equal(is_read, !rows[i].is_error);
        if (rows[i].is_error)
            assert_non_null(strstr(err.text, path));
        book_free(book);
    }
}

/* Shared books */

enum { SEEN_SLOTS = 1 << 15 };

typedef struct {
    const Book *book;
    uint64_t seen[SEEN_SLOTS]; /* keys of positions, 0: free */
    size_t entries;            /* moves found in all of them */
    size_t castlings;
} Walk;

/* False when the position was there before. */
static bool see(Walk *w, uint64_t key)
{
    size_t i = key % SEEN_SLOTS;
    while (w->seen[i] && w->seen[i] != key)
        i = (i + 1) % SEEN_SLOTS;
    bool is_new = w->seen[i] == 0;
    w->seen[i] = key;
    return is_new;
}

/* Goes everywhere that moves of the book lead to, once. */
static void walk(Walk *w, Position *pos)
{
    BookMoves moves;
    if (!see(w, pos->key))
        return;
    book_find(w->book, pos, &moves, NULL);
    w->entries += (size_t)moves.count;
    for (int i = 0; i < moves.count; i++) {
        Undo undo;
        w->castlings += move_is_castling(moves.moves[i].move);
        position_make(pos, moves.moves[i].move, &undo);
        walk(w, pos);
        position_unmake(pos, moves.moves[i].move, &undo);
    }
}

static void *walk_in_thread(void *user)
{
    Position pos = position_of(FEN_START);
    walk(user, &pos);
    return NULL;
}

static Book *open_shared(const char *name)
{
    Book *book = NULL;
    Error err = { 0 };
    if (access(name, R_OK) != 0)
        return NULL;
    if (!book_open(&book, name, &err))
        fail_msg("%s", err.text);
    return book;
}

TEST(a_small_book_is_played_to_its_end)
{
    Book *book = open_shared(POLYGLOT_DIR "/lasker-trap.bin");
    if (!book)
        skip();
    static const char *const line[] = { "d2d4", "d7d5", "c2c4", "e7e5", "d4e5", "d5d4", "e2e3",
                                        "f8b4", "c1d2", "d4e3", "d2b4", "e3f2", "e1e2", "f2g1n" };
    Position pos = position_of(FEN_START);
    uint64_t random = 1;
    size_t found = 0;
    const BookRules rules = { .pick = BOOK_BEST };
    for (size_t i = 0; i < sizeof line / sizeof *line; i++) {
        char text[UCI_MOVE_SIZE];
        Move m = book_move(book, &pos, &rules, &random);
        if (m != MOVE_NONE) {
            found++;
            uci_move_write(&pos, m, CASTLING_KING_TO_TARGET, text);
            assert_string_equal(text, line[i]);
        }
        play(&pos, line[i]);
    }
    assert_int_equal(found, book_entries(book));
    book_free(book);
}

TEST(every_entry_of_a_book_is_a_move_on_some_way_through_it)
{
    Book *book = open_shared(POLYGLOT_DIR "/eco.bin");
    if (!book)
        skip();
    Walk *walks[2];
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        walks[i] = calloc(1, sizeof *walks[i]);
        assert_non_null(walks[i]);
        walks[i]->book = book;
        assert_int_equal(pthread_create(&threads[i], NULL, walk_in_thread, walks[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(walks[i]->entries, 8055);
        assert_int_equal(walks[i]->castlings, 368);
        free(walks[i]);
    }

    /* Each of the 3,807 openings that the book was made of has a first move. */
    Position pos = position_of(FEN_START);
    BookMoves moves;
    uint32_t weight = 0;
    book_find(book, &pos, &moves, NULL);
    for (int i = 0; i < moves.count; i++)
        weight += moves.moves[i].weight;
    assert_int_equal(weight, 3807);
    book_free(book);
}
