/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/eval/variant_evaluation.h"

#include "engine/base/minmax.h"
#include "engine/core/attacks.h"
#include "engine/core/variant_rules.h"
#include "engine/eval/variant_weights.h"

#include <stdlib.h>

typedef struct {
    const Position *pos;
    const VariantWeights *weights;
    Weight score;                                /* White's good minus Black's */
    Bitboard by[COLOUR_COUNT][PIECE_TYPE_COUNT]; /* attacked by that kind of piece */
    Bitboard attacked[COLOUR_COUNT];
    Bitboard ring[COLOUR_COUNT]; /* the king's square and those around it; none without a king */
    int danger[COLOUR_COUNT];    /* that this side's king is in, before squaring */
} Evaluation;

static void add(Evaluation *ev, Colour us, Weight weight, int count)
{
    count = us == WHITE ? count : -count;
    ev->score.mg += weight.mg * count;
    ev->score.eg += weight.eg * count;
}

static void add_per_cent(Evaluation *ev, Colour us, Weight weight, int per_cent)
{
    add(ev, us, (Weight){ weight.mg * per_cent / 100, weight.eg * per_cent / 100 }, 1);
}

static void add_points(Evaluation *ev, Colour us, int points)
{
    add(ev, us, (Weight){ points, points }, 1);
}

static int rank_of(Colour us, Square square)
{
    return us == WHITE ? square_rank(square) : 7 - square_rank(square);
}

static Bitboard around(Bitboard set)
{
    set |= (set & ~BITBOARD_FILE_A) >> 1 | (set & ~BITBOARD_FILE_H) << 1;
    return set | set << 8 | set >> 8;
}

static bool has_royal_king(const Position *pos, Colour us)
{
    return variant_rules(pos)->is_royal[us] && pos->pieces[us][KING];
}

static bool is_horde(const Position *pos, Colour us)
{
    return pos->ruleset == RULES_HORDE && us == WHITE;
}

/* Attackers of the ring, by kind: in units of king danger. */
enum { RING_SQUARE = 17, WEAK_SQUARE = 25, NO_QUEEN = 200, CALM = 60 };
static const int ring_attacker[PIECE_TYPE_COUNT] = { 10, 62, 51, 40, 30, 0 };
static const int safe_check[PIECE_TYPE_COUNT] = { 40, 226, 167, 282, 220, 0 };

static void note_attacks(Evaluation *ev, Colour us, PieceType type, Bitboard attacks)
{
    ev->by[us][type] |= attacks;
    ev->attacked[us] |= attacks;
    Bitboard ring = attacks & ev->ring[us ^ 1];
    if (ring && type != KING)
        ev->danger[us ^ 1] += ring_attacker[type] + RING_SQUARE * bitboard_count(ring);
}

static void add_pieces(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    const VariantWeights *w = ev->weights;
    Bitboard enemy_pawns = attacks_of_pawns(us ^ 1, pos->pieces[us ^ 1][PAWN]);
    Bitboard open = ~pos->occupied_by[us] & ~enemy_pawns;
    for (PieceType type = PAWN; type < PIECE_TYPE_COUNT; type++) {
        for (Bitboard set = pos->pieces[us][type]; set;) {
            Square square = bitboard_pop(&set);
            int rank = rank_of(us, square), file = square_file(square);
            add(ev, us, w->material[type], 1);
            if (type == KING)
                add_per_cent(ev, us, variant_king_places[rank][file], w->king_place);
            else if (type == PAWN && is_horde(pos, us))
                add(ev, us, variant_horde_places[rank][file < 4 ? file : 7 - file], 1);
            else
                add_per_cent(ev, us, variant_places[type][rank][file < 4 ? file : 7 - file],
                             w->places);
            if (type == PAWN)
                continue;
            Bitboard attacks = attacks_of(type, square, pos->occupied);
            note_attacks(ev, us, type, attacks);
            add(ev, us, w->mobility[type], bitboard_count(attacks & open));
        }
    }
}

