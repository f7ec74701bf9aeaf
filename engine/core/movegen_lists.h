/* SPDX-License-Identifier: GPL-3.0-or-later */
/* movegen_lists.h - writes lists of moves, for movegen.c and movegen_variant.c only.
 *
 * Legal moves come without trying them out. Three sets decide: the squares that answer a check (all
 * of them when there is none), the pinned pieces, and the squares that the enemy attacks once our
 * king has stepped aside.
 *
 * Everything here is written once for both colours, all kinds of lists, and chess and its variants;
 * callers pass constants, and the compiler makes a separate copy for each, without branches on any.
 */
#pragma once
#include "engine/core/attacks.h"
#include "engine/core/movegen.h"
#include "engine/core/variant_legality.h"

#include <assert.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

typedef enum {
    NOISY = 1,
    QUIET = 2,
    UNRESTRAINED = 4, /* en passant whatever it uncovers */
    ALL = NOISY | QUIET,
} Kind;

typedef enum { OF_CHESS, OF_VARIANT } Rules;

/* Pawns' ways, as seen by `us`. */
ALWAYS_INLINE Bitboard forward(Colour us, Bitboard set)
{
    return us == WHITE ? set << 8 : set >> 8;
}

ALWAYS_INLINE Bitboard towards_a(Colour us, Bitboard set)
{
    set &= ~BITBOARD_FILE_A;
    return us == WHITE ? set << 7 : set >> 9;
}

ALWAYS_INLINE Bitboard towards_h(Colour us, Bitboard set)
{
    set &= ~BITBOARD_FILE_H;
    return us == WHITE ? set << 9 : set >> 7;
}

/* How far a pawn comes by one of these steps. */
ALWAYS_INLINE int step_forward(Colour us)
{
    return us == WHITE ? 8 : -8;
}

ALWAYS_INLINE int step_towards_a(Colour us)
{
    return us == WHITE ? 7 : -9;
}

ALWAYS_INLINE int step_towards_h(Colour us)
{
    return us == WHITE ? 9 : -7;
}

ALWAYS_INLINE Bitboard last_rank(Colour us)
{
    return us == WHITE ? BITBOARD_RANK_8 : BITBOARD_RANK_1;
}

ALWAYS_INLINE Bitboard third_rank(Colour us)
{
    return us == WHITE ? BITBOARD_RANK_3 : BITBOARD_RANK_6;
}

/* All that the enemy attacks when our king does not stand in the way. */
ALWAYS_INLINE Bitboard attacked_by_enemy(const Position *pos, Colour us, Rules rules)
{
    if (rules == OF_VARIANT)
        return variant_threats(pos, us);
    const Colour them = us ^ 1;
    const Bitboard *enemy = pos->pieces[them];
    Bitboard occupied = pos->occupied ^ pos->pieces[us][KING];
    Bitboard attacked = attacks_of_pawns(them, enemy[PAWN]);
    attacked |= attacks_king(bitboard_first(enemy[KING]));
    for (Bitboard set = enemy[KNIGHT]; set;)
        attacked |= attacks_knight(bitboard_pop(&set));
    for (Bitboard set = enemy[BISHOP] | enemy[QUEEN]; set;)
        attacked |= attacks_bishop(bitboard_pop(&set), occupied);
    for (Bitboard set = enemy[ROOK] | enemy[QUEEN]; set;)
        attacked |= attacks_rook(bitboard_pop(&set), occupied);
    return attacked;
}

ALWAYS_INLINE bool can_castle(const Position *pos, unsigned index, Bitboard attacked)
{
    const CastlingRules *rules = &pos->rules;
    /* In Chess960 the rook may shield its king from a rook beyond it. */
    return pos->castling >> index & 1 && !(pos->occupied & rules->must_be_empty[index]) &&
           !(attacked & rules->must_be_safe[index]) &&
           !bitboard_has(pos->pinned, rules->rook_from[index]);
}

/* The pawns of ours that could take en passant, were it legal. */
ALWAYS_INLINE Bitboard en_passant_pawns(const Position *pos, Colour us)
{
    return attacks_pawn(us ^ 1, pos->en_passant) & pos->pieces[us][PAWN];
}

/* Two pawns leave a line at once, which neither pins nor check masks describe: test the position
 * after the capture. */
static bool en_passant_is_safe(const Position *pos, Colour us, Square from)
{
    const Bitboard *enemy = pos->pieces[us ^ 1];
    Square king = position_king(pos, us);
    Bitboard victim = square_bit(pos->en_passant ^ 8);
    Bitboard occupied = (pos->occupied ^ victim ^ square_bit(from)) | square_bit(pos->en_passant);
    return !(attacks_rook(king, occupied) & (enemy[ROOK] | enemy[QUEEN])) &&
           !(attacks_bishop(king, occupied) & (enemy[BISHOP] | enemy[QUEEN])) &&
           !(pos->checkers & (enemy[KNIGHT] | enemy[PAWN]) & ~victim);
}

