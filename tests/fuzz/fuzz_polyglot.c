/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Polyglot books: whatever their bytes, what is found is legal and nothing outside is read. Keys in
 * the input are small numbers that stand for positions, since no fuzzer guesses a Zobrist key. */
#include "engine/book/book.h"

#include "engine/core/fen.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRY_SIZE = 16, POSITIONS = 4 };

static const char *const fens[POSITIONS] = {
    FEN_START,
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1n5k/P7/8/3pP3/8/8/8/K7 w - d6 0 1",
    "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1",
};

static Position positions[POSITIONS];

static void must(bool ok)
{
    if (!ok)
        abort();
}

static int by_key(const void *a, const void *b)
{
    return memcmp(a, b, 8);
}

/* Replaces keys by those of the positions that they number, and sorts, unless the first byte says
 * that the bytes shall stay as they are. */
static void make_book(uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + ENTRY_SIZE <= size; i += ENTRY_SIZE)
        if (bytes[i] < POSITIONS) {
            uint64_t key = positions[bytes[i]].key;
            for (int j = 0; j < 8; j++)
                bytes[i + (size_t)j] = (uint8_t)(key >> (56 - 8 * j));
        }
    qsort(bytes, size / ENTRY_SIZE, ENTRY_SIZE, by_key);
}

static void check_moves(const Book *book, const Position *pos)
{
    BookMoves moves;
    uint64_t random = 1;
    book_find(book, pos, &moves, NULL);
    for (int i = 0; i < moves.count; i++) {
        must(position_is_pseudo_legal(pos, moves.moves[i].move));
        must(position_is_legal(pos, moves.moves[i].move));
        must(i == 0 || moves.moves[i].weight <= moves.moves[i - 1].weight);
    }
    for (BookPick pick = BOOK_BEST; pick <= BOOK_UNIFORM; pick++) {
        Move m = book_choose(&moves, &(BookRules){ .pick = pick, .min_weight = 1 }, &random);
        must(m == MOVE_NONE || position_is_legal(pos, m));
    }
}

static void prepare(void)
{
    for (int i = 0; i < POSITIONS; i++)
        must(fen_read(&positions[i], fens[i], FEN_STRICT, NULL, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    static bool is_prepared;
    if (!is_prepared)
        prepare();
    is_prepared = true;
    uint8_t *bytes = malloc(size - 1 ? size - 1 : 1);
    Book *book = NULL;
    must(bytes != NULL);
    memcpy(bytes, data + 1, size - 1);
    if (data[0] & 1)
        make_book(bytes, size - 1);
    if (book_view(&book, bytes, size - 1, NULL)) {
        for (int i = 0; i < POSITIONS; i++)
            check_moves(book, &positions[i]);
        book_free(book);
    }
    free(bytes);
    return 0;
}
