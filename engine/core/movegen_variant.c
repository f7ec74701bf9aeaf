/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who has a royal king moves as in chess, and drops men besides. All others move without restraint,
 * and what the variant forbids is taken out of the list again. */
#include "engine/core/movegen_variant.h"

ALWAYS_INLINE Move *write_king_promotions(Move *next, Colour us, PawnTargets t, Kind kind)
{
    const Bitboard last = last_rank(us);
    if (kind & NOISY) {
        next = write_pawns(next, t.take_towards_a & last, step_towards_a(us),
                           MOVE_CAPTURE_KING_PROMOTION);
        next = write_pawns(next, t.take_towards_h & last, step_towards_h(us),
                           MOVE_CAPTURE_KING_PROMOTION);
    }
    if (kind & QUIET)
        next = write_pawns(next, t.push & last, step_forward(us), MOVE_KING_PROMOTION);
    return next;
}

/* Moves by the pieces' ways alone, of any number of kings. */
ALWAYS_INLINE void write_unrestrained(const Position *pos, MoveList *list, Colour us, Kind kind)
{
    const VariantRules *rules = variant_rules(pos);
    const Bitboard *own = pos->pieces[us];
    Move *next = list->moves;
    PawnTargets t = pawn_targets(pos, us, A1, ~0ULL, ~0ULL);
    if (rules->steps_two_from_first && us == WHITE)
        t.double_push |= forward(us, t.push & BITBOARD_RANK_2) & ~pos->occupied;
    next = write_pawn_moves(next, pos, us, t, kind | UNRESTRAINED);
    if (rules->promotes_to_king)
        next = write_king_promotions(next, us, t, kind);
    for (Bitboard set = pos->occupied_by[us] & ~own[PAWN]; set;) {
        Square from = bitboard_pop(&set);
        Bitboard targets = attacks_of(piece_type(pos->board[from]), from, pos->occupied);
        next = write_piece(next, pos, us, from, targets, kind);
    }
    if (kind & QUIET && pos->castling >> (2 * us) & 3)
        next = write_castling(next, pos, us, position_king(pos, us), variant_threats(pos, us));
    list->count = (int)(next - list->moves);
}

static void append_drops(const Position *pos, MoveList *list, Bitboard free)
{
    const uint8_t *pocket = pos->variant.pocket[pos->side_to_move];
    Move *next = list->moves + list->count;
    for (PieceType type = PAWN; type < POCKET_TYPES; type++) {
        Bitboard targets = pocket[type] ? free : 0;
        if (type == PAWN)
            targets &= ~(BITBOARD_RANK_1 | BITBOARD_RANK_8);
        while (targets)
            *next++ = move_make_drop(type, bitboard_pop(&targets));
    }
    list->count = (int)(next - list->moves);
    assert(list->count <= MAX_MOVES);
}

static void keep_captures(MoveList *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (move_is_capture(list->moves[i]))
            list->moves[kept++] = list->moves[i];
    }
    list->count = kept;
}

static void keep_legal(const Position *pos, MoveList *list)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        if (variant_is_legal(pos, list->moves[i]))
            list->moves[kept++] = list->moves[i];
    }
    list->count = kept;
}

static void unrestrained(const Position *pos, MoveList *list, Kind kind)
{
    if (pos->side_to_move == WHITE)
        write_unrestrained(pos, list, WHITE, kind);
    else
        write_unrestrained(pos, list, BLACK, kind);
}

static void as_in_chess(const Position *pos, MoveList *list, Kind kind)
{
    Bitboard threats = kind == QUIET ? variant_threats(pos, pos->side_to_move) : 0;
    if (pos->side_to_move == WHITE)
        write_moves(pos, list, WHITE, kind, threats, OF_VARIANT);
    else
        write_moves(pos, list, BLACK, kind, threats, OF_VARIANT);
}

/* Does chess's generator know all about this side's moves, drops and forbidden checks aside? */
static bool moves_as_in_chess(const Position *pos, const VariantRules *rules)
{
    return rules->is_royal[pos->side_to_move] && !rules->captures_explode;
}

static void write_legal(const Position *pos, MoveList *list, Kind kind)
{
    const VariantRules *rules = variant_rules(pos);
    if (!moves_as_in_chess(pos, rules)) {
        unrestrained(pos, list, kind);
        if (rules->captures_explode)
            keep_legal(pos, list);
        else if (rules->must_capture && variant_can_capture(pos))
            keep_captures(list);
        return;
    }
    as_in_chess(pos, list, kind);
    if (rules->drops_captures && kind & QUIET)
        append_drops(pos, list, variant_drop_targets(pos));
    if (rules->forbids_check)
        keep_legal(pos, list);
}

void movegen_variant(const Position *pos, MoveList *list, Kind kind)
{
    list->count = 0;
    if (variant_end(pos) == VARIANT_GOES_ON)
        write_legal(pos, list, kind);
}

static int count_drops(const Position *pos)
{
    const uint8_t *pocket = pos->variant.pocket[pos->side_to_move];
    Bitboard free = variant_drop_targets(pos);
    int pieces = 0;
    for (PieceType type = KNIGHT; type < POCKET_TYPES; type++)
        pieces += pocket[type] != 0;
    int pawns = pocket[PAWN] ? bitboard_count(free & ~(BITBOARD_RANK_1 | BITBOARD_RANK_8)) : 0;
    return pieces * bitboard_count(free) + pawns;
}

int movegen_variant_count(const Position *pos)
{
    const VariantRules *rules = variant_rules(pos);
    if (!moves_as_in_chess(pos, rules) || rules->forbids_check) {
        MoveList list;
        write_legal(pos, &list, ALL);
        return list.count;
    }
    int count = pos->side_to_move == WHITE ? count_legal(pos, WHITE, OF_VARIANT)
                                           : count_legal(pos, BLACK, OF_VARIANT);
    return rules->drops_captures ? count + count_drops(pos) : count;
}
