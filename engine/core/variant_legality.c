/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/core/variant_legality.h"

#include "engine/core/attacks.h"
#include "engine/core/chess_legality.h"
#include "engine/core/pins.h"

#include <string.h>

static bool kings_touch(Bitboard a, Bitboard b)
{
    return a && b && attacks_king(bitboard_first(a)) & b;
}

void variant_find_checks(const Position *pos, Colour us, Bitboard *checkers, Bitboard *pinned)
{
    const VariantRules *rules = variant_rules(pos);
    *checkers = *pinned = 0;
    if (!rules->is_royal[us] || !pos->pieces[us][KING])
        return;
    pins_find(pos, us, checkers, pinned);
    if (rules->captures_explode && kings_touch(pos->pieces[us][KING], pos->pieces[us ^ 1][KING]))
        *checkers = 0;
}

Bitboard variant_threats(const Position *pos, Colour us)
{
    const Colour them = us ^ 1;
    const Bitboard *enemy = pos->pieces[them];
    Bitboard occupied = pos->occupied ^ pos->pieces[us][KING];
    Bitboard attacked = attacks_of_pawns(them, enemy[PAWN]), near_kings = 0;
    for (Bitboard set = enemy[KING]; set;)
        near_kings |= attacks_king(bitboard_pop(&set));
    for (Bitboard set = enemy[KNIGHT]; set;)
        attacked |= attacks_knight(bitboard_pop(&set));
    for (Bitboard set = enemy[BISHOP] | enemy[QUEEN]; set;)
        attacked |= attacks_bishop(bitboard_pop(&set), occupied);
    for (Bitboard set = enemy[ROOK] | enemy[QUEEN]; set;)
        attacked |= attacks_rook(bitboard_pop(&set), occupied);
    return variant_rules(pos)->captures_explode ? attacked & ~near_kings : attacked | near_kings;
}

Bitboard variant_drop_targets(const Position *pos)
{
    if (!pos->checkers)
        return ~pos->occupied;
    if (bitboard_many(pos->checkers))
        return 0;
    return attacks_between(position_king(pos, pos->side_to_move), bitboard_first(pos->checkers));
}

bool variant_drop_is_pseudo_legal(const Position *pos, Move m)
{
    PieceType type = move_dropped(m);
    Square to = move_to(m);
    return variant_rules(pos)->drops_captures && type < POCKET_TYPES &&
           pos->variant.pocket[pos->side_to_move][type] && pos->board[to] == PIECE_NONE &&
           !(type == PAWN && bitboard_has(BITBOARD_RANK_1 | BITBOARD_RANK_8, to));
}

bool variant_can_capture(const Position *pos)
{
    Colour us = pos->side_to_move;
    const Bitboard *own = pos->pieces[us];
    Bitboard enemy = pos->occupied_by[us ^ 1];
    if (attacks_of_pawns(us, own[PAWN]) & enemy || pos->en_passant != SQUARE_NONE)
        return true;
    for (Bitboard set = pos->occupied_by[us] & ~own[PAWN]; set;) {
        Square from = bitboard_pop(&set);
        if (attacks_of(piece_type(pos->board[from]), from, pos->occupied) & enemy)
            return true;
    }
    return false;
}

/* The sets of both sides after a move, explosion and all. */
typedef struct {
    Bitboard pieces[COLOUR_COUNT][PIECE_TYPE_COUNT];
    Bitboard occupied;
} Board;

static Board board_after(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    Square from = move_from(m), to = move_to(m);
    PieceType type = piece_type(pos->board[from]);
    Board b;
    memcpy(b.pieces, pos->pieces, sizeof b.pieces);
    if (move_is_castling(m)) {
        Bitboard rook_from = square_bit(castling_rook_from(pos, m));
        Bitboard rook_to = square_bit(castling_rook_to(m));
        b.pieces[us][KING] = square_bit(to);
        b.pieces[us][ROOK] = (b.pieces[us][ROOK] & ~rook_from) | rook_to;
        b.occupied = (pos->occupied & ~square_bit(from) & ~rook_from) | square_bit(to) | rook_to;
        return b;
    }
    b.pieces[us][type] &= ~square_bit(from);
    b.occupied = pos->occupied & ~square_bit(from);
    if (!move_is_capture(m)) {
        b.pieces[us][move_is_promotion(m) ? move_promotion(m) : type] |= square_bit(to);
        b.occupied |= square_bit(to);
        return b;
    }
    Bitboard pawns = b.pieces[WHITE][PAWN] | b.pieces[BLACK][PAWN];
    Bitboard gone = square_bit(move_captured_square(m)) | square_bit(to);
    gone |= attacks_king(to) & ~pawns;
    for (PieceType t = PAWN; t < PIECE_TYPE_COUNT; t++) {
        b.pieces[WHITE][t] &= ~gone;
        b.pieces[BLACK][t] &= ~gone;
    }
    b.occupied &= ~gone;
    return b;
}

/* Is there a king of `us`, and is it in check by atomic rules? */
static bool atomic_king_is_attacked(const Board *b, Colour us)
{
    const Bitboard *enemy = b->pieces[us ^ 1];
    if (!b->pieces[us][KING] || !enemy[KING] || kings_touch(b->pieces[us][KING], enemy[KING]))
        return false;
    Square king = bitboard_first(b->pieces[us][KING]);
    return attacks_pawn(us, king) & enemy[PAWN] || attacks_knight(king) & enemy[KNIGHT] ||
           attacks_rook(king, b->occupied) & (enemy[ROOK] | enemy[QUEEN]) ||
           attacks_bishop(king, b->occupied) & (enemy[BISHOP] | enemy[QUEEN]);
}

static bool atomic_is_legal(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    if (move_is_castling(m))
        return true; /* pseudo-legal castling is fully checked */
    bool moves_king = piece_type(pos->board[move_from(m)]) == KING;
    if (!move_is_capture(m) && !moves_king)
        return kings_touch(pos->pieces[us][KING], pos->pieces[us ^ 1][KING]) ||
               chess_is_legal(pos, m);
    Board after = board_after(pos, m);
    return after.pieces[us][KING] && !atomic_king_is_attacked(&after, us);
}

bool variant_is_legal(const Position *pos, Move m)
{
    const VariantRules *rules = variant_rules(pos);
    if (rules->must_capture)
        return move_is_capture(m) || !variant_can_capture(pos);
    if (rules->captures_explode)
        return atomic_is_legal(pos, m);
    if (move_is_drop(m))
        return bitboard_has(variant_drop_targets(pos), move_to(m));
    if (!rules->is_royal[pos->side_to_move])
        return true;
    return chess_is_legal(pos, m) && !(rules->forbids_check && chess_gives_check(pos, m));
}

static bool drop_gives_check(const Position *pos, Move m)
{
    Colour us = pos->side_to_move;
    PieceType type = move_dropped(m);
    Square to = move_to(m);
    Bitboard attacked = type == PAWN ? attacks_pawn(us, to) : attacks_of(type, to, pos->occupied);
    return (attacked & pos->pieces[us ^ 1][KING]) != 0;
}

bool variant_gives_check(const Position *pos, Move m)
{
    const VariantRules *rules = variant_rules(pos);
    Colour them = pos->side_to_move ^ 1;
    if (!rules->is_royal[them] || !pos->pieces[them][KING])
        return false;
    if (move_is_drop(m))
        return drop_gives_check(pos, m);
    if (!rules->captures_explode)
        return chess_gives_check(pos, m);
    Board after = board_after(pos, m);
    return atomic_king_is_attacked(&after, them);
}
