/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/san.h"

#include "engine/core/attacks.h"
#include "engine/base/check.h"

static char *put_square(char *out, Square square)
{
    *out++ = (char)('a' + square_file(square));
    *out++ = (char)('1' + square_rank(square));
    return out;
}

/* Of the other pieces of this kind that may go there too: none share our file, or else our rank, or
 * both are written. */
static char *put_origin(char *out, const Position *pos, Move m)
{
    Square from = move_from(m);
    bool is_ambiguous = false, file_is_shared = false, rank_is_shared = false;
    MoveList list;
    movegen_legal(pos, &list);
    for (int i = 0; i < list.count; i++) {
        Square other = move_from(list.moves[i]);
        if (other == from || move_to(list.moves[i]) != move_to(m) ||
            pos->board[other] != pos->board[from])
            continue;
        is_ambiguous = true;
        file_is_shared |= square_file(other) == square_file(from);
        rank_is_shared |= square_rank(other) == square_rank(from);
    }
    if (is_ambiguous && (!file_is_shared || rank_is_shared))
        *out++ = (char)('a' + square_file(from));
    if (file_is_shared)
        *out++ = (char)('1' + square_rank(from));
    return out;
}

static char *put_move(char *out, const Position *pos, Move m)
{
    PieceType type = piece_type(pos->board[move_from(m)]);
    if (move_is_castling(m)) {
        for (const char *c = move_flag(m) == MOVE_CASTLE_KING ? "O-O" : "O-O-O"; *c; c++)
            *out++ = *c;
        return out;
    }
    if (type != PAWN) {
        *out++ = piece_letter(piece_make(WHITE, type));
        if (type != KING)
            out = put_origin(out, pos, m);
    } else if (move_is_capture(m)) {
        *out++ = (char)('a' + square_file(move_from(m)));
    }
    if (move_is_capture(m))
        *out++ = 'x';
    out = put_square(out, move_to(m));
    if (move_is_promotion(m)) {
        *out++ = '=';
        *out++ = piece_letter(piece_make(WHITE, move_promotion(m)));
    }
    return out;
}

void san_write(const Position *pos, Move m, char out[SAN_SIZE])
{
    char *end = put_move(out, pos, m);
    if (position_gives_check(pos, m)) {
        Position after = *pos;
        Undo undo;
        position_make(&after, m, &undo);
        *end++ = movegen_count(&after) == 0 ? '#' : '+';
    }
    *end = '\0';
    CHECK(end - out < SAN_SIZE);
}