static void add_pawns(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    const VariantWeights *w = ev->weights;
    Bitboard own = pos->pieces[us][PAWN], enemy = pos->pieces[us ^ 1][PAWN];
    for (Bitboard set = own; set;) {
        Square square = bitboard_pop(&set);
        int rank = rank_of(us, square), file = square_file(square);
        Bitboard files = BITBOARD_FILE_A << file;
        Bitboard beside = (files & ~BITBOARD_FILE_A) >> 1 | (files & ~BITBOARD_FILE_H) << 1;
        Bitboard ahead = us == WHITE ? ~0ULL << 8 * (square_rank(square)) << 8
                                     : ~0ULL >> 8 * (7 - square_rank(square)) >> 8;
        if (!(enemy & ahead & (files | beside)) && !(own & ahead & files))
            add_per_cent(ev, us, variant_passed[rank], w->passed);
        Bitboard same_rank = 0xffULL << 8 * square_rank(square);
        if (own & ((beside & same_rank) | attacks_pawn(us ^ 1, square)))
            add(ev, us, w->supported, rank);
        if (bitboard_has(pos->occupied_by[us ^ 1], us == WHITE ? square + 8 : square - 8))
            add(ev, us, w->blocked, 1);
    }
}

static void add_threats(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    const VariantWeights *w = ev->weights;
    Colour them = us ^ 1;
    Bitboard pieces = pos->occupied_by[them] & ~pos->pieces[them][PAWN] & ~pos->pieces[them][KING];
    add(ev, us, w->by_pawn, bitboard_count(pieces & ev->by[us][PAWN]));
    Bitboard loose = ev->attacked[us] & ~ev->attacked[them];
    add(ev, us, w->hanging, bitboard_count(pieces & loose));
    add(ev, us, w->hanging_pawn, bitboard_count(pos->pieces[them][PAWN] & loose));
}

/* The squares from which a piece of this kind would give check to the king of `us`. */
static Bitboard checking_squares(const Position *pos, Colour us, PieceType type)
{
    Square king = position_king(pos, us);
    return type == PAWN ? attacks_pawn(us, king) : attacks_of(type, king, pos->occupied);
}

/* How much the enemy's men endanger the king. */
static void add_danger(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Colour them = us ^ 1;
    if (!has_royal_king(pos, us) || !ev->weights->danger)
        return;
    Bitboard defended = ev->attacked[us] & ~ev->by[us][KING];
    int danger = ev->danger[us] - CALM;
    danger += WEAK_SQUARE * bitboard_count(ev->ring[us] & ev->attacked[them] & ~defended);
    for (PieceType type = PAWN; type < KING; type++) {
        Bitboard squares = checking_squares(pos, us, type) & ~pos->occupied_by[them];
        Bitboard safe = squares & ~ev->attacked[us];
        if (type != PAWN && safe & ev->by[them][type])
            danger += safe_check[type];
    }
    if (!pos->pieces[them][QUEEN])
        danger -= NO_QUEEN;
    int shelter = bitboard_count(ev->ring[us] & pos->pieces[us][PAWN]);
    danger -= 20 * int_min(shelter, 3);
    danger = int_clamp(danger, 0, 1500);
    int cost = danger * danger / 1024 * ev->weights->danger / 100;
    add(ev, us, (Weight){ -cost, -cost / 4 }, 1);
}

/* In how many moves, over squares that the enemy does not attack, a king comes to `goal`;
 * GOAL_STEPS - 1: in that many or never. */
static int king_steps_to(const Evaluation *ev, Colour us, Bitboard goal)
{
    Bitboard reached = ev->pos->pieces[us][KING];
    Bitboard open = ~ev->attacked[us ^ 1] & ~ev->pos->occupied_by[us];
    for (int steps = 0; steps < GOAL_STEPS - 1; steps++) {
        if (reached & goal)
            return steps;
        reached |= around(reached) & open;
    }
    return GOAL_STEPS - 1;
}

