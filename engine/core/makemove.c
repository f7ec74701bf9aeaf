/* SPDX-License-Identifier: GPL-3.0-or-later */
/* position.h's make and unmake. */
#include "engine/core/position.h"

#include "engine/core/pins.h"
#include "engine/core/zobrist.h"

#include <assert.h>

/* Written once for both colours; the compiler makes two of it, each without a branch on colour. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

ALWAYS_INLINE void xor_piece(Position *pos, Colour colour, PieceType type, Bitboard squares)
{
    pos->pieces[colour][type] ^= squares;
    pos->occupied_by[colour] ^= squares;
    pos->occupied ^= squares;
}

/* King and rook may stand on each other's targets: both leave before both arrive. */
ALWAYS_INLINE void castle(Position *pos, Colour us, Square king_from, Square rook_from,
                          Square king_to, Square rook_to)
{
    xor_piece(pos, us, KING, square_bit(king_from));
    xor_piece(pos, us, ROOK, square_bit(rook_from));
    pos->board[king_from] = PIECE_NONE;
    pos->board[rook_from] = PIECE_NONE;
    xor_piece(pos, us, KING, square_bit(king_to));
    xor_piece(pos, us, ROOK, square_bit(rook_to));
    pos->board[king_to] = piece_make(us, KING);
    pos->board[rook_to] = piece_make(us, ROOK);
}

ALWAYS_INLINE void save(Position *pos, Undo *undo)
{
    uint64_t *slot = &pos->keys[pos->ply % POSITION_KEY_RING];
    undo->key = pos->key;
    undo->pawn_key = pos->pawn_key;
    undo->forgotten_key = *slot;
    undo->checkers = pos->checkers;
    undo->pinned = pos->pinned;
    undo->captured = PIECE_NONE;
    undo->castling = pos->castling;
    undo->en_passant = pos->en_passant;
    undo->halfmove_clock = pos->halfmove_clock;
    undo->plies_since_null = pos->plies_since_null;
    *slot = pos->key;
    if (pos->en_passant != SQUARE_NONE && !position_can_take_en_passant(pos))
        *slot ^= zobrist_en_passant(pos->en_passant);
}

ALWAYS_INLINE void restore(Position *pos, const Undo *undo)
{
    pos->key = undo->key;
    pos->pawn_key = undo->pawn_key;
    pos->keys[pos->ply % POSITION_KEY_RING] = undo->forgotten_key;
    pos->checkers = undo->checkers;
    pos->pinned = undo->pinned;
    pos->castling = undo->castling;
    pos->en_passant = undo->en_passant;
    pos->halfmove_clock = undo->halfmove_clock;
    pos->plies_since_null = undo->plies_since_null;
}

/* The parts of a pawn's move that other pieces' moves lack. */
ALWAYS_INLINE void make_pawn(Position *pos, Move m, Colour us, uint64_t *key)
{
    const Colour them = us ^ 1;
    Square to = move_to(m);
    pos->halfmove_clock = 0;
    pos->pawn_key ^= zobrist_piece(us, PAWN, move_from(m));
    if (move_is_promotion(m)) {
        PieceType type = move_promotion(m);
        pos->pieces[us][PAWN] ^= square_bit(to);
        pos->pieces[us][type] ^= square_bit(to);
        pos->board[to] = piece_make(us, type);
        *key ^= zobrist_piece(us, PAWN, to) ^ zobrist_piece(us, type, to);
        return;
    }
    pos->pawn_key ^= zobrist_piece(us, PAWN, to);
    if (move_is_double_push(m)) {
        Square behind = us == WHITE ? to - 8 : to + 8;
        if (attacks_pawn(us, behind) & pos->pieces[them][PAWN]) {
            pos->en_passant = behind;
            *key ^= zobrist_en_passant(behind);
        }
    }
}

ALWAYS_INLINE void make_capture(Position *pos, Move m, Undo *undo, Colour us, uint64_t *key)
{
    const Colour them = us ^ 1;
    Square square = move_captured_square(m);
    undo->captured = pos->board[square];
    if (move_is_en_passant(m))
        pos->board[square] = PIECE_NONE;
    PieceType type = piece_type(undo->captured);
    uint64_t change = zobrist_piece(them, type, square);
    xor_piece(pos, them, type, square_bit(square));
    *key ^= change;
    pos->pawn_key ^= type == PAWN ? change : 0;
    pos->halfmove_clock = 0;
}

