/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/search/see.h"

#include "engine/core/attacks.h"
#include "engine/search/search_rules.h"

const int see_value[PIECE_TYPE_COUNT + 1] = { 100, 300, 300, 500, 900, 20000, 0 };

/* What stands on the target square when the exchange begins. */
static int captured_value(const Position *pos, Move m)
{
    if (move_is_en_passant(m))
        return see_value[PAWN];
    return move_is_capture(m) ? see_value[piece_type(pos->board[move_to(m)])] : 0;
}

/* The cheapest kind of piece in `own_attackers`, which is not empty. */
static PieceType cheapest(const Position *pos, Colour side, Bitboard own_attackers)
{
    PieceType type = PAWN;
    while (!(own_attackers & pos->pieces[side][type]))
        type++;
    return type;
}

static bool is_last_rank(Square square)
{
    return square_rank(square) == RANK_1 || square_rank(square) == RANK_8;
}

/* What the side that captured may lose beyond its piece: to a pawn that takes back and promotes. */
static int promotion_risk(const Position *pos, Square to, Bitboard attackers, Colour against)
{
    return is_last_rank(to) && (attackers & pos->pieces[!against][PAWN])
               ? see_value[QUEEN] - see_value[PAWN]
               : 0;
}

static bool exchange_wins(const Position *pos, Move m, int threshold, bool is_drop)
{
    if (move_is_castling(m))
        return threshold <= 0;

    Square from = move_from(m);
    Square to = move_to(m);
    PieceType next_victim = is_drop ? move_dropped(m) : piece_type(pos->board[from]);
    /* `balance` is how far the side that moved last is ahead of what it needs. */
    int balance = captured_value(pos, m) - threshold;
    if (move_is_promotion(m)) {
        next_victim = move_promotion(m);
        balance += see_value[next_victim] - see_value[PAWN];
    }
    if (balance < 0)
        return false; /* not even when nothing is taken back */
    balance -= see_value[next_victim];
    if (balance >= 0 && !is_last_rank(to))
        return true; /* even when the piece is lost */

    Bitboard left = is_drop ? 0 : square_bit(from);
    Bitboard occupied = (pos->occupied ^ left) | square_bit(to);
    if (move_is_en_passant(m))
        occupied ^= square_bit(to ^ 8);
    const Bitboard diagonal = pos->pieces[WHITE][BISHOP] | pos->pieces[BLACK][BISHOP] |
                              pos->pieces[WHITE][QUEEN] | pos->pieces[BLACK][QUEEN];
    const Bitboard straight = pos->pieces[WHITE][ROOK] | pos->pieces[BLACK][ROOK] |
                              pos->pieces[WHITE][QUEEN] | pos->pieces[BLACK][QUEEN];
    Bitboard attackers = position_attackers(pos, to, occupied);
    Colour side = pos->side_to_move;
    if (balance >= promotion_risk(pos, to, attackers, side))
        return true;
    for (;;) {
        side = !side;
        attackers &= occupied;
        Bitboard own = attackers & pos->occupied_by[side];
        if (!own)
            return side != pos->side_to_move;
        PieceType type = cheapest(pos, side, own);
        occupied ^= square_bit(bitboard_first(own & pos->pieces[side][type]));
        /* X-ray: attackers behind the piece join in. */
        if (type == PAWN || type == BISHOP || type == QUEEN)
            attackers |= attacks_bishop(to, occupied) & diagonal;
        if (type == ROOK || type == QUEEN)
            attackers |= attacks_rook(to, occupied) & straight;
        /* `side` has taken: from its own view, is it now behind even if it loses the piece? */
        balance = -balance - 1 - see_value[type];
        if (balance < promotion_risk(pos, to, attackers & occupied, side))
            continue;
        /* It is not, so the exchange ends in its favour, unless its king took what is protected. */
        bool illegal = type == KING && (attackers & occupied & pos->occupied_by[!side]);
        return (side == pos->side_to_move) != illegal;
    }
}

/* The men that a capture on `to` takes off, the captor aside: what they are worth to `us`, by
 * whom they are lost to the enemy. */
static int blast_value(const Position *pos, Square to, Bitboard gone, Colour us)
{
    Bitboard pawns = pos->pieces[WHITE][PAWN] | pos->pieces[BLACK][PAWN];
    int value = 0;
    for (Bitboard set = attacks_king(to) & pos->occupied & ~pawns & ~gone; set;) {
        Piece piece = pos->board[bitboard_pop(&set)];
        int worth = see_value[piece_type(piece)];
        value += piece_colour(piece) == us ? -worth : worth;
    }
    return value;
}

/* After a quiet move the enemy may explode what has come to `to`, and need not. */
static int blast_risk(const Position *pos, Move m)
{
    Colour us = pos->side_to_move, them = us ^ 1;
    Square to = move_to(m);
    Bitboard gone = square_bit(move_from(m));
    Bitboard attackers = position_attackers(pos, to, pos->occupied & ~gone) &
                         pos->occupied_by[them] & ~pos->pieces[them][KING];
    if (!attackers)
        return 0;
    PieceType moved = piece_type(pos->board[move_from(m)]);
    int loss = see_value[moved] - blast_value(pos, to, gone, us) -
               see_value[cheapest(pos, them, attackers)];
    return loss > 0 ? loss : 0;
}

int see_explosion(const Position *pos, Move m)
{
    Square from = move_from(m);
    return captured_value(pos, m) - see_value[piece_type(pos->board[from])] +
           blast_value(pos, move_to(m), square_bit(from), pos->side_to_move);
}

static bool explosion_wins(const Position *pos, Move m, int threshold)
{
    if (move_is_castling(m))
        return threshold <= 0;
    if (!move_is_capture(m))
        return threshold <= -blast_risk(pos, m);
    return see_explosion(pos, m) >= threshold;
}

/* Do the rules of the variant answer without an exchange on one square? Then *wins is the answer.
 */
static bool variant_settles(const Position *pos, Move m, int threshold, bool *wins)
{
    const SearchRules *rules = &search_rules_table[pos->ruleset];
    switch (rules->exchanges) {
    case EXCHANGES_FORCED:
        *wins = threshold <= 0;
        return true;
    case EXCHANGES_EXPLODE:
        *wins = explosion_wins(pos, m, threshold);
        return true;
    case EXCHANGES_ON_SQUARE:
        break;
    }
    *wins = true;
    return rules->check_wins_all && position_gives_check(pos, m);
}

/* What it calls is inlined, however many other callers that has. */
__attribute__((flatten)) bool see_at_least(const Position *pos, Move m, int threshold)
{
    bool is_drop = false;
    if (!position_is_chess(pos)) {
        bool wins;
        if (variant_settles(pos, m, threshold, &wins))
            return wins;
        threshold /= 1 + search_rules_table[pos->ruleset].is_material_double;
        is_drop = move_is_drop(m);
    }
    return exchange_wins(pos, m, threshold, is_drop);
}
