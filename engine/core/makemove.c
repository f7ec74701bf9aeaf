/* SPDX-License-Identifier: GPL-3.0-or-later */
/* position.h's make and unmake. */
#include "engine/core/position.h"

#include "engine/core/pins.h"
#include "engine/core/variant_legality.h"

#include <assert.h>

/* Written once for both colours, and for chess and its variants: the compiler makes a copy for each
 * colour without a branch on it, and both once with no `rules`. Those are chess's, in which nothing
 * of the variants is left. */
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
    *slot = position_key_in_history(pos);
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
ALWAYS_INLINE void make_pawn(Position *pos, Move m, Colour us, uint64_t *key,
                             const VariantRules *rules)
{
    const Colour them = us ^ 1;
    Square to = move_to(m);
    pos->halfmove_clock = 0;
    pos->pawn_key ^= zobrist_piece(us, PAWN, move_from(m));
    bool crowned = rules && move_is_king_promotion(m);
    if (move_is_promotion(m) || crowned) {
        PieceType type = crowned ? KING : move_promotion(m);
        pos->pieces[us][PAWN] ^= square_bit(to);
        pos->pieces[us][type] ^= square_bit(to);
        pos->board[to] = piece_make(us, type);
        *key ^= zobrist_piece(us, PAWN, to) ^ zobrist_piece(us, type, to);
        return;
    }
    pos->pawn_key ^= zobrist_piece(us, PAWN, to);
    bool steps_from_first = rules && bitboard_has(BITBOARD_RANK_1 | BITBOARD_RANK_8, move_from(m));
    if (move_is_double_push(m) && !steps_from_first) {
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

/* Adds `change` men of a kind to a pocket. */
ALWAYS_INLINE void change_pocket(Position *pos, Colour colour, PieceType type, int change,
                                 uint64_t *key)
{
    uint8_t *count = &pos->variant.pocket[colour][type];
    *key ^= zobrist_pocket(colour, type, *count);
    *count = (uint8_t)(*count + change);
    *key ^= zobrist_pocket(colour, type, *count);
}

ALWAYS_INLINE void toggle_promoted(Position *pos, Square square, uint64_t *key)
{
    pos->variant.promoted ^= square_bit(square);
    *key ^= zobrist_promoted(square);
}

/* What a capture or a move means for pockets and promoted men. Stands after the move on the board.
 */
ALWAYS_INLINE void note_for_drops(Position *pos, Move m, const Undo *undo, Colour us, uint64_t *key)
{
    if (undo->captured != PIECE_NONE) {
        Square victim = move_captured_square(m);
        bool was_pawn = bitboard_has(pos->variant.promoted, victim);
        if (was_pawn)
            toggle_promoted(pos, victim, key);
        change_pocket(pos, us, was_pawn ? PAWN : piece_type(undo->captured), 1, key);
    }
    bool was_promoted = bitboard_has(pos->variant.promoted, move_from(m));
    if (was_promoted)
        toggle_promoted(pos, move_from(m), key);
    if (was_promoted || move_is_promotion(m))
        toggle_promoted(pos, move_to(m), key);
}

ALWAYS_INLINE void make_drop(Position *pos, Move m, Colour us, uint64_t *key)
{
    PieceType type = move_dropped(m);
    Square to = move_to(m);
    uint64_t change = zobrist_piece(us, type, to);
    change_pocket(pos, us, type, -1, key);
    xor_piece(pos, us, type, square_bit(to));
    pos->board[to] = piece_make(us, type);
    *key ^= change;
    if (type == PAWN) {
        pos->pawn_key ^= change;
        pos->halfmove_clock = 0;
    }
}

/* Takes off what a capture on `to` explodes, the captor included; gives the castling rights that
 * stay. */
ALWAYS_INLINE CastlingRights explode(Position *pos, Square to, Undo *undo, uint64_t *key)
{
    Bitboard pawns = pos->pieces[WHITE][PAWN] | pos->pieces[BLACK][PAWN];
    CastlingRights kept = pos->castling;
    int count = 0;
    undo->exploded = (attacks_king(to) & pos->occupied & ~pawns) | square_bit(to);
    for (Bitboard set = undo->exploded; set;) {
        Square square = bitboard_pop(&set);
        Piece piece = pos->board[square];
        uint64_t change = zobrist_piece(piece_colour(piece), piece_type(piece), square);
        undo->exploded_pieces[count++] = piece;
        xor_piece(pos, piece_colour(piece), piece_type(piece), square_bit(square));
        pos->board[square] = PIECE_NONE;
        *key ^= change;
        pos->pawn_key ^= piece_type(piece) == PAWN ? change : 0;
        kept &= pos->rules.keep[square];
    }
    return kept;
}

ALWAYS_INLINE void put_exploded_back(Position *pos, const Undo *undo)
{
    int count = 0;
    for (Bitboard set = undo->exploded; set;) {
        Square square = bitboard_pop(&set);
        Piece piece = undo->exploded_pieces[count++];
        xor_piece(pos, piece_colour(piece), piece_type(piece), square_bit(square));
        pos->board[square] = piece;
    }
}

/* Checks, pins, and the count of checks given. */
ALWAYS_INLINE void find_checks(Position *pos, Colour us, const VariantRules *rules)
{
    if (!rules) {
        pins_find(pos, us ^ 1, &pos->checkers, &pos->pinned);
        return;
    }
    variant_find_checks(pos, us ^ 1, &pos->checkers, &pos->pinned);
    uint8_t *given = &pos->variant.checks_given[us];
    if (rules->counts_checks && pos->checkers && *given < CHECKS_TO_WIN) {
        pos->key ^= zobrist_checks(us, *given) ^ zobrist_checks(us, *given + 1U);
        ++*given;
    }
}

ALWAYS_INLINE void make(Position *pos, Move m, Undo *undo, Colour us, const VariantRules *rules)
{
    Square from = move_from(m), to = move_to(m);
    uint64_t key = pos->key ^ zobrist_side();

    save(pos, undo);
    if (rules) {
        undo->variant = pos->variant;
        undo->exploded = 0;
    }
    pos->ply++;
    pos->halfmove_clock++;
    pos->plies_since_null++;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number + us);
    if (pos->en_passant != SQUARE_NONE) {
        key ^= zobrist_en_passant(pos->en_passant);
        pos->en_passant = SQUARE_NONE;
    }

    if (rules && move_is_drop(m)) {
        make_drop(pos, m, us, &key);
        from = to;
    } else if (move_is_castling(m)) {
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
            make_pawn(pos, m, us, &key, rules);
        if (rules && rules->drops_captures)
            note_for_drops(pos, m, undo, us, &key);
    }

    CastlingRights kept = pos->rules.keep[from] & pos->rules.keep[to];
    if (rules && rules->captures_explode && move_is_capture(m))
        kept &= explode(pos, to, undo, &key);
    CastlingRights lost = pos->castling & ~kept;
    if (lost) {
        pos->castling ^= lost;
        key ^= zobrist_castling(lost);
    }
    pos->key = key;
    pos->side_to_move = us ^ 1;
    find_checks(pos, us, rules);
}

ALWAYS_INLINE void unmake(Position *pos, Move m, const Undo *undo, Colour us,
                          const VariantRules *rules)
{
    Square from = move_from(m), to = move_to(m);

    pos->side_to_move = us;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number - us);
    pos->ply--;
    restore(pos, undo);

    if (rules) {
        pos->variant = undo->variant;
        put_exploded_back(pos, undo);
    }
    if (rules && move_is_drop(m)) {
        xor_piece(pos, us, move_dropped(m), square_bit(to));
        pos->board[to] = PIECE_NONE;
        return;
    }
    if (move_is_castling(m)) {
        castle(pos, us, to, castling_rook_to(m), from, castling_rook_from(pos, m));
        return;
    }
    Piece piece = pos->board[to];
    if (move_is_promotion(m) || (rules && move_is_king_promotion(m))) {
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

static void make_variant(Position *pos, Move m, Undo *undo)
{
    if (pos->side_to_move == WHITE)
        make(pos, m, undo, WHITE, variant_rules(pos));
    else
        make(pos, m, undo, BLACK, variant_rules(pos));
}

static void unmake_variant(Position *pos, Move m, const Undo *undo)
{
    if (pos->side_to_move == BLACK)
        unmake(pos, m, undo, WHITE, variant_rules(pos));
    else
        unmake(pos, m, undo, BLACK, variant_rules(pos));
}

void position_make(Position *pos, Move m, Undo *undo)
{
    assert(position_allows(pos, m));
    if (!position_is_chess(pos))
        make_variant(pos, m, undo);
    else if (pos->side_to_move == WHITE)
        make(pos, m, undo, WHITE, NULL);
    else
        make(pos, m, undo, BLACK, NULL);
}

void position_unmake(Position *pos, Move m, const Undo *undo)
{
    if (!position_is_chess(pos))
        unmake_variant(pos, m, undo);
    else if (pos->side_to_move == BLACK)
        unmake(pos, m, undo, WHITE, NULL);
    else
        unmake(pos, m, undo, BLACK, NULL);
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
    if (position_is_chess(pos))
        pins_find(pos, pos->side_to_move, &pos->checkers, &pos->pinned);
    else
        variant_find_checks(pos, pos->side_to_move, &pos->checkers, &pos->pinned);
}

void position_unmake_null(Position *pos, const Undo *undo)
{
    pos->side_to_move ^= 1;
    pos->fullmove_number = (uint16_t)(pos->fullmove_number - pos->side_to_move);
    pos->ply--;
    restore(pos, undo);
}
