/* SPDX-License-Identifier: GPL-3.0-or-later */
/* king.h - the king's place and how much danger it is in. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"

EVAL_INLINE void king_count_checks(Evaluation *ev, Colour us, PieceType type, Bitboard checks)
{
    if (checks)
        evaluation_endanger(
            ev, us, TERM_DANGER_SAFE_CHECK + (type - KNIGHT) * 2 + bitboard_many(checks), 1);
}

EVAL_INLINE void king_checks(Evaluation *ev, Colour us, Bitboard weak)
{
    const Position *pos = ev->pos;
    Colour them = !us;
    Square king = position_king(pos, us);
    Bitboard occupied = pos->occupied ^ pos->pieces[us][QUEEN];
    Bitboard rook_lines = attacks_rook(king, occupied);
    Bitboard bishop_lines = attacks_bishop(king, occupied);
    Bitboard safe =
        ~pos->occupied_by[them] & (~ev->attacked[us] | (weak & ev->attacked_twice[them]));

    Bitboard knight = attacks_knight(king) & ev->attacks[them][KNIGHT];
    Bitboard bishop = bishop_lines & ev->attacks[them][BISHOP];
    Bitboard rook = rook_lines & ev->attacks[them][ROOK];
    Bitboard queen =
        (rook_lines | bishop_lines) & ev->attacks[them][QUEEN] & ~ev->attacks[us][QUEEN];
    king_count_checks(ev, us, KNIGHT, knight & safe);
    king_count_checks(ev, us, BISHOP, bishop & safe);
    king_count_checks(ev, us, ROOK, rook & safe);
    king_count_checks(ev, us, QUEEN, queen & safe);
    Bitboard unsafe = (knight | bishop | rook) & ~safe & ~pos->occupied_by[them];
    evaluation_endanger(ev, us, TERM_DANGER_UNSAFE_CHECK, bitboard_count(unsafe));
}

EVAL_INLINE Bitboard king_flank(Square king)
{
    int file = square_file(king);
    Bitboard west = 0x0f0f0f0f0f0f0f0fULL;
    return file < 3 ? west : file > 4 ? ~west : west << 2;
}

EVAL_INLINE void king_danger(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Colour them = !us;
    Square king = position_king(pos, us);
    Bitboard weak = ev->attacked[them] & ~ev->attacked_twice[us] &
                    (~ev->attacked[us] | ev->attacks[us][QUEEN] | ev->attacks[us][KING]);
    Bitboard camp = king_flank(king) & ranks_mask(us, 0, 4);

    evaluation_endanger(ev, us, TERM_DANGER_BASE, 1);
    king_checks(ev, us, weak);
    evaluation_endanger(ev, us, TERM_DANGER_WEAK_SQUARE, bitboard_count(ev->king_ring[us] & weak));
    evaluation_endanger(ev, us, TERM_DANGER_FLANK_ATTACK,
                        bitboard_count(ev->attacked[them] & camp) +
                            bitboard_count(ev->attacked_twice[them] & camp));
    evaluation_endanger(ev, us, TERM_DANGER_FLANK_DEFENCE, bitboard_count(ev->attacked[us] & camp));
    evaluation_endanger(ev, us, TERM_DANGER_PINNED, bitboard_count(ev->pinned[us]));
    if (!pos->pieces[them][QUEEN])
        evaluation_endanger(ev, us, TERM_DANGER_NO_QUEEN, 1);
    if (ev->attacks[us][KNIGHT] & ev->attacks[us][KING])
        evaluation_endanger(ev, us, TERM_DANGER_KNIGHT_DEFENDS, 1);
}

EVAL_INLINE void king_side(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Square king = position_king(pos, us);
    int place = us == WHITE ? king : square_flip(king);
    Bitboard defenders = pos->pieces[us][PAWN] | pos->pieces[us][KNIGHT] | pos->pieces[us][BISHOP];
    int count = bitboard_count(defenders & ev->king_ring[us]);
    evaluation_add(ev, us, TERM_KING_PLACE + place, 1);
    evaluation_add(ev, us, TERM_KING_DEFENDERS + (count < 7 ? count : 7), 1);

    /* A single attacker other than the queen rarely mates. */
    if (ev->king_attackers[!us] > (pos->pieces[!us][QUEEN] ? 0 : 1))
        king_danger(ev, us);
    else
        ev->danger[us] = 0;
#ifdef EVAL_TRACE
    ev->trace->in_danger[us] = ev->king_attackers[!us] > (pos->pieces[!us][QUEEN] ? 0 : 1);
#endif
}