ALWAYS_INLINE void make(Position *pos, Move m, Undo *undo, Colour us)
{
    Square from = move_from(m), to = move_to(m);
    uint64_t key = pos->key ^ zobrist_side();

    save(pos, undo);
    pos->ply++;
    pos->halfmove_clock++;
    pos->plies_since_null++;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number + us);
    if (pos->en_passant != SQUARE_NONE) {
        key ^= zobrist_en_passant(pos->en_passant);
        pos->en_passant = SQUARE_NONE;
    }

    if (move_is_castling(m)) {
        Square rook_from = castling_rook_from(pos, m), rook_to = castling_rook_to(m);
        key ^= zobrist_piece(us, KING, from) ^ zobrist_piece(us, KING, to) ^
               zobrist_piece(us, ROOK, rook_from) ^ zobrist_piece(us, ROOK, rook_to);
        castle(pos, us, from, rook_from, to, rook_to);
    } else {
        Piece piece = pos->board[from];
        PieceType type = piece_type(piece);
        if (move_is_capture(m))
            make_capture(pos, m, undo, us, &key);
        xor_piece(pos, us, type, square_bit(from) ^ square_bit(to));
        pos->board[from] = PIECE_NONE;
        pos->board[to] = piece;
        key ^= zobrist_piece(us, type, from) ^ zobrist_piece(us, type, to);
        if (type == PAWN)
            make_pawn(pos, m, us, &key);
    }

    CastlingRights lost = pos->castling & ~(pos->rules.keep[from] & pos->rules.keep[to]);
    if (lost) {
        pos->castling ^= lost;
        key ^= zobrist_castling(lost);
    }
    pos->key = key;
    pos->side_to_move = us ^ 1;
    pins_find(pos, us ^ 1, &pos->checkers, &pos->pinned);
}

ALWAYS_INLINE void unmake(Position *pos, Move m, const Undo *undo, Colour us)
{
    Square from = move_from(m), to = move_to(m);

    pos->side_to_move = us;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number - us);
    pos->ply--;
    restore(pos, undo);

    if (move_is_castling(m)) {
        castle(pos, us, to, castling_rook_to(m), from, castling_rook_from(pos, m));
        return;
    }
    Piece piece = pos->board[to];
    if (move_is_promotion(m)) {
        pos->pieces[us][piece_type(piece)] ^= square_bit(to);
        pos->pieces[us][PAWN] ^= square_bit(to);
        piece = piece_make(us, PAWN);
    }
    xor_piece(pos, us, piece_type(piece), square_bit(from) ^ square_bit(to));
    pos->board[from] = piece;
    pos->board[to] = PIECE_NONE;
    if (move_is_capture(m)) {
        Square square = move_captured_square(m);
        xor_piece(pos, us ^ 1, piece_type(undo->captured), square_bit(square));
        pos->board[square] = undo->captured;
    }
}

void position_make(Position *pos, Move m, Undo *undo)
{
    assert(position_is_pseudo_legal(pos, m) && position_is_legal(pos, m));
    if (pos->side_to_move == WHITE)
        make(pos, m, undo, WHITE);
    else
        make(pos, m, undo, BLACK);
}

void position_unmake(Position *pos, Move m, const Undo *undo)
{
    if (pos->side_to_move == BLACK)
        unmake(pos, m, undo, WHITE);
    else
        unmake(pos, m, undo, BLACK);
}

void position_make_null(Position *pos, Undo *undo)
{
    assert(!position_in_check(pos));
    save(pos, undo);
    pos->ply++;
    pos->halfmove_clock++;
    pos->plies_since_null = 0;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number + pos->side_to_move);
    pos->key ^= zobrist_side();
    if (pos->en_passant != SQUARE_NONE) {
        pos->key ^= zobrist_en_passant(pos->en_passant);
        pos->en_passant = SQUARE_NONE;
    }
    pos->side_to_move ^= 1;
    pins_find(pos, pos->side_to_move, &pos->checkers, &pos->pinned);
}

void position_unmake_null(Position *pos, const Undo *undo)
{
    pos->side_to_move ^= 1;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number - pos->side_to_move);
    pos->ply--;
    restore(pos, undo);
}