/* The squares that pieces other than the king may go to: all, or those that end a single check. */
ALWAYS_INLINE Bitboard check_answers(const Position *pos, Square king)
{
    if (!pos->checkers)
        return ~0ULL;
    return pos->checkers | attacks_between(king, bitboard_first(pos->checkers));
}

/* Where pawns can go, pins and the check mask respected, en passant aside. */
typedef struct {
    Bitboard push, double_push, take_towards_a, take_towards_h;
} PawnTargets;

ALWAYS_INLINE PawnTargets pawn_targets(const Position *pos, Colour us, Square king, Bitboard free,
                                       Bitboard answers)
{
    const SquareAttacks *lines = &attacks_from[king];
    Bitboard pawns = pos->pieces[us][PAWN], empty = ~pos->occupied;
    Bitboard enemy = pos->occupied_by[us ^ 1] & answers;
    /* A pinned pawn may go along the line on which the king stands behind it. */
    Bitboard rising = us == WHITE ? lines->diagonal : lines->antidiagonal;
    Bitboard falling = us == WHITE ? lines->antidiagonal : lines->diagonal;
    Bitboard one = forward(us, pawns & (free | BITBOARD_FILE_A << square_file(king))) & empty;
    return (PawnTargets){
        .push = one & answers,
        .double_push = forward(us, one & third_rank(us)) & empty & answers,
        .take_towards_a = towards_a(us, pawns & (free | falling)) & enemy,
        .take_towards_h = towards_h(us, pawns & (free | rising)) & enemy,
    };
}

/* The writing side: `next` is where the next move goes. */
ALWAYS_INLINE Move *write_targets(Move *next, Square from, Bitboard targets, unsigned flag)
{
    while (targets)
        *next++ = move_make(from, bitboard_pop(&targets), flag);
    return next;
}

ALWAYS_INLINE Move *write_piece(Move *next, const Position *pos, Colour us, Square from,
                                Bitboard targets, Kind kind)
{
    if (kind & NOISY)
        next = write_targets(next, from, targets & pos->occupied_by[us ^ 1], MOVE_CAPTURE);
    if (kind & QUIET)
        next = write_targets(next, from, targets & ~pos->occupied, MOVE_QUIET);
    return next;
}

ALWAYS_INLINE Move *write_pawns(Move *next, Bitboard targets, int step, unsigned flag)
{
    while (targets) {
        Square to = bitboard_pop(&targets);
        *next++ = move_make((Square)(to - step), to, flag);
    }
    return next;
}

ALWAYS_INLINE Move *write_promotions(Move *next, Bitboard targets, int step, unsigned flag)
{
    while (targets) {
        Square to = bitboard_pop(&targets);
        for (unsigned piece = 4; piece-- > 0;)
            *next++ = move_make((Square)(to - step), to, flag + piece);
    }
    return next;
}

ALWAYS_INLINE Move *write_pawn_moves(Move *next, const Position *pos, Colour us, PawnTargets t,
                                     Kind kind)
{
    const Bitboard last = last_rank(us);
    const int ahead = step_forward(us), west = step_towards_a(us), east = step_towards_h(us);
    if (kind & NOISY) {
        if ((t.push | t.take_towards_a | t.take_towards_h) & last) {
            next = write_promotions(next, t.take_towards_a & last, west, MOVE_CAPTURE_PROMOTION);
            next = write_promotions(next, t.take_towards_h & last, east, MOVE_CAPTURE_PROMOTION);
            next = write_promotions(next, t.push & last, ahead, MOVE_PROMOTION);
        }
        next = write_pawns(next, t.take_towards_a & ~last, west, MOVE_CAPTURE);
        next = write_pawns(next, t.take_towards_h & ~last, east, MOVE_CAPTURE);
        if (pos->en_passant != SQUARE_NONE) {
            for (Bitboard pawns = en_passant_pawns(pos, us); pawns;) {
                Square from = bitboard_pop(&pawns);
                if (kind & UNRESTRAINED || en_passant_is_safe(pos, us, from))
                    *next++ = move_make(from, pos->en_passant, MOVE_EN_PASSANT);
            }
        }
    }
    if (kind & QUIET) {
        next = write_pawns(next, t.push & ~last, ahead, MOVE_QUIET);
        next = write_pawns(next, t.double_push, 2 * ahead, MOVE_DOUBLE_PUSH);
    }
    return next;
}

ALWAYS_INLINE Move *write_castling(Move *next, const Position *pos, Colour us, Square king,
                                   Bitboard attacked)
{
    for (unsigned wing = 0; wing < 2; wing++) {
        Square target = square_make(wing == CASTLING_KING_SIDE ? FILE_G : FILE_C, 7 * us);
        if (can_castle(pos, 2U * us + wing, attacked))
            *next++ = move_make(king, target, MOVE_CASTLING);
    }
    return next;
}