static void add_hill(Evaluation *ev, Colour us)
{
    add_points(ev, us, ev->weights->goal[king_steps_to(ev, us, VARIANT_HILL)]);
    Square king = position_king(ev->pos, us);
    int far = int_max(abs(2 * square_file(king) - 7), abs(2 * square_rank(king) - 7)) / 2;
    add(ev, us, ev->weights->approach, 3 - far);
}

/* Checks given, and chances to give more. */
static void add_checks(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    Colour them = us ^ 1;
    int given = pos->variant.checks_given[us];
    int chances = 0, safe_chances = 0;
    add_points(ev, us, ev->weights->goal[given]);
    for (PieceType type = KNIGHT; type < KING; type++) {
        Bitboard squares =
            checking_squares(pos, them, type) & ev->by[us][type] & ~pos->occupied_by[us];
        chances += bitboard_count(squares);
        safe_chances += bitboard_count(squares & ~ev->attacked[them]);
    }
    add(ev, us, ev->weights->check, chances * (1 + given));
    add(ev, us, ev->weights->safe_check, int_min(safe_chances, 6) * (1 + given));
}

static void add_goal(Evaluation *ev, Colour us)
{
    switch (ev->pos->ruleset) {
    case RULES_KING_OF_THE_HILL:
        add_hill(ev, us);
        break;
    case RULES_THREE_CHECK:
        add_checks(ev, us);
        break;
    default:
        break;
    }
}

/* 24 with all pieces of chess on the board, 0 without any; in horde by how many are left of it. */
enum { HORDE_SIZE = 36 };
static int phase_of(const Position *pos)
{
    static const int weight[PIECE_TYPE_COUNT] = { 0, 1, 1, 2, 4, 0 };
    int phase = 0;
    if (is_horde(pos, WHITE))
        return int_min(bitboard_count(pos->occupied_by[WHITE]) * 24 / HORDE_SIZE, 24);
    for (Colour c = WHITE; c <= BLACK; c++)
        for (PieceType type = KNIGHT; type < KING; type++)
            phase += weight[type] * bitboard_count(pos->pieces[c][type]);
    return int_min(phase, 24);
}

static void prepare(Evaluation *ev, Colour us)
{
    const Position *pos = ev->pos;
    ev->ring[us] = has_royal_king(pos, us) ? around(pos->pieces[us][KING]) : 0;
}

static void evaluate_side(Evaluation *ev, Colour us)
{
    note_attacks(ev, us, PAWN, attacks_of_pawns(us, ev->pos->pieces[us][PAWN]));
    add_pieces(ev, us);
    add_pawns(ev, us);
}

bool variant_evaluation_has_network(Ruleset ruleset)
{
    return ruleset == RULES_STANDARD || variant_weights[ruleset].network;
}

int variant_evaluate(AccumulatorStack *accumulators, const Position *pos)
{
    const VariantWeights *w = &variant_weights[pos->ruleset];
    Evaluation ev = { .pos = pos, .weights = w };
    Colour us = pos->side_to_move;
    for (Colour c = WHITE; c <= BLACK; c++)
        prepare(&ev, c);
    for (Colour c = WHITE; c <= BLACK; c++)
        evaluate_side(&ev, c);
    for (Colour c = WHITE; c <= BLACK; c++) {
        add_threats(&ev, c);
        add_danger(&ev, c);
        add_goal(&ev, c);
    }
    add(&ev, us, w->tempo, 1);
    int phase = phase_of(pos);
    int value = (ev.score.mg * phase + ev.score.eg * (24 - phase)) / 24;
    value = us == WHITE ? value : -value;
    if (w->network)
        value += accumulator_evaluate(accumulators, pos) * w->network / 100;
    return value;
}
