/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/san.h"

#include "engine/base/check.h"
#include "engine/core/variant_rules.h"

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
        if (move_is_drop(list.moves[i]) || other == from || move_to(list.moves[i]) != move_to(m) ||
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
    if (move_is_drop(m)) {
        *out++ = piece_letter(piece_make(WHITE, move_dropped(m)));
        *out++ = '@';
        return put_square(out, move_to(m));
    }
    PieceType type = piece_type(pos->board[move_from(m)]);
    if (move_is_castling(m)) {
        for (const char *c = move_castling_wing(m) == CASTLING_KING_SIDE ? "O-O" : "O-O-O"; *c; c++)
            *out++ = *c;
        return out;
    }
    if (type != PAWN) {
        *out++ = piece_letter(piece_make(WHITE, type));
        if (type != KING || !variant_rules(pos)->is_royal[pos->side_to_move])
            out = put_origin(out, pos, m);
    } else if (move_is_capture(m)) {
        *out++ = (char)('a' + square_file(move_from(m)));
    }
    if (move_is_capture(m))
        *out++ = 'x';
    out = put_square(out, move_to(m));
    if (move_is_promotion(m) || move_is_king_promotion(m)) {
        PieceType promotion = move_is_promotion(m) ? move_promotion(m) : KING;
        *out++ = '=';
        *out++ = piece_letter(piece_make(WHITE, promotion));
    }
    return out;
}

/* What follows the move: "#" when it has won the game, by mate or a variant's own rule, else "+"
 * for check. */
static char *put_suffix(char *out, const Position *pos, Move m)
{
    bool is_check = position_gives_check(pos, m);
    if (!is_check && position_is_chess(pos))
        return out;
    Position after = *pos;
    Undo undo;
    position_make(&after, m, &undo);
    VariantEnd end = variant_end(&after);
    bool is_won = end == VARIANT_WON || end == VARIANT_LOST;
    if (end == VARIANT_GOES_ON && (is_check || variant_rules(pos)->wins_without_move))
        is_won = movegen_count(&after) == 0;
    if (is_won || is_check)
        *out++ = is_won ? '#' : '+';
    return out;
}

void san_write(const Position *pos, Move m, char out[SAN_SIZE])
{
    char *end = put_suffix(put_move(out, pos, m), pos, m);
    *end = '\0';
    CHECK(end - out < SAN_SIZE);
}
