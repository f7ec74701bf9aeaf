/* SPDX-License-Identifier: GPL-3.0-or-later */
/* threats.h - what hangs or soon will, passed pawns on their way, space. Reads the attack maps. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"

EVAL_INLINE void threats_each(Evaluation *ev, Colour us, int term, Bitboard victims)
{
    while (victims) {
        PieceType victim = piece_type(ev->pos->board[bitboard_pop(&victims)]);
        evaluation_add(ev, us, term + victim, 1);
    }
}

EVAL_INLINE void threats_by_pawns(Evaluation *ev, Colour us, Bitboard targets)
{
    const Position *pos = ev->pos;
    Bitboard safe = ~ev->attacked[!us] | ev->attacked[us];
    Bitboard pawns = pos->pieces[us][PAWN];
    threats_each(ev, us, TERM_THREAT_BY_PAWN, attacks_of_pawns(us, pawns & safe) & targets);

    Bitboard pushes = forward(us, pawns) & ~pos->occupied;
    pushes |= forward(us, pushes & ranks_mask(us, 2, 2)) & ~pos->occupied;
    pushes &= safe & ~ev->pawn_attacks[!us];
    evaluation_add(ev, us, TERM_THREAT_BY_PUSH,
                   bitboard_count(attacks_of_pawns(us, pushes) & targets));
}

/* Squares from which a piece could go for the lone enemy queen without being taken for nothing. */
EVAL_INLINE void threats_on_queen(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard queens = pos->pieces[!us][QUEEN];
    if (!queens || bitboard_many(queens))
        return;
    Square queen = bitboard_first(queens);
    Bitboard safe = ev->mobility_area[us] & ~pos->occupied_by[us] &
                    (~ev->attacked[!us] | (ev->attacked_twice[us] & ~ev->attacked_twice[!us]));
    Bitboard knight = attacks_knight(queen) & ev->attacks[us][KNIGHT];
    Bitboard slider = (attacks_bishop(queen, pos->occupied) & ev->attacks[us][BISHOP]) |
                      (attacks_rook(queen, pos->occupied) & ev->attacks[us][ROOK]);
    evaluation_add(ev, us, TERM_KNIGHT_ON_QUEEN, bitboard_count(knight & safe));
    evaluation_add(ev, us, TERM_SLIDER_ON_QUEEN,
                   bitboard_count(slider & safe & ev->attacked_twice[us]));
}

EVAL_INLINE void threats_side(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Colour them = !us;
    Bitboard enemies = pos->occupied_by[them] ^ pos->pieces[them][KING];
    Bitboard pieces = enemies ^ pos->pieces[them][PAWN];
    Bitboard strong =
        ev->attacks[them][PAWN] | (ev->attacked_twice[them] & ~ev->attacked_twice[us]);
    Bitboard weak = enemies & ~strong & ev->attacked[us];

    Bitboard by_minor = ev->attacks[us][KNIGHT] | ev->attacks[us][BISHOP];
    threats_each(ev, us, TERM_THREAT_BY_MINOR, (weak | (pieces & strong)) & by_minor);
    threats_each(ev, us, TERM_THREAT_BY_ROOK, weak & ev->attacks[us][ROOK]);
    if (weak & ev->attacks[us][KING])
        evaluation_add(ev, us, TERM_THREAT_BY_KING, 1);
    Bitboard hanging = weak & (~ev->attacked[them] | (pieces & ev->attacked_twice[us]));
    evaluation_add(ev, us, TERM_HANGING, bitboard_count(hanging));
    evaluation_add(ev, us, TERM_WEAKLY_DEFENDED_BY_QUEEN,
                   bitboard_count(weak & ev->attacks[them][QUEEN]));
    evaluation_add(ev, us, TERM_RESTRICTED,
                   bitboard_count(ev->attacked[them] & ~strong & ev->attacked[us]));
    threats_by_pawns(ev, us, pieces);
    threats_on_queen(ev, us);
}

EVAL_INLINE void threats_passed_pawn(Evaluation *ev, Colour us, Square square)
{
    enum { BY_ENEMY, BY_OWN, ATTACKED, SAFE };
    const Position *pos = ev->pos;
    Colour them = !us;
    int rank = rank_of(us, square);
    Bitboard column = file_mask(square_file(square));
    Bitboard stop = forward(us, square_bit(square)), path = ranks_ahead(us, square) & column;
    int state = stop & pos->occupied_by[them] ? BY_ENEMY
                : stop & pos->occupied_by[us] ? BY_OWN
                : stop & ev->attacked[them]   ? ATTACKED
                                              : SAFE;
    evaluation_add(ev, us, TERM_PASSED_STOP_SQUARE + state * 8 + rank, 1);
    if (!(path & (pos->occupied | ev->attacked[them])))
        evaluation_add(ev, us, TERM_PASSED_FREE_PATH + rank, 1);

    Bitboard behind = column & ~path;
    if (behind & (pos->pieces[us][ROOK] | pos->pieces[us][QUEEN]))
        evaluation_add(ev, us, TERM_PASSED_ROOK_BEHIND, 1);
    if (behind & (pos->pieces[them][ROOK] | pos->pieces[them][QUEEN]))
        evaluation_add(ev, us, TERM_PASSED_ROOK_BEHIND + 1, 1);
}

/* The rule of the square: no enemy pieces, nothing in the way, and the king comes too late. */
EVAL_INLINE bool threats_unstoppable(const Position *pos, Colour us, Square square)
{
    Bitboard path = ranks_ahead(us, square) & file_mask(square_file(square));
    Square goal = square_make(square_file(square), us == WHITE ? RANK_8 : RANK_1);
    int moves = 7 - rank_of(us, square) - (rank_of(us, square) == 1);
    int king_moves = king_distance(position_king(pos, !us), goal) - (pos->side_to_move != us);
    return !(path & pos->occupied) && king_moves > moves;
}

EVAL_INLINE void threats_passed(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    bool king_alone = pos->occupied_by[!us] == (pos->pieces[!us][PAWN] | pos->pieces[!us][KING]);
    bool runs = false;
    for (Bitboard passed = ev->passed & pos->pieces[us][PAWN]; passed;) {
        Square square = bitboard_pop(&passed);
        threats_passed_pawn(ev, us, square);
        runs |= king_alone && threats_unstoppable(pos, us, square);
    }
    if (runs)
        evaluation_add(ev, us, TERM_PASSED_UNSTOPPABLE, 1);
}

/* Room behind and beside the own pawns counts the more, the more pieces there are to fill it. */
EVAL_INLINE void threats_space(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Bitboard centre_files = 0x3c3c3c3c3c3c3c3cULL, pawns = pos->pieces[us][PAWN];
    Bitboard safe = centre_files & ranks_mask(us, 1, 3) & ~pawns & ~ev->pawn_attacks[!us];
    Bitboard behind = pawns | forward(!us, pawns);
    behind |= forward(!us, forward(!us, behind));
    int room = bitboard_count(safe) + bitboard_count(behind & safe & ~ev->attacked[!us]);
    int pieces = bitboard_count(pos->occupied_by[us]);
    evaluation_add(ev, us, TERM_SPACE, room * pieces * pieces / 64);
}
