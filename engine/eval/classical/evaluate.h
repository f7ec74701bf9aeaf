/* SPDX-License-Identifier: GPL-3.0-or-later */
/* evaluate.h - the evaluation from beginning to end, in the order that its parts need each other.
 */
#pragma once
#include "engine/eval/classical/endgame.h"
#include "engine/eval/classical/evaluation_state.h"
#include "engine/eval/classical/king.h"
#include "engine/eval/classical/pawns.h"
#include "engine/eval/classical/pieces.h"
#include "engine/eval/classical/summing.h"
#include "engine/eval/classical/threats.h"

EVAL_INLINE Bitboard evaluate_pinned(const Position *pos, Colour us)
{
    Square king = position_king(pos, us);
    Bitboard queens = pos->pieces[!us][QUEEN], pinned = 0;
    Bitboard snipers = (attacks_rook_rays(king) & (pos->pieces[!us][ROOK] | queens)) |
                       (attacks_bishop_rays(king) & (pos->pieces[!us][BISHOP] | queens));
    while (snipers) {
        Bitboard between = attacks_between(king, bitboard_pop(&snipers)) & pos->occupied;
        if (!bitboard_many(between))
            pinned |= between & pos->occupied_by[us];
    }
    return pinned;
}

/* What pieces read: pawn attacks, king ring, where mobility counts. Kings and pawns enter the
 * attack maps. */
EVAL_INLINE void evaluate_prepare(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Colour them = !us;
    Square king = position_king(pos, us);
    Bitboard pawns = pos->pieces[us][PAWN], king_attacks = attacks_king(king);
    Bitboard west = (pawns & ~BITBOARD_FILE_A), east = (pawns & ~BITBOARD_FILE_H);
    Bitboard twice_by_pawns = us == WHITE ? west << 7 & east << 9 : west >> 9 & east >> 7;

    ev->attacks[us][PAWN] = ev->pawn_attacks[us];
    ev->attacks[us][KING] = king_attacks;
    ev->attacked[us] = ev->pawn_attacks[us] | king_attacks;
    ev->attacked_twice[us] = twice_by_pawns | (ev->pawn_attacks[us] & king_attacks);

    /* The ring is the nine squares around, moved inwards from the edge. */
    int file = square_file(king), rank = square_rank(king);
    Square centre = square_make(file < 1   ? 1
                                : file > 6 ? 6
                                           : file,
                                rank < 1   ? 1
                                : rank > 6 ? 6
                                           : rank);
    ev->king_ring[us] = (attacks_king(centre) | square_bit(centre)) & ~twice_by_pawns;
    ev->pinned[us] = evaluate_pinned(pos, us);

    Bitboard stuck = pawns & (forward(them, pos->occupied) | ranks_mask(us, 1, 2));
    ev->mobility_area[us] =
        ~(ev->pawn_attacks[them] | stuck | pos->pieces[us][KING] | pos->pieces[us][QUEEN]);
}

EVAL_INLINE int evaluation_sum(Evaluation *ev, PawnTable *pawns)
{
    const Position *pos = ev->pos;
    int ruled;
    if (material_decides(pos, &ruled))
        return ruled;

    ev->pawn_attacks[WHITE] = attacks_of_pawns(WHITE, pos->pieces[WHITE][PAWN]);
    ev->pawn_attacks[BLACK] = attacks_of_pawns(BLACK, pos->pieces[BLACK][PAWN]);
    pawns_both(ev, pawns);
    evaluate_prepare(ev, WHITE);
    evaluate_prepare(ev, BLACK);
    pieces_side(ev, WHITE);
    pieces_side(ev, BLACK);
    king_side(ev, WHITE);
    king_side(ev, BLACK);
    threats_side(ev, WHITE);
    threats_side(ev, BLACK);
    threats_passed(ev, WHITE);
    threats_passed(ev, BLACK);
    threats_space(ev, WHITE);
    threats_space(ev, BLACK);
    endgame_complexity(ev);
    if (pos->side_to_move == WHITE)
        evaluation_add(ev, WHITE, TERM_TEMPO, 1);
    else
        evaluation_add(ev, BLACK, TERM_TEMPO, 1);

    Tapered score =
        ev->score - summing_danger(ev->danger[WHITE]) + summing_danger(ev->danger[BLACK]);
    int eg = summing_endgame(score, ev->complexity);
    Colour strong = (eg ? eg : tapered_mg(score)) > 0 ? WHITE : BLACK;
    int phase = endgame_phase(pos), scale = endgame_scale(ev, strong);
#ifdef EVAL_TRACE
    ev->trace->phase = phase;
    ev->trace->scale = scale;
#endif
    int value = summing_taper(tapered_mg(score), eg, phase, scale);
    return pos->side_to_move == WHITE ? value : -value;
}