/* `threats` are given for quiet moves, else computed when the king's moves need them. */
ALWAYS_INLINE Move *write_king(Move *next, const Position *pos, Colour us, Square king, Kind kind,
                               Bitboard threats, Rules rules)
{
    Bitboard wanted = kind & NOISY ? pos->occupied_by[us ^ 1] : 0;
    wanted |= kind & QUIET ? ~pos->occupied : 0;
    Bitboard targets = attacks_king(king) & wanted;
    bool may_castle = kind & QUIET && pos->castling >> (2 * us) & 3;
    if (!targets && !may_castle)
        return next; /* the usual case of captures: skip computing what the enemy attacks */
    Bitboard attacked = kind == QUIET ? threats : attacked_by_enemy(pos, us, rules);
    next = write_piece(next, pos, us, king, targets & ~attacked, kind);
    return may_castle ? write_castling(next, pos, us, king, attacked) : next;
}

ALWAYS_INLINE void write_moves(const Position *pos, MoveList *list, Colour us, Kind kind,
                               Bitboard threats, Rules rules)
{
    const Bitboard *own = pos->pieces[us];
    Square king = position_king(pos, us);
    Bitboard answers = check_answers(pos, king);
    Bitboard free = ~pos->pinned;
    Move *next = list->moves;

    if (!bitboard_many(pos->checkers)) {
        next = write_pawn_moves(next, pos, us, pawn_targets(pos, us, king, free, answers), kind);
        for (Bitboard set = own[KNIGHT] & free; set;) {
            Square from = bitboard_pop(&set);
            next = write_piece(next, pos, us, from, attacks_knight(from) & answers, kind);
        }
        for (Bitboard set = own[BISHOP] | own[ROOK] | own[QUEEN]; set;) {
            Square from = bitboard_pop(&set);
            Bitboard targets =
                attacks_of(piece_type(pos->board[from]), from, pos->occupied) & answers;
            if (!bitboard_has(free, from))
                targets &= attacks_line(king, from);
            next = write_piece(next, pos, us, from, targets, kind);
        }
    }
    next = write_king(next, pos, us, king, kind, threats, rules);
    list->count = (int)(next - list->moves);
    assert(list->count <= MAX_MOVES);
}

ALWAYS_INLINE int count_legal(const Position *pos, Colour us, Rules rules)
{
    const Bitboard *own = pos->pieces[us];
    Square king = position_king(pos, us);
    Bitboard free = ~pos->pinned, reachable = ~pos->occupied_by[us];
    Bitboard attacked = attacked_by_enemy(pos, us, rules);
    int count = bitboard_count(attacks_king(king) & reachable & ~attacked);

    if (bitboard_many(pos->checkers))
        return count;
    Bitboard answers = check_answers(pos, king);
    PawnTargets t = pawn_targets(pos, us, king, free, answers);
    count += bitboard_count(t.push) + bitboard_count(t.double_push) +
             bitboard_count(t.take_towards_a) + bitboard_count(t.take_towards_h);
    const Bitboard last = last_rank(us);
    if ((t.push | t.take_towards_a | t.take_towards_h) & last)
        count += 3 * (bitboard_count(t.push & last) + bitboard_count(t.take_towards_a & last) +
                      bitboard_count(t.take_towards_h & last));
    if (pos->en_passant != SQUARE_NONE) {
        for (Bitboard pawns = en_passant_pawns(pos, us); pawns;)
            count += en_passant_is_safe(pos, us, bitboard_pop(&pawns));
    }

    Bitboard targets = reachable & answers;
    for (Bitboard set = own[KNIGHT] & free; set;)
        count += bitboard_count(attacks_knight(bitboard_pop(&set)) & targets);
    for (Bitboard set = (own[BISHOP] | own[QUEEN]) & free; set;)
        count += bitboard_count(attacks_bishop(bitboard_pop(&set), pos->occupied) & targets);
    for (Bitboard set = (own[ROOK] | own[QUEEN]) & free; set;)
        count += bitboard_count(attacks_rook(bitboard_pop(&set), pos->occupied) & targets);
    for (Bitboard set = (own[BISHOP] | own[ROOK] | own[QUEEN]) & pos->pinned; set;) {
        Square from = bitboard_pop(&set);
        count += bitboard_count(attacks_of(piece_type(pos->board[from]), from, pos->occupied) &
                                targets & attacks_line(king, from));
    }
    if (pos->castling >> (2 * us) & 3)
        count += can_castle(pos, 2U * us, attacked) + can_castle(pos, 2U * us + 1, attacked);
    return count;
}
