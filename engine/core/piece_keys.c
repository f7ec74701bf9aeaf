/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/piece_keys.h"

static void toggle(PieceKeys *keys, PieceOnSquare at)
{
    PieceType type = piece_type(at.piece);
    if (type == PAWN)
        return;
    uint64_t number = change_key_of(at);
    keys->non_pawn[piece_colour(at.piece)] ^= number;
    if (type == KNIGHT || type == BISHOP)
        keys->minor ^= number;
    else if (type != KING)
        keys->major ^= number;
}

PieceKeys piece_keys_of(const Position *pos)
{
    PieceKeys keys = { 0 };
    for (Bitboard left = pos->occupied; left;) {
        Square square = bitboard_pop(&left);
        toggle(&keys, (PieceOnSquare){ pos->board[square], square });
    }
    return keys;
}

PieceKeys piece_keys_after(const PieceKeys *keys, const Change *change)
{
    PieceKeys after = *keys;
    for (int i = 0; i < change->removed_count; i++)
        toggle(&after, change->removed[i]);
    for (int i = 0; i < change->added_count; i++)
        toggle(&after, change->added[i]);
    return after;
}
