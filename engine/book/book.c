/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book.h"

#include <inttypes.h>
#include <stdlib.h>

#include "engine/base/mapped_file.h"
#include "engine/base/random.h"

/* Key, move, weight, and 4 bytes of learning data, ignored; all big-endian. */
enum { ENTRY_SIZE = 16, MOVE_AT = 8, WEIGHT_AT = 10 };

struct Book {
    const uint8_t *bytes;
    size_t entries;
    MappedFile file; /* empty when the bytes are the caller's */
};

static uint64_t read_be(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

static uint64_t entry_key(const Book *book, size_t i)
{
    return read_be(book->bytes + ENTRY_SIZE * i, 8);
}

static bool is_sorted(const Book *book, Error *err)
{
    for (size_t i = 1; i < book->entries; i++)
        if (entry_key(book, i) < entry_key(book, i - 1)) {
            error_set(err, ERR_INVALID,
                      "not a Polyglot book: entry %zu has key %016" PRIx64
                      ", below that of the one before",
                      i, entry_key(book, i));
            return false;
        }
    return true;
}

bool book_open(Book **out, const char *path, Error *err)
{
    MappedFile file = { 0 };
    Book *book = NULL;
    Error cause = { 0 };
    if (!mapped_file_init(&file, path, err))
        return false;
    if (!book_view(&book, file.bytes, file.size, &cause)) {
        error_set(err, cause.code, "%s: %s", path, cause.text);
        mapped_file_release(&file);
        return false;
    }
    mapped_file_expect_scattered(&file);
    book->file = file;
    *out = book;
    return true;
}

bool book_view(Book **out, const uint8_t *bytes, size_t size, Error *err)
{
    if (size == 0 || size % ENTRY_SIZE != 0) {
        error_set(err, ERR_INVALID, "not a Polyglot book: %zu bytes are no multiple of %d", size,
                  ENTRY_SIZE);
        return false;
    }
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        error_set(err, ERR_MEMORY, "no memory for a book");
        return false;
    }
    book->bytes = bytes;
    book->entries = size / ENTRY_SIZE;
    if (!is_sorted(book, err)) {
        free(book);
        return false;
    }
    *out = book;
    return true;
}

void book_free(Book *book)
{
    if (!book)
        return;
    mapped_file_release(&book->file);
    free(book);
}

size_t book_entries(const Book *book)
{
    return book->entries;
}

/* The first entry whose key is not below `key`. */
static size_t lower_bound(const Book *book, uint64_t key)
{
    size_t low = 0;
    size_t high = book->entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entry_key(book, middle) < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Polyglot's 16 bits: to, from, and the promotion (1 knight to 4 queen, as our piece types). */
static unsigned polyglot_code(Square from, Square to, unsigned promotion)
{
    return promotion << 12 | (unsigned)from << 6 | to;
}

/* Does the code mean this legal move? The king's own two steps of castling are unambiguous in
 * standard chess only. */
static bool is_move(const Position *pos, Move m, unsigned code)
{
    unsigned promotion = move_is_promotion(m) ? move_promotion(m) : 0;
    bool plain = code == polyglot_code(move_from(m), move_to(m), promotion);
    if (!move_is_castling(m))
        return plain;
    Square rook = castling_rook_from(pos, m);
    return code == polyglot_code(move_from(m), rook, 0) || (plain && !pos->rules.chess960);
}

static Move match(const Position *pos, const MoveList *legal, unsigned code)
{
    for (int i = 0; i < legal->count; i++)
        if (is_move(pos, legal->moves[i], code))
            return legal->moves[i];
    return MOVE_NONE;
}

static void add_move(BookMoves *out, Move m, uint32_t weight)
{
    int i = 0;
    while (i < out->count && out->moves[i].move != m)
        i++;
    if (i == out->count)
        out->moves[out->count++] = (BookMove){ .move = m, .factor = BOOK_FACTOR_ONE };
    uint32_t room = UINT32_MAX - out->moves[i].weight;
    out->moves[i].weight += weight < room ? weight : room;
}

/* Stable, so that the file's order decides among equals. */
static void sort_by_weight(BookMoves *moves)
{
    for (int i = 1; i < moves->count; i++) {
        BookMove move = moves->moves[i];
        int j = i;
        for (; j > 0 && moves->moves[j - 1].weight < move.weight; j--)
            moves->moves[j] = moves->moves[j - 1];
        moves->moves[j] = move;
    }
}

void book_find(const Book *book, const Position *pos, BookMoves *out)
{
    out->count = 0;
    size_t i = lower_bound(book, pos->key);
    if (i == book->entries || entry_key(book, i) != pos->key)
        return;
    MoveList legal;
    movegen_legal(pos, &legal);
    size_t end = book->entries - i < BOOK_ENTRIES_MAX ? book->entries : i + BOOK_ENTRIES_MAX;
    for (; i < end && entry_key(book, i) == pos->key; i++) {
        const uint8_t *entry = book->bytes + ENTRY_SIZE * i;
        Move m = match(pos, &legal, (unsigned)read_be(entry + MOVE_AT, 2));
        if (m != MOVE_NONE)
            add_move(out, m, (uint32_t)read_be(entry + WEIGHT_AT, 2));
    }
    sort_by_weight(out);
}

static uint64_t mass(const BookMove *move)
{
    return (uint64_t)move->weight * move->factor;
}

/* The move that holds the `at`-th unit of mass. */
static Move move_at_mass(const BookMoves *moves, uint64_t at)
{
    int i = 0;
    while (at >= mass(&moves->moves[i]))
        at -= mass(&moves->moves[i++]);
    return moves->moves[i].move;
}

static Move heaviest(const BookMoves *moves, int count)
{
    const BookMove *best = &moves->moves[0];
    for (int i = 1; i < count; i++)
        if (mass(&moves->moves[i]) > mass(best))
            best = &moves->moves[i];
    return best->move;
}

Move book_choose(const BookMoves *moves, const BookRules *rules, uint64_t *random)
{
    int count = 0;
    uint64_t sum = 0;
    while (count < moves->count && moves->moves[count].weight >= rules->min_weight)
        sum += mass(&moves->moves[count++]);
    if (count == 0)
        return MOVE_NONE;
    switch (rules->pick) {
    case BOOK_BEST:
        return heaviest(moves, count);
    case BOOK_WEIGHTED:
        return sum == 0 ? MOVE_NONE : move_at_mass(moves, random_below(random, sum));
    case BOOK_UNIFORM:
        return moves->moves[random_below(random, (uint64_t)count)].move;
    }
    return MOVE_NONE;
}

Move book_move(const Book *book, const Position *pos, const BookRules *rules, uint64_t *random)
{
    int plies = 2 * (pos->fullmove_number - 1) + (pos->side_to_move == BLACK);
    if (rules->max_plies > 0 && plies >= rules->max_plies)
        return MOVE_NONE;
    BookMoves moves;
    book_find(book, pos, &moves);
    return book_choose(&moves, rules, random);
}
