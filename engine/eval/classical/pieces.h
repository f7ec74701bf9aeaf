/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pieces.h - knights to queens: place, mobility, and what is good or bad for each kind. Fills in
 * the attack maps that king safety and threats read. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"

EVAL_INLINE void pieces_note_attacks(Evaluation *ev, Colour us, PieceType type, Bitboard attacks)
{
    ev->attacks[us][type] |= attacks;
    ev->attacked_twice[us] |= ev->attacked[us] & attacks;
    ev->attacked[us] |= attacks;
}

/* What all kinds have in common. Returns the squares it may really go to or defends. */
EVAL_INLINE Bitboard pieces_activity(Evaluation *ev, Colour us, PieceType type, Square square,
                                     Bitboard attacks)
{
    static const int place[] = { 0, TERM_KNIGHT_PLACE, TERM_BISHOP_PLACE, TERM_ROOK_PLACE,
                                 TERM_QUEEN_PLACE };
    static const int mobility[] = { 0, TERM_KNIGHT_MOBILITY, TERM_BISHOP_MOBILITY,
                                    TERM_ROOK_MOBILITY, TERM_QUEEN_MOBILITY };
    const Position *pos = ev->pos;
    if (bitboard_has(ev->pinned[us], square))
        attacks &= attacks_line(position_king(pos, us), square);
    pieces_note_attacks(ev, us, type, attacks);

    evaluation_add(ev, us, TERM_MATERIAL + type, 1);
    evaluation_add(ev, us, place[type] + place_index(us, square, position_king(pos, !us)), 1);
    evaluation_add(ev, us, mobility[type] + bitboard_count(attacks & ev->mobility_area[us]), 1);

    Bitboard ring = attacks & ev->king_ring[!us];
    if (ring) {
        ev->king_attackers[us]++;
        evaluation_endanger(ev, !us, TERM_DANGER_ATTACKER + type - KNIGHT, 1);
        evaluation_endanger(ev, !us, TERM_DANGER_RING_ATTACK, bitboard_count(ring));
    }
    return attacks;
}

/* Squares on the fourth to sixth rank that no enemy pawn can ever attack. */
EVAL_INLINE Bitboard pieces_outposts(const Evaluation *ev, Colour us)
{
    return ranks_mask(us, 3, 5) & ~ev->attack_span[!us];
}

EVAL_INLINE void pieces_minor(Evaluation *ev, Colour us, PieceType type, Square square,
                              Bitboard attacks)
{
    const Position *pos = ev->pos;
    Bitboard here = square_bit(square), outposts = pieces_outposts(ev, us);
    int kind = type - KNIGHT;
    int term = type == KNIGHT ? TERM_KNIGHT_OUTPOST : TERM_BISHOP_OUTPOST;
    if (here & outposts)
        evaluation_add(ev, us,
                       term + (edge_of(square) > 1) * 2 + ((here & ev->pawn_attacks[us]) != 0), 1);
    else if (attacks & outposts & ev->pawn_attacks[us] & ~pos->occupied_by[us])
        evaluation_add(ev, us, TERM_OUTPOST_IN_REACH, 1);

    Bitboard pawns = pos->pieces[WHITE][PAWN] | pos->pieces[BLACK][PAWN];
    if (forward(us, here) & pawns)
        evaluation_add(ev, us, TERM_MINOR_BEHIND_PAWN + kind, 1);
    evaluation_add(
        ev, us, TERM_MINOR_FAR_FROM_KING + kind * 8 + king_distance(square, position_king(pos, us)),
        1);
}

EVAL_INLINE void pieces_knights(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard knights = pos->pieces[us][KNIGHT];
    evaluation_add(ev, us, TERM_KNIGHT_PER_PAWN,
                   bitboard_count(knights) * (bitboard_count(pos->pieces[us][PAWN]) - 5));
    while (knights) {
        Square square = bitboard_pop(&knights);
        Bitboard attacks = pieces_activity(ev, us, KNIGHT, square, attacks_knight(square));
        pieces_minor(ev, us, KNIGHT, square, attacks);
    }
}

