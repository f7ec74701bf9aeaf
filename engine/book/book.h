/* SPDX-License-Identifier: GPL-3.0-or-later */
/* book.h - opening books in Polyglot's format: positions by their key, each with weighted moves.
 *
 * A Book is read-only; any number of threads and games may share it until book_free(). A file up to
 * BOOK_FILE_IN_MEMORY_MAX bytes is read into memory. A larger one stays open, and a lookup reads
 * one page of it, or two. Its owner may do with the file what they like: see book_find().
 * Files are foreign bytes: an entry that is no legal move of the position is skipped, whatever the
 * reason (damage, or another position with the same key), and has no other effect.
 * After: the description of the format at hgm.nubati.net/book_format.html. */
#pragma once
#include "engine/core/movegen.h"

#include <stddef.h>

typedef struct Book Book;

/* Opens a book and reads it through once. False when it is empty, when its size is no multiple of
 * an entry's 16 bytes, or when its keys do not ascend: lookups would then miss entries at random.
 * The caller frees. */
bool book_open(Book **out, const char *path, Error *err) MUST_CHECK;

/* The same from bytes that the caller keeps until the book is freed. */
bool book_view(Book **out, const uint8_t *bytes, size_t size, Error *err) MUST_CHECK;

/* NULL is fine. */
void book_free(Book *book);

size_t book_entries(const Book *book);

enum { BOOK_FACTOR_ONE = 1024 };

typedef struct {
    Move move;       /* legal */
    uint32_t weight; /* as the file has it; entries of the same move are added up */
    uint32_t factor; /* what the caller makes of it, in parts of BOOK_FACTOR_ONE */
} BookMove;

typedef struct {
    int count;
    BookMove moves[MAX_MOVES]; /* heaviest by the file first; equal ones as there */
} BookMoves;

enum { BOOK_ENTRIES_MAX = 4096 }; /* of one position that are read: no more than a move's time */

/* All moves that the book has for a position; none is an answer. Castling is read as king takes
 * rook, as the format has it, and in standard chess as the king's own two steps too. A variant's
 * position is found by its board alone, so a book is for one variant. Every factor is one. False
 * with an Error, and no moves, where a large file can't be read any more; one that was written over
 * gives moves of any position, of which the legal ones are found. */
bool book_find(const Book *book, const Position *pos, BookMoves *out, Error *err);

typedef enum {
    BOOK_BEST,     /* the heaviest by weight times factor; the file's first among equals */
    BOOK_WEIGHTED, /* by chance, in proportion to weight times factor; never one of weight 0 */
    BOOK_UNIFORM,  /* by chance, all alike */
} BookPick;

typedef struct {
    BookPick pick;
    uint32_t min_weight; /* lighter moves, by the file, don't count */
    int max_plies;       /* only in this many first plies of a game; 0: no limit */
} BookRules;

/* Chooses among moves found; MOVE_NONE when none may be chosen. `random` is a state for random.h,
 * advanced only where chance decides. */
Move book_choose(const BookMoves *moves, const BookRules *rules, uint64_t *random);

/* Finds and chooses, within the limit on plies, counted by the position's move number. MOVE_NONE
 * also where the book can't be read. */
Move book_move(const Book *book, const Position *pos, const BookRules *rules, uint64_t *random);
