/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/train/packed_position.h"

#include "engine/core/fen.h"
#include "engine/base/check.h"

#include <stdio.h>

enum { CODE_COUNT = COLOUR_COUNT * PIECE_TYPE_COUNT, MEN_MAX = 32, BOARD_SIZE = 72 };

PackedPosition packed_position_of(const Position *pos)
{
    PackedPosition packed = { .occupied = pos->occupied, .en_passant = SQUARE_NONE };
    int index = 0;
    CHECK(bitboard_count(pos->occupied) <= MEN_MAX);
    for (Bitboard left = pos->occupied; left; index++) {
        Piece piece = pos->board[bitboard_pop(&left)];
        unsigned code = (unsigned)piece_colour(piece) * PIECE_TYPE_COUNT + piece_type(piece);
        packed.pieces[index >> 1] |= (uint8_t)(code << (index & 1 ? 4 : 0));
    }
    packed.flags = (uint8_t)(pos->castling << PACKED_CASTLING_SHIFT |
                             (pos->side_to_move == BLACK ? PACKED_BLACK_TO_MOVE : 0));
    packed.en_passant = pos->en_passant;
    packed.halfmove_clock = (uint8_t)(pos->halfmove_clock < 255 ? pos->halfmove_clock : 255);
    return packed;
}

/* The board as FEN has it; false when a code is no piece. */
static bool board_write(const PackedPosition *packed, char out[BOARD_SIZE])
{
    char board[SQUARE_COUNT] = { 0 };
    int index = 0;
    for (Bitboard left = packed->occupied; left; index++) {
        Square square = bitboard_pop(&left);
        unsigned code = packed_position_code(packed, index);
        if (code >= CODE_COUNT)
            return false;
        board[square_flip(square)] = "PNBRQKpnbrqk"[code];
    }
    for (int square = 0; square < SQUARE_COUNT; square++) {
        bool after_digit = square % 8 && !board[square - 1];
        if (square && square % 8 == 0)
            *out++ = '/';
        if (board[square])
            *out++ = board[square];
        else if (after_digit)
            out[-1]++;
        else
            *out++ = '1';
    }
    *out = 0;
    return true;
}

/* The rules of what is legal stand in fen.c once; so the record passes through its text. */
bool packed_position_read(Position *pos, const PackedPosition *packed, Error *err)
{
    char board[BOARD_SIZE], fen[FEN_SIZE], rights[5] = "-", square[3] = "-";
    unsigned castling = packed->flags >> PACKED_CASTLING_SHIFT;
    int count = 0, men = bitboard_count(packed->occupied);
    if (men > MEN_MAX || packed->en_passant > SQUARE_NONE || !board_write(packed, board)) {
        error_set(err, ERR_INVALID, "packed position: no board (%d men, en-passant square %d)", men,
                  packed->en_passant);
        return false;
    }
    for (int right = 0; right < 4; right++) {
        if (castling >> right & 1)
            rights[count++] = "KQkq"[right];
    }
    if (packed->en_passant < SQUARE_NONE) {
        square[0] = (char)('a' + packed->en_passant % 8);
        square[1] = (char)('1' + packed->en_passant / 8);
        square[2] = 0;
    }
    int len = snprintf(fen, sizeof fen, "%s %c %s %s %d %d", board,
                       packed->flags & PACKED_BLACK_TO_MOVE ? 'b' : 'w', rights, square,
                       packed->halfmove_clock, packed->ply / 2 + 1);
    assert(len > 0 && len < (int)sizeof fen);
    (void)len;
    return fen_read(pos, fen, FEN_STRICT, NULL, err);
}
