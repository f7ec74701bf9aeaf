/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/book/book.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/book/book_file.h"

/* Key, move, weight, and 4 bytes of learning data, ignored; all big-endian. */
enum { ENTRY_SIZE = 16, MOVE_AT = 8, WEIGHT_AT = 10 };

/* What is read at once: a page of the file. */
enum { BLOCK_ENTRIES = 256, BLOCK_SIZE = BLOCK_ENTRIES * ENTRY_SIZE };

struct Book {
    char *path; /* for errors; NULL for bytes of the caller's */
    BookFile file;
    size_t entries;
    uint64_t *first_keys; /* of each block, so that a lookup reads only where the key may be */
};

typedef struct {
    uint8_t room[BLOCK_SIZE];
    const uint8_t *entries;
    size_t count;
} Block;

static uint64_t read_be(const uint8_t *at, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

static size_t block_count(const Book *book)
{
    return (book->entries + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
}

static bool read_block(const Book *book, size_t number, Block *block, Error *err)
{
    size_t left = book->entries - number * BLOCK_ENTRIES;
    block->count = left < BLOCK_ENTRIES ? left : BLOCK_ENTRIES;
    block->entries = book_file_read(&book->file, number * BLOCK_SIZE, block->count * ENTRY_SIZE,
                                    block->room, err);
    return block->entries != NULL;
}

static uint64_t entry_key(const Block *block, size_t i)
{
    return read_be(block->entries + ENTRY_SIZE * i, 8);
}

/* Notes each block's first key. False where keys do not ascend. */
static bool read_through(Book *book, Error *err)
{
    Block block;
    uint64_t last = 0;
    for (size_t number = 0; number < block_count(book); number++) {
        if (!read_block(book, number, &block, err))
            return false;
        book->first_keys[number] = entry_key(&block, 0);
        for (size_t i = 0; i < block.count; i++) {
            uint64_t key = entry_key(&block, i);
            if (key < last) {
                error_set(err, ERR_INVALID,
                          "not a Polyglot book: entry %zu has key %016" PRIx64
                          ", below that of the one before",
                          number * BLOCK_ENTRIES + i, key);
                return false;
            }
            last = key;
        }
    }
    return true;
}

/* The file is the book's from now on, also on failure. */
static bool book_new(Book **out, BookFile *file, const char *path, Error *err)
{
    Book *book = calloc(1, sizeof *book);
    if (!book) {
        error_set(err, ERR_MEMORY, "no memory for a book");
        book_file_release(file);
        return false;
    }
    *book = (Book){ .file = *file, .entries = file->size / ENTRY_SIZE };
    if (path && !(book->path = strdup(path)))
        error_set(err, ERR_MEMORY, "no memory for a book");
    else if (file->size == 0 || file->size % ENTRY_SIZE != 0)
        error_set(err, ERR_INVALID, "not a Polyglot book: %zu bytes are no multiple of %d",
                  file->size, ENTRY_SIZE);
    else if (!(book->first_keys = calloc(block_count(book), sizeof *book->first_keys)))
        error_set(err, ERR_MEMORY, "no memory for a book");
    else if (read_through(book, err)) {
        *out = book;
        return true;
    }
    book_free(book);
    return false;
}

bool book_open(Book **out, const char *path, Error *err)
{
    BookFile file;
    Error cause = { 0 };
    if (book_file_init(&file, path, &cause) && book_new(out, &file, path, &cause))
        return true;
    error_set(err, cause.code, "%s: %s", path, cause.text);
    return false;
}

bool book_view(Book **out, const uint8_t *bytes, size_t size, Error *err)
{
    BookFile file = book_file_view(bytes, size);
    return book_new(out, &file, NULL, err);
}

void book_free(Book *book)
{
    if (!book)
        return;
    book_file_release(&book->file);
    free(book->first_keys);
    free(book->path);
    free(book);
}

size_t book_entries(const Book *book)
{
    return book->entries;
}

/* The first block that may hold the key: the last one that begins below it. */
static size_t first_block(const Book *book, uint64_t key)
{
    size_t low = 0;
    size_t high = block_count(book);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (book->first_keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? low - 1 : 0;
}

/* Polyglot's 16 bits: to, from, and the promotion (1 knight to 5 king, as our piece types). */
static unsigned polyglot_code(Square from, Square to, unsigned promotion)
{
    return promotion << 12 | (unsigned)from << 6 | to;
}

static unsigned promotion_code(Move m)
{
    if (move_is_king_promotion(m))
        return KING;
    return move_is_promotion(m) ? move_promotion(m) : 0;
}

/* Does the code mean this legal move? The king's own two steps of castling are unambiguous in
 * standard chess only. The format has no drops; books of crazyhouse write them as a promotion on
 * the spot, as python-chess reads them. */
static bool is_move(const Position *pos, Move m, unsigned code)
{
    if (move_is_drop(m))
        return code == polyglot_code(move_to(m), move_to(m), move_dropped(m));
    bool plain = code == polyglot_code(move_from(m), move_to(m), promotion_code(m));
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

typedef struct {
    const Position *position;
    uint64_t key; /* of the position in books */
    MoveList legal;
    size_t entries; /* of the position, read so far */
    BookMoves *found;
} Search;

/* Adds the moves of a block. False once none can follow. */
static bool search_block(Search *search, const Block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        uint64_t key = entry_key(block, i);
        if (key < search->key)
            continue;
        if (key > search->key || search->entries++ == BOOK_ENTRIES_MAX)
            return false;
        const uint8_t *entry = block->entries + ENTRY_SIZE * i;
        Move m = match(search->position, &search->legal, (unsigned)read_be(entry + MOVE_AT, 2));
        if (m != MOVE_NONE)
            add_move(search->found, m, (uint32_t)read_be(entry + WEIGHT_AT, 2));
    }
    return true;
}

bool book_find(const Book *book, const Position *pos, BookMoves *out, Error *err)
{
    Search search = { .position = pos, .key = position_board_key(pos), .found = out };
    Block block;
    bool is_more = true;
    out->count = 0;
    movegen_legal(pos, &search.legal);
    for (size_t i = first_block(book, search.key); is_more && i < block_count(book); i++) {
        if (!read_block(book, i, &block, err)) {
            error_prefix(err, "%s", book->path ? book->path : "book");
            out->count = 0;
            return false;
        }
        is_more = search_block(&search, &block);
    }
    sort_by_weight(out);
    return true;
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
    if (!book_find(book, pos, &moves, NULL))
        return MOVE_NONE;
    return book_choose(&moves, rules, random);
}