EVAL_INLINE void pieces_bishops(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard bishops = pos->pieces[us][BISHOP];
    Bitboard own_pawns = pos->pieces[us][PAWN], enemy_pawns = pos->pieces[!us][PAWN];
    Bitboard through = pos->occupied ^ (bishops | pos->pieces[us][QUEEN]);
    Bitboard rammed = own_pawns & forward(!us, enemy_pawns);
    if ((bishops & BITBOARD_DARK) && (bishops & ~BITBOARD_DARK))
        evaluation_add(ev, us, TERM_BISHOP_PAIR, 1);
    while (bishops) {
        Square square = bitboard_pop(&bishops);
        Bitboard attacks = pieces_activity(ev, us, BISHOP, square, attacks_bishop(square, through));
        pieces_minor(ev, us, BISHOP, square, attacks);

        Bitboard colour = same_colour_squares(square);
        evaluation_add(ev, us, TERM_BISHOP_OWN_PAWNS, bitboard_count(own_pawns & colour & ~rammed));
        evaluation_add(ev, us, TERM_BISHOP_OWN_PAWNS + 1, bitboard_count(rammed & colour));
        evaluation_add(ev, us, TERM_BISHOP_XRAY_PAWNS,
                       bitboard_count(attacks_bishop_rays(square) & enemy_pawns));
        Bitboard centre = 0x0000001818000000ULL;
        if (bitboard_many(attacks_bishop(square, own_pawns | enemy_pawns) & centre))
            evaluation_add(ev, us, TERM_BISHOP_LONG_DIAGONAL, 1);
    }
}

EVAL_INLINE void pieces_rooks(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard rooks = pos->pieces[us][ROOK];
    Bitboard own_pawns = pos->pieces[us][PAWN], enemy_pawns = pos->pieces[!us][PAWN];
    Bitboard through = pos->occupied ^ (rooks | pos->pieces[us][QUEEN]);
    evaluation_add(ev, us, TERM_ROOK_PER_PAWN,
                   bitboard_count(rooks) * (bitboard_count(own_pawns) - 5));
    while (rooks) {
        Square square = bitboard_pop(&rooks);
        pieces_activity(ev, us, ROOK, square, attacks_rook(square, through));

        Bitboard column = file_mask(square_file(square));
        if (!(own_pawns & column))
            evaluation_add(ev, us, TERM_ROOK_FILE + 1 + !(enemy_pawns & column), 1);
        else if (forward(us, own_pawns & column) & pos->occupied & ~pos->pieces[us][ROOK])
            evaluation_add(ev, us, TERM_ROOK_FILE, 1);
        Bitboard worth = enemy_pawns & ranks_mask(us, 6, 6);
        if (rank_of(us, square) == 6 && (worth || rank_of(us, position_king(pos, !us)) == 7))
            evaluation_add(ev, us, TERM_ROOK_ON_SEVENTH, 1);
    }
}

/* Is one piece, whoever owns it, all that stands between an enemy slider and the square? */
EVAL_INLINE bool pieces_discovered(const Position *pos, Colour us, Square square)
{
    Bitboard sliders = (attacks_rook_rays(square) & pos->pieces[!us][ROOK]) |
                       (attacks_bishop_rays(square) & pos->pieces[!us][BISHOP]);
    while (sliders) {
        Bitboard between = attacks_between(square, bitboard_pop(&sliders)) & pos->occupied;
        if (between && !bitboard_many(between))
            return true;
    }
    return false;
}

EVAL_INLINE void pieces_queens(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard queens = pos->pieces[us][QUEEN];
    while (queens) {
        Square square = bitboard_pop(&queens);
        pieces_activity(ev, us, QUEEN, square, attacks_queen(square, pos->occupied));
        if (pieces_discovered(pos, us, square))
            evaluation_add(ev, us, TERM_QUEEN_EXPOSED, 1);
        if (rank_of(us, square) > 3 && !bitboard_has(ev->attack_span[!us], square))
            evaluation_add(ev, us, TERM_QUEEN_INFILTRATED, 1);
    }
}

EVAL_INLINE void pieces_side(Evaluation *ev, Colour us)
{
    pieces_knights(ev, us);
    pieces_bishops(ev, us);
    pieces_rooks(ev, us);
    pieces_queens(ev, us);
}
