/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pawns.h - what depends on pawns and kings alone: structure, passed pawns' prospects, shelter. */
#pragma once
#include "engine/eval/classical/evaluation_state.h"

EVAL_INLINE void pawns_passed(Evaluation *ev, Colour us, Square square)
{
    int rank = rank_of(us, square);
    Square stop = us == WHITE ? square + 8 : square - 8;
    evaluation_add(ev, us, TERM_PASSED_RANK + rank, 1);
    evaluation_add(ev, us, TERM_PASSED_OWN_KING + rank,
                   king_distance(position_king(ev->pos, us), stop));
    evaluation_add(ev, us, TERM_PASSED_ENEMY_KING + rank,
                   king_distance(position_king(ev->pos, !us), stop));
}

EVAL_INLINE void pawns_one(Evaluation *ev, Colour us, Square square)
{
    const Position *pos = ev->pos;
    Bitboard own = pos->pieces[us][PAWN], enemy = pos->pieces[!us][PAWN];
    int file = square_file(square), rank = rank_of(us, square);
    Bitboard ahead = ranks_ahead(us, square), beside = neighbour_files(file);
    Square stop = us == WHITE ? square + 8 : square - 8;

    Bitboard stoppers = enemy & ahead & (file_mask(file) | beside);
    Bitboard levers = enemy & attacks_pawn(us, square);
    Bitboard push_levers = enemy & attacks_pawn(us, stop);
    Bitboard neighbours = own & beside;
    Bitboard supporters = own & attacks_pawn(!us, square);
    Bitboard phalanx = neighbours & ranks_mask(us, rank, rank);
    bool opposed = enemy & ahead & file_mask(file);
    bool doubled = own & ahead & file_mask(file);

    evaluation_add(ev, us, TERM_MATERIAL + PAWN, 1);
    evaluation_add(ev, us, TERM_PAWN_PLACE + place_index(us, square, position_king(pos, !us)), 1);
    ev->attack_span[us] |= ahead & beside;

    if (!stoppers && !doubled) {
        ev->passed |= square_bit(square);
        pawns_passed(ev, us, square);
    } else if (!doubled && !(stoppers & ~levers & ~push_levers) &&
               bitboard_count(supporters) >= bitboard_count(levers) &&
               bitboard_count(phalanx) >= bitboard_count(push_levers)) {
        evaluation_add(ev, us, TERM_PAWN_CANDIDATE + rank, 1);
    }

    if (!neighbours)
        evaluation_add(ev, us, TERM_PAWN_ISOLATED + opposed * 4 + edge_of(square), 1);
    else if (!(neighbours & ~ahead) && push_levers)
        evaluation_add(ev, us, TERM_PAWN_BACKWARD + opposed, 1);
    if (doubled)
        evaluation_add(ev, us, TERM_PAWN_DOUBLED + (neighbours != 0), 1);
    if (supporters)
        evaluation_add(ev, us, TERM_PAWN_SUPPORTED + opposed * 8 + rank, 1);
    if (phalanx)
        evaluation_add(ev, us, TERM_PAWN_PHALANX + opposed * 8 + rank, 1);
}

/* How many ranks ahead of the king the set's nearest pawn stands; 7 for none. */
EVAL_INLINE int pawns_distance(Colour us, Bitboard pawns, int king_rank)
{
    if (!pawns)
        return 7;
    Square nearest = us == WHITE ? bitboard_first(pawns) : (Square)(63 - __builtin_clzll(pawns));
    return rank_of(us, nearest) - king_rank;
}

EVAL_INLINE void pawns_shelter(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Square king = position_king(pos, us);
    int king_file = square_file(king), king_rank = rank_of(us, king);
    Bitboard in_front = ranks_mask(us, king_rank, 7);
    int first = king_file > 0 ? king_file - 1 : 0, last = king_file < 7 ? king_file + 1 : 7;

    for (int file = first; file <= last; file++) {
        Bitboard column = file_mask(file) & in_front;
        int edge = edge_of((Square)file);
        int shield = pawns_distance(us, pos->pieces[us][PAWN] & column, king_rank);
        int storm = pawns_distance(us, pos->pieces[!us][PAWN] & column, king_rank);
        bool blocked = shield < 7 && shield + 1 == storm;
        evaluation_add(ev, us, TERM_SHELTER + (file == king_file) * 32 + edge * 8 + shield, 1);
        evaluation_add(ev, us, TERM_STORM + blocked * 32 + edge * 8 + storm, 1);
        evaluation_endanger(ev, us, TERM_DANGER_SHELTER + shield, 1);
        evaluation_endanger(ev, us, TERM_DANGER_STORM + blocked * 8 + storm, 1);
    }

    Bitboard pawns = pos->pieces[WHITE][PAWN] | pos->pieces[BLACK][PAWN];
    int files_away = 0;
    for (Bitboard near = file_mask(king_file); files_away < 7 && pawns && !(pawns & near);
         files_away++)
        near |= (near & ~BITBOARD_FILE_A) >> 1 | (near & ~BITBOARD_FILE_H) << 1;
    evaluation_add(ev, us, TERM_KING_PAWN_FILES + files_away, 1);
}

EVAL_INLINE void pawns_side(Evaluation *ev, Colour us)
{
    ev->attack_span[us] = ev->pawn_attacks[us];
    for (Bitboard pawns = ev->pos->pieces[us][PAWN]; pawns;)
        pawns_one(ev, us, bitboard_pop(&pawns));
    pawns_shelter(ev, us);
}

/* Both sides, from the cache where they are. Score and dangers are zero before the call. */
EVAL_INLINE void pawns_both(Evaluation *ev, PawnTable *table)
{
    uint64_t key = pawn_table_key(ev->pos);
    PawnEntry *entry = table ? pawn_table_slot(table, key) : NULL;
    if (entry && entry->key == key) {
        ev->score = entry->score;
        ev->danger[WHITE] = entry->danger[WHITE];
        ev->danger[BLACK] = entry->danger[BLACK];
        ev->passed = entry->passed;
        ev->attack_span[WHITE] = entry->attack_span[WHITE];
        ev->attack_span[BLACK] = entry->attack_span[BLACK];
        return;
    }
    pawns_side(ev, WHITE);
    pawns_side(ev, BLACK);
    if (entry)
        *entry = (PawnEntry){
            .key = key,
            .score = ev->score,
            .danger = { ev->danger[WHITE], ev->danger[BLACK] },
            .passed = ev->passed,
            .attack_span = { ev->attack_span[WHITE], ev->attack_span[BLACK] },
        };
}
