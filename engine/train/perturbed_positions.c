/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/perturbed_positions.h"

#include "engine/base/random.h"

#include <stdlib.h>
#include <string.h>

/* Of a hundred edits; the others move any man but a king. */
enum { KING_EDITS = 15, REMOVALS = 15 };

static Bitboard squares_of(const PackedBoard *board, unsigned code)
{
    Bitboard squares = 0;
    for (int square = 0; square < SQUARE_COUNT; square++)
        if (board->codes[square] == code)
            squares |= square_bit((Square)square);
    return squares;
}

/* One of `squares`, which are some. */
static Square random_square(Bitboard squares, uint64_t *random)
{
    for (uint64_t skip = random_below(random, (uint64_t)bitboard_count(squares)); skip > 0; skip--)
        (void)bitboard_pop(&squares);
    return bitboard_first(squares);
}

static Bitboard kings_of(const PackedBoard *board)
{
    return squares_of(board, KING) | squares_of(board, PIECE_TYPE_COUNT + KING);
}

/* Squares at most so many files and ranks away. */
static Bitboard squares_near(Square from, int distance)
{
    Bitboard squares = 0;
    for (int square = 0; square < SQUARE_COUNT; square++)
        if (abs(square_file((Square)square) - square_file(from)) <= distance &&
            abs(square_rank((Square)square) - square_rank(from)) <= distance)
            squares |= square_bit((Square)square);
    return squares;
}

static void move_man(PackedBoard *board, Square from, Bitboard targets, uint64_t *random)
{
    targets &= squares_of(board, PACKED_EMPTY);
    if (!targets)
        return;
    board->codes[random_square(targets, random)] = board->codes[from];
    board->codes[from] = PACKED_EMPTY;
}

static void remove_two(PackedBoard *board, Square square, uint64_t *random)
{
    unsigned others = (board->codes[square] + (unsigned)PIECE_TYPE_COUNT) % PACKED_EMPTY;
    Bitboard like = squares_of(board, others);
    board->codes[square] = PACKED_EMPTY;
    if (like)
        board->codes[random_square(like, random)] = PACKED_EMPTY;
}

static void edit(PackedBoard *board, uint64_t *random)
{
    int kind = (int)random_below(random, 100);
    Bitboard kings = kings_of(board), others = ~(kings | squares_of(board, PACKED_EMPTY));
    if (kind < KING_EDITS || !others) {
        Square king = random_square(kings, random);
        move_man(board, king, squares_near(king, 2), random);
        return;
    }
    Square square = random_square(others, random);
    if (kind < KING_EDITS + REMOVALS)
        remove_two(board, square, random);
    else if (board->codes[square] % PIECE_TYPE_COUNT == PAWN)
        move_man(board, square, squares_near(square, 1) & ~(BITBOARD_RANK_1 | BITBOARD_RANK_8),
                 random);
    else
        move_man(board, square, ~0ULL, random);
}

/* Where a right's king or rook stands no more, the right is gone. */
static CastlingRights rights_left(const Position *pos, const PackedBoard *before,
                                  const PackedBoard *after)
{
    CastlingRights rights = pos->castling;
    for (unsigned index = 0; index < 4; index++) {
        Square king = bitboard_first(squares_of(before, index / 2 * PIECE_TYPE_COUNT + KING));
        Square rook = pos->rules.rook_from[index];
        if ((rights >> index & 1) && (after->codes[king] != before->codes[king] ||
                                      after->codes[rook] != before->codes[rook]))
            rights &= (CastlingRights) ~(1U << index);
    }
    return rights;
}

static bool perturb(Position *out, const Position *pos, uint64_t *random)
{
    PackedPosition packed = packed_position_of(pos);
    const PackedBoard before = packed_board_of(&packed);
    PackedBoard board = before;
    /* Half of them have one edit, three tenths have two. */
    uint64_t draw = random_below(random, 10);
    for (int edits = draw < 5 ? 1 : draw < 8 ? 2 : 3; edits > 0; edits--)
        edit(&board, random);
    if (memcmp(&board, &before, sizeof board) == 0)
        return false;
    packed_board_put(&packed, &board);
    packed.en_passant = SQUARE_NONE;
    packed.halfmove_clock = 0;
    packed.flags &= PACKED_BLACK_TO_MOVE;
    packed.flags |= (uint8_t)(rights_left(pos, &before, &board) << PACKED_CASTLING_SHIFT);
    return packed_position_read(out, &packed, NULL) && !position_in_check(out);
}

int perturbed_positions(const Position *pos, int count, Position found[])
{
    assert(count == 0 || position_is_chess(pos));
    uint64_t random = pos->key;
    int made = 0;
    for (int i = 0; i < count; i++)
        made += perturb(&found[made], pos, &random);
    return made;
}
